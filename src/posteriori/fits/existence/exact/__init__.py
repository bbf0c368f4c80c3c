"""Separation decided in exact arithmetic: the cone of separating directions."""
