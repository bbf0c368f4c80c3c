"""Displays in the convention of scikit-learn: data in, `plot` draws, nothing is computed in between."""
