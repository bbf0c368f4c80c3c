"""Decisions: from probabilities to actions."""
