"""Fits of kernel models: kernel logistic regression and LSPC."""
