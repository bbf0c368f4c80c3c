"""The model file: numbers as tensors, the rest as a checked tree; no code on load, no training data."""
