"""The fit of a noisy-OR."""
