"""Models side by side on rows they have not seen."""
