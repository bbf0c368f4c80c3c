"""The command ``posteriori``: one file a command; nothing heavy is imported before it is needed."""
