"""How good a model is on rows, as parts of a report: which rows, whether it was fitted to them, and scores."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.comparisons.comparison import Comparison
from posteriori.comparisons.metrics import METRICS
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Callout, Grid, Part, Text
from posteriori.reports.formatting import NONE, count, number, percent, short, some
from posteriori.reports.held_out import BASELINE, MODEL
from posteriori.reports.rows import Scored
from posteriori.reports.scores import Assessment, Score
from posteriori.reports.training_rows import LIKELY, TRAINING, WORDS

#: What a score measures.
MEANINGS = {
    "log_loss": "the mean of -log P(true class), smaller is better",
    "brier": "the mean squared error of the probability, 0 to 1, smaller is better",
    "accuracy": "the share of rows whose most probable class is the true one, larger is better",
    "calibration_error": "the gap between probability and frequency, averaged over up to ten bins of rows, smaller is "
    "better",
}
#: What the Brier score measures where there are more than two classes.
SUMMED = "the mean squared error of the probabilities, summed over the classes, 0 to 2, smaller is better"
PLAIN = "the share of rows that are answered rightly, larger is better"
INTERVALS = (
    "Intervals are normal, Wilson's for a share. They tell how sure a score is on such rows, not how good the model is "
    "on others."
)


@dataclass(frozen=True)
class Judgement:
    """All that was found out about a model on rows.

    Parameters
    ----------
    rows, found : what was scored, and how well
    origin : whether the rows are those of the fit
    compared : a cross-validation on the same rows, or None
    why_not : why there is none
    """

    rows: Scored
    found: Assessment
    origin: str
    compared: Comparison | None
    why_not: str


def judged_parts(model: Any, told: Judgement, values: bool) -> list[Part]:
    """Lay out which rows were scored, the caveat, and the scores.

    Parameters
    ----------
    values : whether labels that the model does not know may be named: they are values of rows
    """
    trained = told.origin in (TRAINING, LIKELY)
    parts: list[Part] = [
        Text((_which(model, told, values),)),
        Callout("Scores on training rows flatter." if trained else "Which rows are these?", WORDS[told.origin],
                "warning" if trained else "note"),
    ]  # fmt: skip
    if told.compared is None:
        parts += (
            [Text((f"There are no cross-validated scores: {escape_controls(told.why_not)}.",))] if told.why_not else []
        )
        parts.append(_scores(told.found.scores, len(told.found.shares)))
    else:
        parts.append(_held_out(told.compared, told.found.scores, "rows of the fit" if trained else "all these rows"))
    if told.found.decided:
        parts.append(_decided(told.found.decided))
    return parts


def _which(model: Any, told: Judgement, values: bool) -> str:
    rows = told.rows
    sentences = [f"{count(rows.n_given, 'row')} given, {count(len(rows.numbers), 'row')} scored."]
    if rows.left_out:
        left = [f"{count(n, 'row')} {reason}" for reason, n in rows.left_out.items()]
        sentences.append(f"Left out: {'; '.join(left)}.")
    if rows.unknown:
        named = f": {some(list(rows.unknown))}" if values else ""
        sentences.append(f"{count(len(rows.unknown), 'label')} that the model does not know{named}.")
    totals = np.bincount(rows.codes, rows.weights, len(model.classes_)).tolist()
    each = [
        f"{counted(n)} of class {short(label)}"
        for label, n in zip(np.asarray(model.classes_).tolist(), totals, strict=True)
    ]
    counts = len(rows.places) != len(rows.numbers)
    sentences.append(f"They are{', by weight,' if rows.weighted and not counts else ''} {some(each)}.")
    if counts:
        sentences.append(f"Rows are counts, of {count(float(rows.copies.sum()), 'case')} in all; each counts as one.")
    elif rows.weighted:
        sentences.append(
            f"They have weights, {number(float(rows.weights.sum()))} in all; scores are weighted means, and intervals "
            "those of as many equal rows as tell the same (Kish)."
        )
    return " ".join(sentences)


def counted(n: float) -> str:
    """Word a count, which weights may have made a fraction."""
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.6g}"


def words_of(metric: str, value: float) -> str:
    """Word a score: shares in percent, the others to four decimals."""
    if METRICS[metric].proportion:
        return percent(value)
    if 0 < value < 0.00005:
        return "< 0.0001"
    return f"{round(value, 4) + 0.0:.4f}" if np.isfinite(value) else number(value)


def _interval(metric: str, low: float, high: float) -> str:
    return f"{words_of(metric, low)} to {words_of(metric, high)}"


def _scores(scores: dict[str, Score], n_classes: int) -> Grid:
    lines = tuple(
        (
            METRICS[metric].title(n_classes),
            words_of(metric, score.value),
            _interval(metric, score.low, score.high),
            words_of(metric, score.baseline),
        )
        for metric, score in scores.items()
    )
    shares = "Class shares: the scores of always forecasting the shares of the classes among these rows."
    header = ("", "score", "95 % interval", "class shares")
    return Grid("Scores on the rows given", header, lines, foot=(_meanings(list(scores), n_classes), shares, INTERVALS))


def _held_out(compared: Comparison, seen: dict[str, Score], itself: str) -> Grid:
    """Lay out scores of a cross-validation, beside those of the model itself and those of the class shares."""
    model, shares = (compared.scores_of(name) for name in (MODEL, BASELINE))
    lines = tuple(
        (
            compared.title(metric),
            words_of(metric, model.scores[metric]),
            _interval(metric, *model.intervals[metric]),
            words_of(metric, shares.scores[metric]),
            words_of(metric, seen[metric].value) if metric in seen else NONE,
        )
        for metric in compared.metrics
    )
    apart = compared.difference(MODEL, BASELINE)
    verdict = "within noise" if apart.within_noise else "more than chance would give"
    foot = (
        _meanings(list(compared.metrics), compared.n_classes),
        f"Held out: clones of the model were fitted to {compared.n_folds - 1} of {compared.n_folds} parts of the rows "
        f"and scored on the rest, {count(compared.n_rows, 'row')} in all; so were the class shares.",
        f"In {compared.title(compared.metrics[0])} the model differs from the class shares by {number(apart.value)} "
        f"(95 % interval {number(apart.low)} to {number(apart.high)}): {verdict}.",
        INTERVALS,
    )
    header = ("", "held out", "95 % interval", "class shares", itself)
    return Grid(f"Scores by {compared.n_folds}-fold cross-validation", header, lines, foot=foot)


def _meanings(metrics: list[str], n_classes: int) -> str:
    meant = MEANINGS | ({"brier": SUMMED} if n_classes > 2 else {}) | ({"accuracy": PLAIN} if len(metrics) == 1 else {})
    told = "; ".join(f"{METRICS[metric].title(n_classes)}: {meant[metric]}" for metric in metrics)
    return f"{told[0].upper()}{told[1:]}."


def _decided(decided: dict[str, float]) -> Text:
    names = {
        "rejected": ("share of rows rejected", percent),
        "accuracy_of_the_others": ("share of the others answered rightly", percent),
        "mean_cost": ("mean cost of the actions taken", number),
        "mean_cost_of_the_best_single_action": ("mean cost of the best single action for all", number),
    }
    told = [f"{names[key][0]}: {names[key][1](value)}" for key, value in decided.items()]
    return Text((f"Decisions on these rows: {'; '.join(told)}.",))
