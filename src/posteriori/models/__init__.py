"""What fitted models compute: scores, posteriors from densities, margins, explanations."""
