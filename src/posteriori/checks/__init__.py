"""Checks of what users pass: parameters, numbers, sparse matrices, memory."""
