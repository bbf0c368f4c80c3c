"""Validation rules for each storable class."""
