"""What the Gaussian of Laplace's approximation leaves out: mean, covariance and skewness of the posterior itself."""
