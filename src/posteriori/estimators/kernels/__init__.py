"""Kernel classifiers: kernel logistic regression and LSPC."""
