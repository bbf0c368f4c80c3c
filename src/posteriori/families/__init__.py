"""Families: class-conditional distributions of groups of columns. One family per file."""
