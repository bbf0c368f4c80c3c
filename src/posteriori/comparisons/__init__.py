"""Comparisons of models on held-out rows: cross-validation and learning curves."""
