"""Stochastic gradient ascent for a sum of kernels, one row at a time, compiled."""

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.backends.compiled.compiler import njit


@njit(cache=True, nogil=True)
def climb(theta: Array, kernels: Array, codes: Codes, rate: float, decay: float, tiny: float) -> int:
    """Take a gradient step on the log likelihood of each row in turn, in place; return the number of steps."""
    n_classes, m = theta.shape
    q = np.empty(n_classes)
    for number in range(len(codes)):
        k = kernels[number]
        top = -np.inf
        for y in range(n_classes):
            eta = 0.0
            for j in range(m):
                eta += theta[y, j] * k[j]
            q[y] = eta
            top = max(top, eta)
        total = 0.0
        for y in range(n_classes):
            q[y] = np.exp(q[y] - top)
            total += q[y]
        length = 0.0
        for y in range(n_classes):
            q[y] = (1.0 if y == codes[number] else 0.0) - q[y] / total
            for j in range(m):
                length += (rate * q[y] * k[j] - rate * decay * theta[y, j]) ** 2
        if np.sqrt(length) < tiny:
            return number
        for y in range(n_classes):
            for j in range(m):
                theta[y, j] += rate * q[y] * k[j] - rate * decay * theta[y, j]
    return len(codes)
