"""Filip's regression (NIST StRD, higher difficulty): a polynomial of degree ten, whose columns are nearly dependent."""

from fractions import Fraction

import numpy as np
import scipy.linalg as la

from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.sweeps.sample import TriangleSweep
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import numbered
from tests.golden.test_longley import solved

#: y and x of the 82 observations (A. Filippelli, NIST).
FILIP = """
0.8116 -6.860120914  0.9072 -4.324130045  0.9052 -4.358625055  0.9039 -4.358426747  0.8053 -6.955852379
0.8377 -6.661145254  0.8667 -6.355462942  0.8809 -6.118102026  0.7975 -7.115148017  0.8162 -6.815308569
0.8515 -6.519993057  0.8766 -6.204119983  0.8885 -5.853871964  0.8859 -6.109523091  0.8959 -5.79832982
0.8913 -5.482672118  0.8959 -5.171791386  0.8971 -4.851705903  0.9021 -4.517126416  0.909 -4.143573228
0.9139 -3.709075441  0.9199 -3.499489089  0.8692 -6.300769497  0.8872 -5.953504836  0.89 -5.642065153
0.891 -5.031376979  0.8977 -4.680685696  0.9035 -4.329846955  0.9078 -3.928486195  0.7675 -8.56735134
0.7705 -8.363211311  0.7713 -8.107682739  0.7736 -7.823908741  0.7775 -7.522878745  0.7841 -7.218819279
0.7971 -6.920818754  0.8329 -6.628932138  0.8641 -6.323946875  0.8804 -5.991399828  0.7668 -8.781464495
0.7633 -8.663140179  0.7678 -8.473531488  0.7697 -8.247337057  0.77 -7.971428747  0.7749 -7.676129393
0.7796 -7.352812702  0.7897 -7.072065318  0.8131 -6.774174009  0.8498 -6.478861916  0.8741 -6.159517513
0.8061 -6.835647144  0.846 -6.53165267  0.8751 -6.224098421  0.8856 -5.910094889  0.8919 -5.598599459
0.8934 -5.290645224  0.894 -4.974284616  0.8957 -4.64454848  0.9047 -4.290560426  0.9129 -3.885055584
0.9209 -3.408378962  0.9219 -3.13200249  0.7739 -8.726767166  0.7681 -8.66695597  0.7665 -8.511026475
0.7703 -8.165388579  0.7702 -7.886056648  0.7761 -7.588043762  0.7809 -7.283412422  0.7961 -6.995678626
0.8253 -6.691862621  0.8602 -6.392544977  0.8809 -6.067374056  0.8301 -6.684029655  0.8664 -6.378719832
0.8834 -6.065855188  0.8898 -5.752272167  0.8964 -5.132414673  0.8963 -4.811352704  0.9074 -4.098269308
0.9119 -3.66174277  0.9228 -3.2644011
"""


def powers():
    """Give x, x^2, …, x^10 and y, (82, 11)."""
    y, x = np.array(FILIP.split(), dtype=np.float64).reshape(-1, 2).T
    return np.column_stack([*(x**k for k in range(1, 11)), y])


def test_seven_digits_of_filip_come_out_of_the_triangle():
    cells = powers()
    assert cells.shape == (82, 11)
    table = MemoryTable(Features(np.ascontiguousarray(cells), numbered(11)))
    units = Units(cells.mean(axis=0), cells.std(axis=0), intercept=True)
    factor = engine_for(table).run(TriangleSweep(units)).factor
    w = la.solve_triangular(factor[:11, :11], factor[:11, 11])
    slopes = w[1:] * units.scale[10] / units.scale[:10]
    lead = units.centre[10] + units.scale[10] * w[0] - slopes @ units.centre[:10]
    texts = np.array(FILIP.split()).reshape(-1, 2)
    known = np.array(
        solved(
            [[Fraction(1), *(Fraction(x) ** k for k in range(1, 11))] for x in texts[:, 1].tolist()],
            map(Fraction, texts[:, 0].tolist()),
        )
    )
    assert abs(known[0] - -1467.48961422980) < 1e-9  # as certified
    digits = -np.log10(np.abs(np.array([lead, *slopes]) / known - 1.0))
    assert digits.min() >= 7
