"""Families: distributions of groups of columns, given the class. One family per file."""
