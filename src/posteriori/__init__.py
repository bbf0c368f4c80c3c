"""posteriori."""
