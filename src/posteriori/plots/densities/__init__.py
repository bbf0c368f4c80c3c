"""What generative models assume of each class: `DensityDisplay`."""
