"""The exponential of negative numbers, in loops that the compiler turns into vector instructions."""

import numpy as np

from posteriori.arrays import Array, Integers
from posteriori.backends.compiled.compiler import njit

#: Adding this to a float of moderate size rounds it to an integer, stored in its low bits.
_ROUND = 6755399441055744.0


@njit(nogil=True, cache=True, fastmath={"contract"})
def exp_of_negative(x: Array, bits: Integers, out: Array, n: int) -> None:
    """Write exp(x) of the first n entries, x <= 0, to one unit in the last place; below -708 the value at -708.

    x = k log 2 + r with |r| <= log(2)/2; exp(r) is a Taylor polynomial, and 2^k is made from the bits of a float. The
    loops have no calls or branches, so that the compiler can turn them into vector instructions.
    """
    powers = bits.view(np.float64)
    for t in range(n):
        powers[t] = max(x[t], -708.0) * 1.4426950408889634 + _ROUND
    for t in range(n):
        k = powers[t] - _ROUND
        r = (max(x[t], -708.0) - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10
        p = 1.6059043836821613e-10
        p = p * r + 2.08767569878681e-09
        p = p * r + 2.505210838544172e-08
        p = p * r + 2.755731922398589e-07
        p = p * r + 2.7557319223985893e-06
        p = p * r + 2.48015873015873e-05
        p = p * r + 1.984126984126984e-04
        p = p * r + 1.388888888888889e-03
        p = p * r + 8.333333333333333e-03
        p = p * r + 4.1666666666666664e-02
        p = p * r + 1.6666666666666666e-01
        p = p * r + 0.5
        p = p * r + 1.0
        out[t] = p * r + 1.0
    for t in range(n):
        bits[t] = (bits[t] + 1023) << 52
    for t in range(n):
        out[t] *= powers[t]
