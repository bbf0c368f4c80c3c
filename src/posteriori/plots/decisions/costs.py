"""`CostDisplay`: the mean cost of decisions, as a function of the threshold or by decision rule."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Codes
from posteriori.decisions.cost import suited
from posteriori.decisions.cost_curve import CostCurve, RuleCosts, cost_curve, rule_costs
from posteriori.estimators.wrappers.decision_rules import cost_table
from posteriori.input.classes.class_values import as_objects, same
from posteriori.input.classes.costs import CostTable, read_costs
from posteriori.plots.decisions.decision_display import DecisionDisplay
from posteriori.plots.decisions.predicted_probabilities import PredictedProbabilities
from posteriori.plots.shared.canvas import axes_for, colour, ink
from posteriori.plots.shared.wording import ROOM, plain


class CostDisplay(DecisionDisplay):
    """The mean cost of decisions: by threshold for two classes and two actions, otherwise by decision rule.

    With two classes and two actions, the curve is the mean cost of taking the second action where
    P(``classes_[1]`` | x) is above the threshold. Two thresholds are marked: the one that the costs imply, which is
    optimal if the probabilities are calibrated, and the one of minimum cost on these rows. If they are far apart, the
    probabilities are not calibrated there, or the rows are few and the second is due to chance.

    Otherwise bars show the mean cost of the action of least expected cost, of the most probable class (if the actions
    are classes), and of always taking the same action, which ignores the features.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    curve : CostCurve or None
    rules : {decision rule: mean cost}
    probability : the probability that the threshold applies to, in words
    action : the action taken above the threshold

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    line_, bayes_, best_, span_ : the curve, the marks of the two thresholds, and the interval of thresholds of minimum
        cost; where drawn
    bars_ : the bars, where drawn
    threshold_, best_threshold_ : the threshold that the costs imply, and that of minimum cost on these rows; None with
        bars
    costs_ : {decision rule: mean cost}

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal(500)
    >>> y = np.where(x + rng.logistic(size=500) > 0, "well", "ill")
    >>> model = pt.LogisticRegression().fit(x[:, None], y)
    >>> costs = {"ill": {"ill": 0, "well": 1}, "well": {"ill": 4, "well": 0}}
    >>> display = pt.CostDisplay.from_estimator(model, x[:, None], y, costs=costs)
    >>> display.threshold_, round(display.best_threshold_, 2)
    (0.8, 0.81)
    """

    def __init__(
        self,
        curve: CostCurve | None,
        rules: dict[str, float],
        *,
        probability: str = "P(class 1)",
        action: str = "the second action",
    ) -> None:
        self.curve, self.rules, self.probability, self.action = curve, rules, probability, action

    @classmethod
    def computed(
        cls, predicted: PredictedProbabilities, model: Any = None, *_: Any, costs: Any = None, actions: Any = None
    ) -> Self:
        """Compute the costs of decisions.

        Parameters
        ----------
        predicted : predicted probabilities and true classes
        model : the classifier that predicted them, or None
        costs, actions : as in `CostSensitive`; default those of the model if it has costs, else every error costs one
        """
        own = None if model is None or costs is not None or actions is not None else cost_table(model)
        table = read_costs(costs, actions, predicted.classes) if own is None else own
        p, codes, weights = predicted.probabilities, predicted.codes, predicted.weights
        rules = _named(rule_costs(p, codes, table.values, weights, _own_actions(table, predicted.classes)), table)
        if table.values.shape != (2, 2):
            return cls(None, rules)
        curve = cost_curve(p, codes, table.values, weights, predicted.library)
        action = plain(as_objects(table.actions).tolist()[suited(table.values)], ROOM)
        probability = f"P({plain(predicted.target, ROOM)} = {plain(predicted.labels[1], ROOM)})"
        return cls(curve, rules, probability=probability, action=action)

    @property
    def threshold_(self) -> float | None:
        """The threshold that the costs imply."""
        return None if self.curve is None else self.curve.bayes

    @property
    def best_threshold_(self) -> float | None:
        """The threshold of minimum cost on these rows."""
        return None if self.curve is None else self.curve.best

    @property
    def costs_(self) -> dict[str, float]:
        """The mean cost of each decision rule."""
        return dict(self.rules)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes `ax`, or on new ones."""
        height = 4.4 if self.curve is not None else 1.0 + 0.38 * len(self.rules)
        ax = axes_for(ax, figsize=(6.4, height))
        self.ax_, self.figure_ = ax, ax.figure
        ax.spines[["top", "right"]].set_visible(False)
        if self.curve is None:
            self._draw_rules()
        else:
            self._draw_curve(self.curve)
        return self

    def _draw_curve(self, curve: CostCurve) -> None:
        ax, hue = self.ax_, colour(0)
        threshold, cost = np.append(curve.threshold, 1.0), np.append(curve.cost, curve.cost[-1])
        label = f"“{self.action}” above the threshold"
        (self.line_,) = ax.step(threshold, cost, where="post", color=hue, lw=1.5, label=label)
        self.span_ = ax.axvspan(*curve.best_interval, color=colour(2), alpha=0.25, lw=0)
        (self.bayes_,) = ax.plot(
            [curve.bayes, curve.bayes], [0, curve.bayes_cost], color=colour(1), lw=1.2, ls="--", marker="X",
            markevery=[1], markersize=8, clip_on=False,
            label=f"optimal if calibrated: {curve.bayes:.3g}, cost {curve.bayes_cost:.3g}",
        )  # fmt: skip
        (self.best_,) = ax.plot(
            [curve.best, curve.best], [0, curve.best_cost], color=colour(2), lw=1.2, ls=":", marker="o",
            markevery=[1], markersize=7, clip_on=False,
            label=f"minimum on these rows: {curve.best:.3g}, cost {curve.best_cost:.3g}",
        )  # fmt: skip
        top = float(curve.cost.max())
        ax.set(xlim=(0, 1), ylim=(0, 1.05 * top if top > 0 else 1.0))
        ax.set(xlabel=f"threshold for {self.probability}", ylabel="mean cost per row")
        ax.legend(fontsize="small")

    def _draw_rules(self) -> None:
        ax, values = self.ax_, list(self.rules.values())
        hues = [ink(0.3) if name.startswith("always") else colour(0) for name in self.rules]
        self.bars_ = ax.barh(range(len(values)), values, color=hues, height=0.62)
        ax.bar_label(self.bars_, labels=[f" {value:.3g}" for value in values], fontsize="small")
        ax.set_yticks(range(len(values)), [plain(name, ROOM + 7) for name in self.rules])
        ax.set_ylim(len(values) - 0.5, -0.5)
        ax.margins(x=0.12)
        ax.set(xlim=(0, None), xlabel="mean cost per row")


def _own_actions(table: CostTable, classes: NDArray[Any]) -> Codes | None:
    """Return the index of each class among the actions; None if some class is no action."""
    actions = list(as_objects(table.actions))
    places = [[at for at, action in enumerate(actions) if same(action, label)] for label in as_objects(classes)]
    return np.array([at[0] for at in places], dtype=np.intp) if all(places) else None


def _named(costs: RuleCosts, table: CostTable) -> dict[str, float]:
    """Return the mean cost of each decision rule, by its name."""
    by_class = {} if costs.argmax is None else {"most probable class": costs.argmax}
    actions = as_objects(table.actions).tolist()
    always = {f"always {action}": cost for action, cost in zip(actions, costs.always.tolist(), strict=True)}
    return {"least expected cost": costs.least, **by_class, **always}
