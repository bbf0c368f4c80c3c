"""The commands of `posteriori`: one per file."""
