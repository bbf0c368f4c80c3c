"""Residuals and influence of single rows: leverage, Cook's distance, dfbetas."""

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
    """Compute the residuals of rows with linear predictors eta (n, q) and class counts (n, K).

    With n the total of a row, f_k = n_k / n and p_k the probability: "response" is f_k - p_k; "pearson" is
    (n_k - n p_k) / sqrt(n p_k (1 - p_k)); "deviance" is the root of 2 sum_k n_k log(f_k / p_k), for two classes with
    the sign of the response; "working" is the response divided by dp/deta. Two classes: (n,), of the second class.
    More: (n, K), but (n,) for the deviance.
    """
    choice("kind", kind, RESIDUALS)
    total, two = counts.sum(axis=1, keepdims=True), link.n_classes == 2
    log_p = link.log_probabilities(eta)
    log_not = np.stack([logsumexp(np.delete(log_p, k, axis=1), axis=1) for k in range(link.n_classes)], axis=1)
    frequencies = counts / total
    response: Array = frequencies * np.exp(log_not) - (total - counts) / total * np.exp(log_p)
    if kind == "response":
        return response[:, 1] if two else response
    if kind == "pearson":
        pearson: Array = response * np.exp(0.5 * (np.log(total) - log_p - log_not))
        return pearson[:, 1] if two else pearson
    if kind == "deviance":
        deviance = 2.0 * (xlogy(counts, frequencies) - np.where(counts > 0, counts * log_p, 0.0)).sum(axis=1)
        size: Array = np.sqrt(np.maximum(deviance, 0.0))
        return np.copysign(size, response[:, 1]) if two else size
    if not two:
        raise DataError("working residuals are for one linear predictor: with more than two classes use 'pearson'.")
    # (f - p) / (dp/deta) = f_1 / h_0 - f_0 / h_1, h the slopes of -log p_0 and log p_1: no cancellation in the tails
    slopes = np.abs(unit_scores(link, eta)[:, :, 0])
    with np.errstate(divide="ignore"):
        parts = np.where(frequencies > 0, frequencies / slopes[:, ::-1], 0.0)
    return parts[:, 1] - parts[:, 0]


@dataclass(frozen=True, eq=False)
class Influence:
    """Influence of each row on a fit, by one Newton step from the fit to all rows.

    Parameters
    ----------
    leverage : (n,) the diagonal of the hat matrix, whose sum is the number of coefficients
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
        """Return a frame with one line per row: leverage, Cook's distance and the dfbetas of each coefficient."""
        changes = {f"dfbetas {label}": self.dfbetas[:, j] for j, label in enumerate(self.labels)}
        columns = {"leverage": self.leverage, "cooks_distance": self.cooks_distance, **changes}
        return frame_of(columns, native=native or self.native)


def influence_of(fitted: Fitted, covariance: Array, errors: Array, block: Block) -> Array:
    """Compute leverage, Cook's distance and dfbetas of the rows of a block, (n, 2 + m).

    Without a row its information C is missing from H and its score s from the gradient, so with V = x'H^-1x (q, q) and
    t = (I - C V)^-1 s the coefficients change by H^-1 x t: leverage tr(C V), Cook's distance t'V t / m (Pregibon 1981;
    for two classes r^2 h / ((1 - h)^2 m), r the Pearson residual).
    """
    link = fitted.link
    sweep = InformationSweep(link, fitted.units, fitted.w)
    design, counts = sweep.design(block), block.counts(link.n_classes)
    rows, eta = design.dense(), sweep.eta(design, block)
    score = link.parts(eta, counts, curvature=False).score
    C = link.expected(eta, counts.sum(axis=1))
    q, p = fitted.w.shape
    V = variances(rows, covariance, q)
    CV = C @ V
    t = np.linalg.solve(np.eye(q) - CV, score[:, :, None])[:, :, 0]
    cooks = np.einsum("na,nab,nb->n", t, V, t) / fitted.information.n_free
    change = (t[:, :, None] * rows[:, None, :]).reshape(len(rows), q * p) @ covariance  # b_i - b, units of the fit
    dfbetas = -(change.reshape(-1, q, p) @ fitted.units.jacobian().T).reshape(len(rows), -1) / errors
    return np.column_stack([np.trace(CV, axis1=1, axis2=2), cooks, dfbetas])
