"""`DensityDisplay`: the class-conditional densities of generative models."""
