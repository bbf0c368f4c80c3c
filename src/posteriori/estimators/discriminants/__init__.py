"""Discriminant functions: least squares, Fisher, the perceptron."""
