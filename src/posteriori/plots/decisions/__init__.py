"""What answers are worth on rows whose classes are known: calibration, refusals, costs."""
