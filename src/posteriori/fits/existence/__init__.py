"""Whether the maximum exists and is unique: rank, separation, estimates at infinity."""
