"""Fitted models as values, and what follows from them: scores, probabilities, margins, explanations."""
