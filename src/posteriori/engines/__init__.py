"""Engines: run sweeps over the blocks of a table, with threads and progress."""
