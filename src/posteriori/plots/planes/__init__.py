"""Linear classifiers in the plane: boundaries, distances, projections, perceptron updates."""
