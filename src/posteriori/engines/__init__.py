"""Engines: execute sweeps over the blocks of a table, with threads and progress."""
