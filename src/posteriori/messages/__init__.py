"""What is said: errors and warnings, notes of fits, escaping of names, recording of warnings."""
