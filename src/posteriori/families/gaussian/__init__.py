"""Gaussian families: one per covariance structure, their priors, and the limits without variance."""
