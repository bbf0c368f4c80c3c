"""Links: from linear predictors to class probabilities, and back to losses; one class a file."""
