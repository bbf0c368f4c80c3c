"""What must hold of the values of each storable class: shapes, ranges, and what its parts have in common."""
