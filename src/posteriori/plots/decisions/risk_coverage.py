"""`RiskCoverageDisplay`: the risk of a classifier that rejects its least confident predictions."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from posteriori.decisions.reject import RiskCoverage, risk_coverage
from posteriori.estimators.wrappers.decision_rules import cost_table, rejected
from posteriori.input.classes.costs import read_costs
from posteriori.messages.errors import DataError
from posteriori.plots.decisions.decision_display import CurvesDisplay
from posteriori.plots.decisions.predicted_probabilities import PredictedProbabilities
from posteriori.plots.decisions.rejection import RejectionRule, losses_of, rejection_rule, rule_label
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.wording import ROOM, plain

#: By what the risk is: the labels of the y axis, and of the point of a rejection rule.
RISKS = {
    "error": ("error rate (selective risk)", "error rate {:.1%}"),
    "cost": ("mean cost (selective risk)", "mean cost {:.3g}"),
}


class RiskCoverageDisplay(CurvesDisplay):
    """The risk-coverage curve: the mean loss on the rows that are not rejected, against their fraction.

    Rows are accepted in decreasing order of confidence, max_k P(k | x); rows of equal confidence together. The curve
    of a useful confidence rises from left to right: the rows rejected first are those predicted wrongly. With
    rejection at random the risk would be constant, at the dotted line.

    Book: [Sugiyama] ch. 28, introduction: rejecting patterns of low reliability.

    Parameters
    ----------
    curves : {name: RiskCoverage}
    rules : {name: RejectionRule} for the models that are a `RejectOption`
    loss : "error" | "cost"

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_, marks_, levels_ : {name: artist}: curves, the rules on them, the risk at full coverage
    area_ : the area under the curve, the mean risk over all coverages; {name: area} for several models

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.5], [4.0], [6.0]], ["a", "a", "b", "a", "b", "b"]
    >>> model = pt.LogisticRegression(prior=0.1).fit(X, y)
    >>> display = pt.RiskCoverageDisplay.from_estimator(pt.RejectOption(model, threshold=0.8), X, y)
    >>> display.curves["RejectOption"].risk.round(2).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.2, 0.33]
    >>> round(display.rules["RejectOption"].coverage, 2), round(display.area_, 4)
    (0.5, 0.0889)
    """

    def __init__(
        self,
        curves: Mapping[str, RiskCoverage],
        rules: Mapping[str, RejectionRule] | None = None,
        *,
        loss: str = "error",
    ) -> None:
        self.curves, self.rules, self.loss = dict(curves), dict(rules or {}), loss

    @classmethod
    def computed(
        cls,
        predicted: PredictedProbabilities,
        *source: Any,
        costs: Any = None,
        actions: Any = None,
        name: str | None = None,
    ) -> Self:
        """Compute the curve of one model; without one, the prediction is the most probable class.

        Parameters
        ----------
        predicted : predicted probabilities and true classes
        source : the classifier that predicted them and its rows, if there are any; the rule of a `RejectOption` is
            marked
        costs, actions : as in `CostSensitive`: the loss is then the cost of the action of least expected cost. Default
            the costs of the model; where it has none, every error costs one
        name : of the curve, default the name of the model's class
        """
        model, rows = source or (None, None)
        table = None if model is None else cost_table(model)
        if costs is not None or actions is not None:
            table = read_costs(costs, actions, predicted.classes)
        losses = losses_of(model, rows, predicted, table)
        curve = risk_coverage(predicted.probabilities, losses, predicted.weights, predicted.library)
        name = name or ("predictions" if model is None else type(model).__name__)
        label = "" if model is None else rule_label(model)
        rules = {}
        if label:
            rules[name] = rejection_rule(predicted, losses, rejected(model, predicted.probabilities), label)
        return cls({name: curve}, rules, loss="error" if table is None else "cost")

    @classmethod
    def together(cls, displays: Sequence[Self]) -> Self:
        """Return one Display with the curves and rules of several, all by costs or all by errors."""
        if len({display.loss for display in displays}) > 1:
            raise DataError("some of the models decide by costs and some by error: pass costs= for all of them.")
        curves = {name: curve for display in displays for name, curve in display.curves.items()}
        rules = {name: rule for display in displays for name, rule in display.rules.items()}
        return cls(curves, rules, loss=displays[0].loss)

    @property
    def area_(self) -> Any:
        """The area under the curve; {name: area} for several models."""
        areas = {name: curve.area for name, curve in self.curves.items()}
        return areas if len(areas) > 1 else next(iter(areas.values()))

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes `ax`, or on new ones."""
        ax = axes_for(ax, figsize=(6.4, 4.4))
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_: dict[str, Any] = {}
        self.marks_: dict[str, Any] = {}
        self.levels_: dict[str, Any] = {}
        before = sum(line.get_drawstyle() == "steps-pre" for line in ax.lines)  # curves that are already there
        for number, (name, curve) in enumerate(self.curves.items(), before):
            self._draw_curve(number, name, curve)
        top = max(float(curve.risk.max()) for curve in self.curves.values())
        top = max(top, ax.get_ylim()[1] / 1.08) if before else top
        ax.set(xlim=(0, 1.01), ylim=(0, 1.08 * top if top > 0 else 1.0), xlabel="coverage", ylabel=RISKS[self.loss][0])
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="best", fontsize="small")
        return self

    def _draw_curve(self, number: int, name: str, curve: RiskCoverage) -> None:
        hue = colour(number)
        coverage, risk = np.append(0.0, curve.coverage), np.append(curve.risk[0], curve.risk)
        label = f"{plain(name, ROOM)}: area {curve.area:.3g}"
        (self.lines_[name],) = self.ax_.step(
            coverage, risk, where="pre", color=hue, lw=1.5, ls=stroke(number), label=label
        )
        self.levels_[name] = self.ax_.axhline(curve.risk[-1], color=hue, lw=0.9, ls=":", alpha=0.8, zorder=1)
        rule = self.rules.get(name)
        if rule is None:
            return
        if not np.isfinite(rule.risk):
            self.ax_.plot([], [], " ", label=f"{rule.label}: rejects all rows")
            return
        risk_label = RISKS[self.loss][1].format(rule.risk)
        (self.marks_[name],) = self.ax_.plot(
            [rule.coverage], [rule.risk], mark(number), color=hue, mec=ink(1.0), markersize=8, zorder=4, clip_on=False,
            label=f"{rule.label}: coverage {rule.coverage:.1%}, {risk_label}",
        )  # fmt: skip
