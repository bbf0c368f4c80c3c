"""The loss of each prediction, and the coverage and risk of the rule by which a model rejects rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.decisions.argmax import argmax
from posteriori.decisions.cost import least_cost
from posteriori.estimators.scoring import equal_labels
from posteriori.estimators.wrappers.decision_rules import rejected
from posteriori.estimators.wrappers.layers import layers
from posteriori.estimators.wrappers.reject_option import RejectOption
from posteriori.input.classes.costs import CostTable
from posteriori.input.labelled_data import LabelledData
from posteriori.plots.decisions.predicted_probabilities import PredictedProbabilities


@dataclass(frozen=True)
class RejectionRule:
    """Coverage and risk of the rule of a `RejectOption`.

    Parameters
    ----------
    coverage : fraction of the rows that are not rejected
    risk : mean loss on those rows; NaN if all are rejected
    label : the rule in words
    """

    coverage: float
    risk: float
    label: str


def losses_of(
    model: Any, rows: LabelledData | None, predicted: PredictedProbabilities, costs: CostTable | None
) -> Array:
    """Return the loss of each prediction if no row is rejected, (n,); without a model, of the most probable class."""
    if costs is not None:
        losses: Array = costs.values[least_cost(predicted.probabilities, costs.values), predicted.codes]
        return losses
    wrong = np.asarray(argmax(predicted.probabilities) != predicted.codes)
    if rows is not None:
        own = ~equal_labels(np.asarray(model.predict(rows.X, **rows.extra)), predicted.classes[predicted.codes])
        wrong = np.where(rejected(model, predicted.probabilities), wrong, own)
    return wrong.astype(np.float64)


def rule_label(model: Any) -> str:
    """Return the rules by which a model rejects rows, in words; empty if it rejects none."""
    rules = []
    for layer in layers(model):
        option = layer.model
        if isinstance(option, RejectOption) and option.threshold is not None:
            rules.append(f"threshold {option.threshold:g}")
        elif isinstance(option, RejectOption) and option.cost is not None:
            rules.append(f"rejection cost {option.cost:g}")
    return " and ".join(rules)


def rejection_rule(predicted: PredictedProbabilities, losses: Array, mask: Mask, label: str) -> RejectionRule:
    """Compute coverage and risk of a rule from the rows that it rejects."""
    accepted = predicted.row_weights * ~mask
    coverage = float(accepted.sum() / predicted.row_weights.sum())
    return RejectionRule(coverage, float(accepted @ losses / accepted.sum()) if coverage > 0 else np.nan, label)
