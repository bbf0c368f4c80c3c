"""Statistics of rows: small, immutable, mergeable.

Every class here is a commutative monoid up to rounding: ``merge`` is associative and has a zero, so the rows of a
table may be summed in any parts, on any engine, and a lost part recomputed.
"""
