"""Pseudo R squared: McFadden's and Tjur's."""

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.messages.errors import DataError
from posteriori.models.likelihoods import Likelihoods
from posteriori.models.linear_scores import LinearScores
from posteriori.tables.block import Block


def mcfadden(likelihoods: Likelihoods) -> float:
    """Return 1 - log L / log L_0 (McFadden 1974), both without binomial coefficients; NaN where log L_0 is zero."""
    null_loss = likelihoods.null_loss  # zero where an offset alone separates the classes
    return 1.0 - likelihoods.loss / null_loss if null_loss > 0 else np.nan


def fitted_probabilities(fitted: Fitted, block: Block) -> Array:
    """Return the class counts and the probability of the second class of each row, (n, 3)."""
    log_p = fitted.link.log_probabilities(LinearScores(fitted.units, fitted.w)(block))
    return np.column_stack([block.counts(len(fitted.classes)), np.exp(log_p[:, 1])])


def tjur(fitted: Fitted, rows: Array) -> float:
    """Return the mean probability of class 1 over its rows minus that over the others (Tjur 2009); rows as above."""
    if len(fitted.classes) != 2:
        raise DataError(f"Tjur's R squared is for two classes; there are {len(fitted.classes)}. Use 'mcfadden'.")
    n0, n1, p = rows.T
    if not (n0.any() and n1.any()):
        raise DataError("Tjur's R squared needs rows of both classes.")
    return float(n1 @ p / n1.sum() - n0 @ p / n0.sum())
