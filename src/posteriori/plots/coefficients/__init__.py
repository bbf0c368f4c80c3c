"""What linear models learned: `CoefficientDisplay`."""
