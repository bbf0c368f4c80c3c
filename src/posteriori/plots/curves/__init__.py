"""Curves of one variable: losses, links, solver traces, scores of models."""
