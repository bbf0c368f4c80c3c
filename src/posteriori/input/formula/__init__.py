"""Formulas: from text to columns, without running any code."""
