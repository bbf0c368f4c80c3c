"""`Information`: the curvature of a fit's likelihood, for inference."""

from dataclasses import InitVar, dataclass, replace

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.designs.units import TriangularUnits, Units
from posteriori.linalg.subspaces import column_space
from posteriori.links.base import LinkFunction
from posteriori.models.sketch import Sketch
from posteriori.priors.quadratic import Quadratic
from posteriori.storable import storable

#: Coefficients up to which a model file contains the information.
STORED = 2000


@storable
@dataclass(frozen=True)
class Sums:
    """Sums over the rows at the maximum, (m, m) each: coefficients are contrasts, in the units of the fit.

    `meat` is the scatter of the scores of single trials, `by_rows` that of the scores of rows; None where the rows
    have one class each and the two are the same.
    """

    observed: Array
    expected: Array
    meat: Array
    by_rows: Array | None = None

    def check(self, where: str) -> None:
        """Raise unless matrices are symmetric, and positive semidefinite where they are sums of squares."""
        for name in ("observed", "expected", "meat", "by_rows"):
            matrix = getattr(self, name)
            if matrix is not None:
                require.close(matrix, matrix.T, f"{where}.{name}", "is not symmetric",
                            rtol=1e-9, atol=1e-9 * float(np.abs(matrix).max(initial=0.0)))  # fmt: skip
            if matrix is not None and name != "observed":  # which is indefinite where the likelihood is not concave
                require.covariances(matrix, f"{where}.{name}")


@storable
@dataclass(frozen=True)
class Information:
    """The curvature of a fit, in contrasts to the reference class and in the units of the fit.

    m = (K - 1) p coefficients, class by class, the intercept first.

    Parameters
    ----------
    loss : minus the log likelihood of the rows, without binomial coefficients
    n_rows : rows of positive weight
    n_free : coefficients that the data (and a prior) identify
    totals : (K,) weight of each class
    scale : factor of model-based covariances: 1, or the mean of sampling weights
    aliased : (m, a) orthonormal directions along which the likelihood is flat
    vanished : (m, b) orthonormal directions along which it increases without end
    infinite : (m,) a code of `recession` for each contrast, in the user's units: 0 where it has a finite estimate
    prior : the quadratic penalty on the link's own coefficients, None where there is none
    jeffreys : whether the fit maximised the likelihood times Jeffreys' prior
    sums : None where they were not summed in fit
    triangle : R (p, p) where columns are nearly dependent: sums are then over R times each contrast, in which they can
        be inverted without loss
    n_copies : rows counted by their frequency weights; None in files of versions that did not count them
    pairs : (K (K - 1) / 2, p) codes of all pairs of classes (`recession.Recession`); None where nothing is separated,
        and in files written before there were any
    directions : (m, g) directions along which no row's likelihood falls, whose signs are the codes of `pairs` and of
        the estimates by class; None where floats do not show them, and in files written before there were any
    sketch : identifies nested fits; None for many rows. It is not a field, so that model files, which contain nothing
        of single rows, do not contain it
    """

    loss: float
    n_rows: int
    n_free: int
    totals: Array
    scale: float
    aliased: Array
    vanished: Array
    infinite: NDArray[np.int8]
    prior: Quadratic | None
    jeffreys: bool
    sums: Sums | None
    triangle: Array | None = None
    n_copies: float | None = None
    pairs: NDArray[np.int8] | None = None
    directions: Array | None = None
    sketch: InitVar[Sketch | None] = None

    def __post_init__(self, sketch: Sketch | None) -> None:
        object.__setattr__(self, "sketch", sketch)

    @property
    def known_sketch(self) -> Sketch | None:
        """The sketch, where there is one."""
        sketch: Sketch | None = vars(self).get("sketch")
        return sketch

    @property
    def one_class_per_row(self) -> bool:
        """Whether each row is known to have one class: its scores were then summed once, by rows and by trials."""
        return self.sums is not None and self.sums.by_rows is None and self.n_copies is not None

    @property
    def null(self) -> Array:
        """Directions without a finite, unique estimate, (m, a + b)."""
        return joined(self.aliased, self.vanished) if self.vanished.shape[1] else self.aliased

    def reparameterised(self, n_scores: int) -> "Information":
        """Return the same in the coordinates of the sums; `n_scores` are those of the link of the fit."""
        R = self.triangle
        if R is None:
            return self
        contrasts_of = np.kron(np.eye(len(self.infinite) // len(R)), R)
        vanished = la.orth(contrasts_of @ self.vanished) if self.vanished.shape[1] else self.vanished
        prior = None if self.prior is None else self.prior.reparameterise(R, n_scores)
        return replace(self, vanished=vanished, prior=prior)

    def for_storage(self) -> "Information":
        """Return the part that a model file contains: sums only where they are small."""
        return self if len(self.infinite) <= STORED else replace(self, sums=None)

    def check(self, where: str) -> None:
        """Raise unless all parts are over the same coefficients."""
        m, R = len(self.infinite), self.triangle
        if not 0 < self.totals.sum() < np.inf:
            fail(f"{where}.totals", "are not weights of classes")
        for name in ("aliased", "vanished"):
            directions = getattr(self, name)
            require.close(directions.T @ directions, np.eye(directions.shape[1]), f"{where}.{name}",
                        "contains directions that are not orthonormal", atol=1e-6)  # fmt: skip
        if R is not None and (len(R) == 0 or m % len(R) or not np.diagonal(R).all()):
            fail(f"{where}.triangle", "is not for the model's coefficients, or singular")
        if self.sums is not None and len(self.sums.observed) != m:
            fail(f"{where}.sums", f"are over {len(self.sums.observed)} coefficients, not {m}")


def in_triangle(units: Units, w: Array, triangle: Array | None) -> tuple[Units, Array]:
    """Return units and coefficients (q, p) in the coordinates of the sums."""
    if triangle is None:
        return units, w
    return TriangularUnits(units.centre, units.scale, units.intercept, triangle), w @ triangle.T


def contrasts(link: LinkFunction, w: Array) -> Array:
    """Return coefficients (q, p) of a link as contrasts to the reference class, (K - 1, p)."""
    target = link.as_contrasts()
    return w if target is link else target.contrast(w)


def is_sampling(weights: str) -> bool:
    """Return whether `weights` of a model says that they are sampling weights, by the name of today or of earlier."""
    return weights in ("sampling", "importance")


def joined(first: Array, second: Array) -> Array:
    """Return an orthonormal basis of the span of two sets of directions of about unit length."""
    return column_space(np.column_stack([first, second]), 1e-8)


def distance_from(null: Array, directions: Array) -> float:
    """Return the largest relative distance of directions (m, g) from the span of an orthonormal basis (m, b)."""
    rest = np.abs(directions - null @ (null.T @ directions)).max(axis=0)
    return float((rest / np.abs(directions).max(axis=0)).max())
