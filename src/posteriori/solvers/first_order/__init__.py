"""Gradient methods, as the books describe them."""
