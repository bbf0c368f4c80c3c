"""scikit-learn estimators: each picks its pieces and holds no mathematics."""
