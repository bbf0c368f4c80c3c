"""Attributes that follow from others, computed again on load and compared."""
