"""`CoefficientDisplay`: the coefficients of linear models."""
