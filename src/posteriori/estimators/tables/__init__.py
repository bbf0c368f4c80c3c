"""`TableClassifier`: any classifier on a frame with columns of all kinds."""
