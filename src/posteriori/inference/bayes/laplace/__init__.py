"""The Laplace approximation of any log density of a user: a Gaussian at its mode."""
