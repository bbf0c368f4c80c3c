"""`CostDisplay`: what decisions cost, at every threshold or by every rule."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from posteriori.decisions.cost_curve import CostCurve, RuleCosts, cost_curve, rule_costs
from posteriori.decisions.threshold import suited
from posteriori.estimators.wrappers.decision_rules import cost_table
from posteriori.input.classes.class_values import as_objects, same
from posteriori.input.classes.costs import CostTable, read_costs
from posteriori.plots.decisions.predicted_probabilities import Forecasts, ask, forecasts_given, forecasts_of
from posteriori.plots.shared.canvas import axes_for, colour, ink
from posteriori.plots.shared.wording import ROOM, plain


class CostDisplay:
    """The mean cost of a row: of two classes and two actions at every threshold, otherwise by each rule.

    Two classes, two actions: the cost as a function of the level of P(``classes_[1]`` | x) above which the action
    suited to that class is taken. Marked are the level that follows from the costs, which is right where the
    probabilities are, and the level that would have been best on these rows. Far apart, they say that the
    probabilities are not calibrated there; on few rows, that luck has a hand in the second.

    Otherwise bars: the action of least expected cost, the most probable class (where classes are actions), and every
    action taken always: what it costs to know nothing of the row.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    curve : CostCurve or None
    rules : {words: mean cost}
    above : what the threshold is a level of

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    line_, bayes_, best_, span_ : the curve, the marks of the two thresholds, the interval of the best; where drawn
    bars_ : the bars, where drawn
    threshold_, best_threshold_ : the level that follows from the costs, and the best on these rows; None with bars
    costs_ : {rule: mean cost}

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
        above: str = "P(class 1)",
        action: str = "the second action",
    ) -> None:
        self.curve, self.rules, self.above, self.action = curve, rules, above, action

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        costs: Any = None,
        actions: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
        **given: Any,
    ) -> Self:
        """Find what decisions on the probabilities of a fitted classifier cost on some rows, and draw it.

        Parameters
        ----------
        estimator : with ``predict_proba``, of this library or scikit-learn's
        X, y : rows and their classes; y may be the name of a column of X
        costs, actions : as in `CostSensitive`; by default those of the estimator where it is one, else every mistake
            costs one
        sample_weight : (n,) or the name of a column
        ax : matplotlib axes, default new ones
        **given : passed on to the classifier, such as ``offset``
        """
        told = forecasts_of(estimator, ask(X, y, sample_weight, **given))
        table = cost_table(estimator) if costs is None and actions is None else None
        return cls._of(told, read_costs(costs, actions, told.classes) if table is None else table).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        probabilities: Any,
        classes: Any = None,
        *,
        costs: Any = None,
        actions: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw what decisions cost on probabilities that are there already.

        Parameters
        ----------
        y : (n,) classes
        probabilities : (n, K) a column a class; of two classes also (n,), those of the second
        classes : (K,) the labels of the columns, default the distinct ones of y in order
        costs, actions, sample_weight, ax : as in `from_estimator`
        """
        told = forecasts_given(y, probabilities, classes, sample_weight)
        return cls._of(told, read_costs(costs, actions, told.classes)).plot(ax)

    @classmethod
    def _of(cls, told: Forecasts, table: CostTable) -> Self:
        """Find the costs, and draw nothing yet."""
        found = rule_costs(told.probabilities, told.codes, table.values, told.weights, _own(table, told.classes))
        rules = _worded(found, table)
        if table.values.shape != (2, 2):
            return cls(None, rules)
        curve = cost_curve(told.probabilities, told.codes, table.values, told.weights, told.library)
        action = plain(as_objects(table.actions).tolist()[suited(table.values)], ROOM)
        return cls(curve, rules, above=_above(told), action=action)

    @property
    def threshold_(self) -> float | None:
        """The threshold that follows from the costs."""
        return None if self.curve is None else self.curve.bayes

    @property
    def best_threshold_(self) -> float | None:
        """The threshold of least cost on these rows."""
        return None if self.curve is None else self.curve.best

    @property
    def costs_(self) -> dict[str, float]:
        """The mean cost of each rule."""
        return dict(self.rules)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes given, else on new ones."""
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
            label=f"from the costs: {curve.bayes:.3g}, cost {curve.bayes_cost:.3g}",
        )  # fmt: skip
        (self.best_,) = ax.plot(
            [curve.best, curve.best], [0, curve.best_cost], color=colour(2), lw=1.2, ls=":", marker="o",
            markevery=[1], markersize=7, clip_on=False,
            label=f"best on these rows: {curve.best:.3g}, cost {curve.best_cost:.3g}",
        )  # fmt: skip
        top = float(curve.cost.max())
        ax.set(xlim=(0, 1), ylim=(0, 1.05 * top if top > 0 else 1.0))
        ax.set(xlabel=f"threshold of {self.above}", ylabel="mean cost of a row")
        ax.legend(fontsize="small")

    def _draw_rules(self) -> None:
        ax, values = self.ax_, list(self.rules.values())
        always = [name.startswith("always") for name in self.rules]
        hues = [ink(0.3) if plainly else colour(0) for plainly in always]
        self.bars_ = ax.barh(range(len(values)), values, color=hues, height=0.62)
        ax.bar_label(self.bars_, labels=[f" {value:.3g}" for value in values], fontsize="small")
        ax.set_yticks(range(len(values)), [plain(name, ROOM + 7) for name in self.rules])
        ax.set_ylim(len(values) - 0.5, -0.5)
        ax.margins(x=0.12)
        ax.set(xlim=(0, None), xlabel="mean cost of a row")


def _above(told: Forecasts) -> str:
    return f"P({plain(told.target, ROOM)} = {plain(told.labels[1], ROOM)})"


def _own(table: CostTable, classes: NDArray[Any]) -> NDArray[np.intp] | None:
    """Give the action that each class is; None where some class is none."""
    actions = list(as_objects(table.actions))
    places = [[at for at, action in enumerate(actions) if same(action, label)] for label in as_objects(classes)]
    return np.array([at[0] for at in places], dtype=np.intp) if all(places) else None


def _worded(found: RuleCosts, table: CostTable) -> dict[str, float]:
    named = {} if found.argmax is None else {"most probable class": found.argmax}
    constant = {
        f"always {action}": cost
        for action, cost in zip(as_objects(table.actions).tolist(), found.always.tolist(), strict=True)
    }
    return {"least expected cost": found.least, **named, **constant}
