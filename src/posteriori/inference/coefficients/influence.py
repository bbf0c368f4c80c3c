"""What single rows do to a fit: residuals, leverage, Cook's distance, changes of coefficients."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp, xlogy

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.probability_intervals import variances
from posteriori.input.frames.native import frame_of
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.sweeps.information import InformationSweep, unit_scores
from posteriori.tables.block import Block

RESIDUALS = ("deviance", "pearson", "response", "working")


def residuals(link: LinkFunction, eta: Array, counts: Array, kind: str) -> Array:
    """Give the residuals of rows with predictors eta (n, q) and class counts (n, K).

    With n a row's total, f_k = n_k / n and p_k the probability: response f_k - p_k; pearson
    (n_k - n p_k) / sqrt(n p_k (1 - p_k)); deviance the root of 2 sum_k n_k log(f_k / p_k), with the sign of the
    response where there are two classes; working the response over dp/deta. Two classes: (n,), of the second class.
    More: (n, K), but (n,) for the deviance.
    """
    choice("kind", kind, RESIDUALS)
    total = counts.sum(axis=1, keepdims=True)
    log_p = link.log_probabilities(eta)
    log_not = np.stack([logsumexp(np.delete(log_p, k, axis=1), axis=1) for k in range(link.n_classes)], axis=1)
    share = counts / total
    response: Array = share * np.exp(log_not) - (total - counts) / total * np.exp(log_p)
    two = link.n_classes == 2
    if kind == "response":
        return response[:, 1] if two else response
    if kind == "pearson":
        pearson: Array = response * np.exp(0.5 * (np.log(total) - log_p - log_not))
        return pearson[:, 1] if two else pearson
    if kind == "deviance":
        gap = (xlogy(counts, share) - np.where(counts > 0, counts * log_p, 0.0)).sum(axis=1)
        size: Array = np.sqrt(2.0 * np.maximum(gap, 0.0))
        return np.copysign(size, response[:, 1]) if two else size
    if not two:
        raise DataError("working residuals are of one predictor: with more than two classes use 'pearson'.")
    # (f - p) / (dp/deta) = f_1 / h_0 - f_0 / h_1, h the slopes of -log p_0 and log p_1: nothing cancels in the tails
    slopes = np.abs(unit_scores(link, eta)[:, :, 0])
    with np.errstate(divide="ignore"):
        parts = np.where(share > 0, share / slopes[:, ::-1], 0.0)
    return parts[:, 1] - parts[:, 0]


@dataclass(frozen=True, eq=False)
class Influence:
    """What each row does to a fit, by one Newton step from the fit with all rows.

    Parameters
    ----------
    leverage : (n,) the diagonal of the hat matrix; it sums to the number of coefficients
    cooks_distance : (n,) (b - b_i)' H (b - b_i) / m, b_i the coefficients without the row
    dfbetas : (n, m) b - b_i in standard errors of the fit
    labels : names of the m coefficients
    """

    leverage: Array
    cooks_distance: Array
    dfbetas: Array
    labels: tuple[str, ...]
    native: str | None = None

    def __repr__(self) -> str:
        top = np.argsort(-self.cooks_distance, kind="stable")[:3]
        rows = ", ".join(f"row {i} ({self.cooks_distance[i]:.3g})" for i in top)
        return f"Influence of {len(self.leverage)} rows; largest Cook's distances: {rows}"

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame: a row for each row, leverage, Cook's distance, and the change of each coefficient."""
        changes = {f"dfbetas {label}": self.dfbetas[:, j] for j, label in enumerate(self.labels)}
        columns = {"leverage": self.leverage, "cooks_distance": self.cooks_distance, **changes}
        return frame_of(columns, native=native or self.native)


def influence_of(fitted: Fitted, covariance: Array, errors: Array, block: Block) -> Array:
    """Give leverage, Cook's distance and dfbetas of the rows of a block, (n, 2 + m).

    Deleting a row takes its information C from H and its score s from the gradient, so with V = x'H^-1x (q, q) and
    t = (I - C V)^-1 s the coefficients move by H^-1 x t: leverage tr(C V), Cook's distance t'V t / m (Pregibon 1981;
    for two classes r^2 h / ((1 - h)^2 m), r the Pearson residual).
    """
    link = fitted.link
    sweep = InformationSweep(link, fitted.units, fitted.w, 0)
    design, counts = sweep.design(block), block.counts(link.n_classes)
    rows, eta = design.dense(), sweep.eta(design, block)
    score = link.parts(eta, counts, curvature=False).score
    C = link.expected(eta, counts.sum(axis=1))
    q, p = fitted.w.shape
    V = variances(rows, covariance, q)
    CV = C @ V
    t = np.linalg.solve(np.eye(q) - CV, score[:, :, None])[:, :, 0]
    cooks = np.einsum("na,nab,nb->n", t, V, t) / fitted.information.n_free
    moved = (t[:, :, None] * rows[:, None, :]).reshape(len(rows), q * p) @ covariance  # b_i - b, in units
    dfbetas = -(moved.reshape(-1, q, p) @ fitted.units.jacobian().T).reshape(len(rows), -1) / errors
    return np.column_stack([np.trace(CV, axis1=1, axis2=2), cooks, dfbetas])
