"""The evidence as a function of the prior's precision, and its maximum."""
