"""Codings: how the columns of a frame become the columns of a model."""
