"""Decisions: from probabilities to actions, and measures of what those probabilities and actions are worth."""
