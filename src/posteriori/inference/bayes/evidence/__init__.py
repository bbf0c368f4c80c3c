"""The choice of a prior's precision by the evidence: the marginal likelihood by Laplace's approximation."""
