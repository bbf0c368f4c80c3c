"""Links: log probabilities, scores and curvature as functions of linear predictors. One link per file."""
