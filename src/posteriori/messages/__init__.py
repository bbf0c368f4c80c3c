"""Errors, warnings, notes of fits, options in messages, escaping of names, recording of warnings."""
