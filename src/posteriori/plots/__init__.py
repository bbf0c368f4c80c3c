"""Figures in scikit-learn's Display convention: data in, `plot` draws, nothing is computed in between."""
