"""The command ``posteriori``: one file per command; large modules are imported only when they are needed."""
