"""Fixed basis functions as pure maps of rows."""
