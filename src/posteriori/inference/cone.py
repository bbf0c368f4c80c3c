"""The cone of separating directions: {b : A b >= 0}, its interior, and the rows it can never tell.

A row of A is a row of the design, counted for its own class and against another. Let T be the rows that some b of
the cone makes positive, U the rest. Then a single b makes all of T positive and U zero, and by Stiemke's lemma
positive multipliers annihilate the rows of U: each proves that the other's claim is not too large. Within the
space L of directions that leave U alone the cone has an interior, so the coefficients that some b moves are
exactly those that L moves: linear algebra decides, not the vertex at which a programme happens to stop.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import linprog

from posteriori.inference.rational import EXACT_LIMIT, exact_cone

Array = NDArray[np.float64]
Marks = NDArray[np.bool_]

EPS = float(np.finfo(np.float64).eps)
#: Times the rounding of a product that a gain must exceed to be one.
BEYOND = 16.0

#: Entries, in rows whose largest is near one, that the programme's solver would refuse.
SMALL = 1e-9
#: Part of the terms of a sum that may be left where multipliers annihilate them.
AGREES = 1e-12
#: Feasibility tolerances to ask of the solver and bounds on the direction, the next where it gives up.
ATTEMPTS = ((1e-10, None), (1e-9, None), (1e-9, 1e4), (1e-7, 1.0))


@dataclass(frozen=True)
class Cone:
    """A direction inside {b : A b >= 0, E b = 0}, the rows it gains on, and the space L of that cone.

    Parameters
    ----------
    direction : (w,) positive on every row that any direction of the cone is positive on; zero where there is none
    told : (m,) those rows
    space : (w, l) orthonormal basis of L, the directions that leave all other rows, and E, alone
    rough : how far off, relative to its size, rounding may have left a direction of L
    """

    direction: Array
    told: Marks
    space: Array
    rough: float


def cone_of(A: Array, E: Array) -> Cone:
    """Find the cone of A (m, w) under E b = 0: a programme, then what verifies it.

    The programme's told rows must all gain beyond rounding once its direction is projected on L, and its multipliers
    must annihilate the others. Where that fails, as where rows miss a plane by less than a solver's tolerance, a
    small set is decided in fractions, and the others' rows of a large one are given to programmes of their own.
    """
    A = scaled(A)
    direction, claimed, agrees = _programme(A, E)
    direction, told, space, rough = _settled(A, E, direction, claimed)
    certain = agrees and bool((told == claimed).all())
    if not certain and not len(E) and A.size <= EXACT_LIMIT:
        return _exact(A)
    while told.any() and not certain and not told.all():
        others = np.flatnonzero(~told)
        more, gained, certain = _programme(A[others], E)
        if not gained.any():
            break
        gain, change = A[told] @ direction, A[told] @ more
        wider = told.copy()
        wider[others[gained]] = True
        merged = direction + more * (0.5 / max(float(np.max(-change / gain)), 0.5))
        found = _settled(A, E, merged, wider)
        if found[1].sum() <= told.sum():
            break
        direction, told, space, rough = found
    return Cone(direction, told, space, rough)


def _exact(A: Array) -> Cone:
    """Find the cone in fractions; its direction is then as good as floats can write it."""
    direction, told = exact_cone(A)
    space, _ = null_basis(A[~told])
    return Cone(direction, told, space, BEYOND * EPS * np.sqrt(A.shape[1]))


def scaled(A: Array) -> Array:
    """Give the rows times powers of two that bring their largest entries near one: the cone stays, exactly."""
    peaks = np.abs(A).max(axis=1, initial=0.0)
    level: Array = np.ldexp(A, -np.frexp(peaks)[1][:, None])
    return level


def null_basis(M: Array) -> tuple[Array, float]:
    """Give an orthonormal basis (w, l) of the directions that M (m, w) takes to zero, and how rough it is.

    Its vectors are known up to eps times the largest singular value over the least that is not zero.
    """
    width = M.shape[1]
    blur = BEYOND * EPS * np.sqrt(width)
    if len(M) > width:
        (M,) = la.qr(M, mode="r", check_finite=False)
        M = M[:width]
    if not M.size:
        return np.eye(width), blur
    _, values, rows = la.svd(M, full_matrices=True, check_finite=False)
    rank = int((values > blur * values[0]).sum()) if values[0] > 0 else 0
    basis: Array = rows[rank:].T
    return basis, float(blur * values[0] / values[rank - 1]) if rank else blur


def _programme(A: Array, E: Array) -> tuple[Array, Marks, bool]:
    """Solve max sum t, 0 <= t <= 1, A b >= t, E b = 0; give b, the rows with t > 0, and whether the dual agrees.

    At the optimum t is 1 on every row that can gain, for b may be long. The dual's multipliers are at least 1 on
    the others and annihilate them.
    """
    m, width = A.shape
    large = np.where(np.abs(A) > SMALL, A, 0.0)  # what is dropped comes back when the direction is verified
    upper = sp.hstack([sp.csr_array(-large), sp.eye_array(m)], format="csr")
    equal = sp.hstack([sp.csr_array(E), sp.csr_array((len(E), m))], format="csr") if len(E) else None
    for tolerance, most in ATTEMPTS:
        result = linprog(
            np.concatenate([np.zeros(width), -np.ones(m)]),
            A_ub=upper,
            b_ub=np.zeros(m),
            A_eq=equal,
            b_eq=np.zeros(len(E)) if len(E) else None,
            bounds=[(None if most is None else -most, most)] * width + [(0.0, 1.0)] * m,
            method="highs",
            options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
        )
        if result.x is not None:
            break
    else:
        return np.zeros(width), np.zeros(m, dtype=bool), False
    told = result.x[width:] > (0.5 if most is None else 1e3 * tolerance)
    multipliers = np.maximum(-np.asarray(result.ineqlin.marginals), 0.0) * ~told
    left = A.T @ multipliers
    if len(E):
        left = left + E.T @ np.asarray(result.eqlin.marginals) * -1.0
    size = np.abs(A).T @ multipliers
    agrees = most is None and bool((multipliers[~told] > 0.5).all() and (np.abs(left) <= AGREES * (1.0 + size)).all())
    return np.asarray(result.x[:width], dtype=np.float64), told, agrees


def _settled(A: Array, E: Array, direction: Array, told: Marks) -> tuple[Array, Marks, Array, float]:
    """Project the direction on the space that leaves untold rows alone, dropping rows that then gain nothing."""
    sizes = np.abs(A).sum(axis=1)
    while True:
        space, rough = null_basis(np.vstack([A[~told], E]))
        direction = space @ (space.T @ direction)
        weak = told & (A @ direction <= rough * sizes * np.abs(direction).max(initial=0.0))
        if not weak.any():
            return direction, told, space, rough
        told = told & ~weak
