"""Centred and scaled views of a block of rows, and the units they are in."""
