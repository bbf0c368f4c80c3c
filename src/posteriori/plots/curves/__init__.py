"""Lines over one quantity: losses, links, learning curves, traces of solvers, scores of models."""
