"""Families of class-conditional densities p(x | y): one file each, found by name in `table`."""
