"""Basis functions as scikit-learn transformers."""
