"""What a fit says where the Gaussian of Laplace's approximation is no likeness of the posterior."""

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.roughness import Roughness
from posteriori.tables.notes import Note

Array = NDArray[np.float64]


def rough_evidence(first: Array, taken: Array, excess: float, separated: bool) -> Note:
    """Say that another precision was taken than that of largest Laplace evidence, and why; (d,) each."""
    one = first[0] == first.min() == first.max()
    before = f"{first[0]:.3g}" if one else f"{first.min():.3g} to {first.max():.3g}"
    after = f"{taken[0]:.3g}" if one else f"{np.max(taken / first):.3g} times that"
    why = (
        "the columns separate the classes, so the rows stay as probable under ever weaker priors, and"
        if separated
        else "the rows would have a weak prior, and"
    )
    return Note(
        code="laplace-rough",
        message=f"{why} at the precision of largest Laplace evidence, {before} on standardised columns, the posterior "
        f"is no Gaussian: {_lost(excess)}. The precision taken is {after}, where the lower bound on the evidence that "
        "the Gaussian gives is largest.",
        cure="The probabilities are cautious; LogisticRegression(prior='evidence') gives those at the mode alone.",
    )


def rough_posterior(found: Roughness) -> Note:
    """Say that the posterior under a given prior is no Gaussian."""
    why = "the columns separate the classes and the prior is weak" if found.separated else "the prior is weak"
    return Note(
        code="laplace-rough",
        message=f"{why}, so the posterior is no Gaussian: {_lost(found.excess)}. Its standard deviations and intervals "
        "are too wide, and its probabilities too near to even.",
        cure="A stronger prior, such as prior=1.0 on standardised columns, prior='evidence', or more rows.",
    )


def _lost(excess: float) -> str:
    return (
        f"from its mode to a draw of the Gaussian about it the log posterior falls by {excess:.3g} more than a "
        "Gaussian's would"
    )
