"""Text that leaves for people: messages, tables, labels. Nothing here knows of data or models."""
