"""Input validation: arrays, frames and formulas become checked tables."""
