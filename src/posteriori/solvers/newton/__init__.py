"""Newton's method and its relatives: bounded, truncated, sampled, Fisher scoring."""
