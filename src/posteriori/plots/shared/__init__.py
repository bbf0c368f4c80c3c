"""What all figures share: axes, colours, grids, rows."""
