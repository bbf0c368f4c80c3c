"""Models built from, or checked against, the options of the command line."""
