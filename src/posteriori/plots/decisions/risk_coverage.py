"""`RiskCoverageDisplay`: what refusing the doubtful rows buys."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from posteriori.decisions.reject import RiskCoverage, risk_coverage
from posteriori.estimators.wrappers.decision_rules import cost_table, rejected
from posteriori.input.classes.costs import read_costs
from posteriori.messages.errors import DataError
from posteriori.plots.decisions.predicted_probabilities import ask, forecasts_given, forecasts_of, several
from posteriori.plots.decisions.refusals import Rule, losses_of, rule_of, said
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.wording import ROOM, plain


class RiskCoverageDisplay:
    """The mean loss on the rows that are answered, against their share, as the level of refusal falls.

    Rows are answered from the surest down, by max_k P(k | x); rows of one level are answered together. A useful
    ranking rises from left to right: the rows it refuses first are those it gets wrong. Refusing rows by lot would
    leave the risk where it ends, at the dotted line.

    Book: [Sugiyama] ch. 28, introduction: rejecting patterns of low reliability.

    Parameters
    ----------
    curves : {name: RiskCoverage}
    rules : {name: Rule} where a model is a `RejectOption`, what it does
    loss : what the risk is

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    lines_, marks_, levels_ : {name: artist}: curves, the rules on them, the risk of answering every row
    area_ : the area under the steps, the mean risk over all shares answered; {name: area} of several models

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
        self, curves: Mapping[str, RiskCoverage], rules: Mapping[str, Rule] | None = None, *, loss: str = "error"
    ) -> None:
        self.curves, self.rules, self.loss = dict(curves), dict(rules or {}), loss

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        costs: Any = None,
        actions: Any = None,
        ax: Any = None,
        name: str | None = None,
        **given: Any,
    ) -> Self:
        """Find the curve of a fitted classifier on some rows, and draw it.

        Parameters
        ----------
        estimator : with ``predict_proba``, of this library or scikit-learn's; the rule of a `RejectOption` is marked
        X, y : rows and their classes; y may be the name of a column of X
        sample_weight : (n,) or the name of a column
        costs, actions : as in `CostSensitive`: the loss is then what the action of least expected cost costs. By
            default the costs that the estimator decides by, and where it has none every mistake costs one
        ax : matplotlib axes, default new ones
        name : of the curve, default that of the class
        **given : passed on to the classifier, such as ``offset``
        """
        named = {name or type(estimator).__name__: estimator}
        return cls.from_estimators(
            named, X, y, sample_weight=sample_weight, costs=costs, actions=actions, ax=ax, **given
        )

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        costs: Any = None,
        actions: Any = None,
        ax: Any = None,
        **given: Any,
    ) -> Self:
        """Draw several models over one another.

        Parameters
        ----------
        estimators : {name: fitted classifier}
        X, y, sample_weight, costs, actions, ax, given : as in `from_estimator`
        """
        rows = ask(X, y, sample_weight, **given)
        curves: dict[str, RiskCoverage] = {}
        rules: dict[str, Rule] = {}
        losses = set()
        for name, model in several(estimators).items():
            told = forecasts_of(model, rows)
            asked = costs is not None or actions is not None
            table = read_costs(costs, actions, told.classes) if asked else cost_table(model)
            lost = losses_of(model, rows, told, table)
            losses.add("error" if table is None else "cost")
            curves[name] = risk_coverage(told.probabilities, lost, told.weights, told.library)
            words = said(model)
            if words:
                rules[name] = rule_of(told, lost, rejected(model, told.probabilities), words)
        if len(losses) > 1:
            raise DataError("some of the models decide by costs and some by error: give costs= for all of them.")
        return cls(curves, rules, loss=losses.pop()).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        probabilities: Any,
        classes: Any = None,
        *,
        sample_weight: Any = None,
        costs: Any = None,
        actions: Any = None,
        ax: Any = None,
        name: str = "forecasts",
    ) -> Self:
        """Draw the curve of probabilities that are there already; the most probable class is answered.

        Parameters
        ----------
        y : (n,) classes
        probabilities : (n, K) a column a class; of two classes also (n,), those of the second
        classes : (K,) the labels of the columns, default the distinct ones of y in order
        sample_weight, costs, actions, ax, name : as in `from_estimator`
        """
        told = forecasts_given(y, probabilities, classes, sample_weight)
        asked = costs is not None or actions is not None
        table = read_costs(costs, actions, told.classes) if asked else None
        lost = losses_of(None, None, told, table)
        curve = risk_coverage(told.probabilities, lost, told.weights, told.library)
        return cls({name: curve}, loss="error" if table is None else "cost").plot(ax)

    @property
    def area_(self) -> Any:
        """The area under the curve; of several models {name: area}."""
        areas = {name: curve.area for name, curve in self.curves.items()}
        return areas if len(areas) > 1 else next(iter(areas.values()))

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes given, else on new ones."""
        ax = axes_for(ax, figsize=(6.4, 4.4))
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_: dict[str, Any] = {}
        self.marks_: dict[str, Any] = {}
        self.levels_: dict[str, Any] = {}
        before = sum(line.get_drawstyle() == "steps-pre" for line in ax.lines)  # curves that are there already
        for number, (name, curve) in enumerate(self.curves.items(), before):
            self._curve(number, name, curve)
        top = max(float(curve.risk.max()) for curve in self.curves.values())
        top = max(top, ax.get_ylim()[1] / 1.08) if before else top
        ax.set(xlim=(0, 1.01), ylim=(0, 1.08 * top if top > 0 else 1.0), xlabel="share of the rows that are answered")
        ax.set_ylabel("share of answers that are wrong" if self.loss == "error" else "mean cost of an answer")
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="best", fontsize="small")
        return self

    def _curve(self, number: int, name: str, curve: RiskCoverage) -> None:
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
            self.ax_.plot([], [], " ", label=f"{rule.words}: answers no row")
            return
        wrong = f"{rule.risk:.1%} of them wrong" if self.loss == "error" else f"at {rule.risk:.3g} each"
        (self.marks_[name],) = self.ax_.plot(
            [rule.coverage], [rule.risk], mark(number), color=hue, mec=ink(1.0), markersize=8, zorder=4, clip_on=False,
            label=f"{rule.words}: answers {rule.coverage:.1%}, {wrong}",
        )  # fmt: skip
