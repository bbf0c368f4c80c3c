"""What answers cost, and where the rule stands by which a model refuses to answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.decisions.cost import least_cost
from posteriori.estimators.wrappers.decision_rules import rejected
from posteriori.estimators.wrappers.layers import layers
from posteriori.estimators.wrappers.parts import equal
from posteriori.estimators.wrappers.reject_option import RejectOption
from posteriori.input.classes.costs import CostTable
from posteriori.plots.decisions.predicted_probabilities import Asked, Forecasts


@dataclass(frozen=True)
class Rule:
    """Where the rule of a `RejectOption` stands.

    Parameters
    ----------
    coverage, risk : the share of rows it answers, and the mean loss on those; NaN where it answers none
    words : how it is said
    """

    coverage: float
    risk: float
    words: str


def losses_of(model: Any, rows: Asked | None, told: Forecasts, table: CostTable | None) -> Array:
    """Give what the answer to each row costs, as if it were not refused, (n,); without a model the likeliest class."""
    if table is not None:
        taken: Array = table.values[least_cost(told.probabilities, table.values), told.codes]
        return taken
    if rows is None:
        return np.asarray(argmax(told.probabilities) != told.codes, dtype=np.float64)
    labels = told.classes[told.codes]
    wrong = ~equal(np.asarray(model.predict(rows.X, **rows.given)), labels)
    refused = rejected(model, told.probabilities)
    wrong[refused] = argmax(told.probabilities)[refused] != told.codes[refused]
    return wrong.astype(np.float64)


def said(model: Any) -> str:
    """Say by which rule a model refuses rows; nothing where it has none."""
    rules = []
    for layer in layers(model):
        model = layer.model
        if isinstance(model, RejectOption) and model.threshold is not None:
            rules.append(f"threshold {model.threshold:g}")
        elif isinstance(model, RejectOption) and model.cost is not None:
            rules.append(f"rejecting at cost {model.cost:g}")
    return " and ".join(rules)


def rule_of(told: Forecasts, losses: Array, refused: NDArray[np.bool_], words: str) -> Rule:
    """Find the point of a rule: what it answers, and what that costs."""
    answered = told.mass * ~refused
    share = float(answered.sum() / told.mass.sum())
    return Rule(share, float(answered @ losses / answered.sum()) if share > 0 else np.nan, words)
