"""Stochastic gradient ascent for a sum of kernels, one row at a time, in numpy."""

import numpy as np

from posteriori.arrays import Array, Codes


def climb(theta: Array, kernels: Array, codes: Codes, rate: float, decay: float, tiny: float) -> int:
    """Take a gradient step on the log likelihood of each row in turn, in place; return the number of steps.

    theta_y <- theta_y + rate ((y = y_i) - q(y | x_i)) k(x_i) - rate decay theta_y, until a step is shorter than `tiny`,
    which is not taken.

    Parameters
    ----------
    theta : (K, m)
    kernels : (n, m) of the rows, in the order of the steps
    codes : (n,) classes of the rows
    """
    for number in range(len(codes)):
        k = kernels[number]
        eta = theta @ k
        q = np.exp(eta - eta.max())
        q /= -q.sum()
        q[codes[number]] += 1.0
        step = rate * q[:, None] * k
        if decay:
            step -= rate * decay * theta
        if np.sqrt((step * step).sum()) < tiny:
            return number
        theta += step
    return len(codes)
