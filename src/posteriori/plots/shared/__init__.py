"""Axes, colours, grids and rows, which all Displays share."""
