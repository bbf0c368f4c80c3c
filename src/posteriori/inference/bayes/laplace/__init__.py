"""The Laplace approximation of any log density."""
