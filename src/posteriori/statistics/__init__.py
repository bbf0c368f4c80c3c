"""What a sweep makes of rows: small, immutable, mergeable.

Every class here is a commutative monoid to rounding: ``merge`` is associative and has a zero, so a table
may be summed in any parts, on any engine, and a lost part recomputed.
"""
