"""Displays of predictions on rows with known classes: calibration, rejection, costs."""
