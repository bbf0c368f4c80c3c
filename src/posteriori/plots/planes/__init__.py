"""Linear classifiers in the plane and along their directions: boundaries, distances, projections, updates."""
