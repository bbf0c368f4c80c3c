"""From a table to a fitted model: one model per file."""
