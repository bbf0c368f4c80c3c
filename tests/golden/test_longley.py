"""Longley's regression (NIST StRD, higher difficulty): the triangle keeps its digits where a Gram matrix does not."""

from fractions import Fraction

import numpy as np
import scipy.linalg as la

from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.sweeps.sample import TriangleSweep
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import numbered

#: Employment, then price deflator, national product, unemployed, armed forces, population, year (Longley 1967).
LONGLEY = np.array(
    [
        [60323, 83.0, 234289, 2356, 1590, 107608, 1947],
        [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
        [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
        [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
        [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
        [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
        [64989, 99.0, 365385, 1870, 3547, 115094, 1953],
        [63761, 100.0, 363112, 3578, 3350, 116219, 1954],
        [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
        [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
        [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
        [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
        [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
        [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
        [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
        [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
    ]
)


def solved(rows, y):
    """Solve the normal equations in fractions."""
    y, p = list(y), len(rows[0])
    system = [
        [sum(row[i] * row[j] for row in rows) for j in range(p)] + [sum(r[i] * v for r, v in zip(rows, y, strict=True))]
        for i in range(p)
    ]
    for i in range(p):
        pivot = next(k for k in range(i, p) if system[k][i])
        system[i], system[pivot] = system[pivot], system[i]
        system[i] = [value / system[i][i] for value in system[i]]
        for k in range(p):
            if k != i and system[k][i]:
                system[k] = [a - system[k][i] * b for a, b in zip(system[k], system[i], strict=True)]
    return [float(row[-1]) for row in system]


def exact_coefficients():
    """Give the coefficients; the deflator is meant to one decimal."""
    rows = [[Fraction(1), *(Fraction(str(x)) for x in row[1:])] for row in LONGLEY.tolist()]
    return solved(rows, [Fraction(str(row[0])) for row in LONGLEY.tolist()])


def test_nine_digits_of_longley_come_out_of_the_triangle():
    cells = np.roll(LONGLEY, -1, axis=1)  # the response last
    table = MemoryTable(Features(np.ascontiguousarray(cells), numbered(7)))
    units = Units(cells.mean(axis=0), cells.std(axis=0), intercept=True)
    factor = engine_for(table).run(TriangleSweep(units)).factor
    w = la.solve_triangular(factor[:7, :7], factor[:7, 7])
    slopes = w[1:] * units.scale[6] / units.scale[:6]
    lead = units.centre[6] + units.scale[6] * w[0] - slopes @ units.centre[:6]
    known = np.array(exact_coefficients())
    assert abs(known[0] - -3482258.63459582) < 1e-7  # as certified
    digits = -np.log10(np.abs(np.array([lead, *slopes]) / known - 1.0))
    assert digits.min() >= 9
