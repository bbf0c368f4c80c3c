"""The performance section of a report: the rows, whether they are training rows, and the scores."""

from typing import Any

import numpy as np

from posteriori.comparisons.comparison import Comparison
from posteriori.comparisons.metrics import METRICS
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Callout, Grid, Part, Text
from posteriori.reports.cross_validation import BASELINE, MODEL
from posteriori.reports.evaluation import Evaluation
from posteriori.reports.formatting import MINUS, NONE, capitalized, count, counted, number, percent, short, some
from posteriori.reports.rows import ScoredRows
from posteriori.reports.scores import Score
from posteriori.reports.training_rows import DESCRIPTIONS

#: Definitions of the scores.
DEFINITIONS = {
    "log_loss": f"mean of {MINUS}log P(true class); lower is better",
    "brier": "mean squared error of the probability, from 0 to 1; lower is better",
    "accuracy": "proportion of rows whose most probable class is the true one; higher is better",
    "calibration_error": "absolute difference between predicted probability and observed frequency, averaged over up "
    "to ten bins of rows; lower is better",
}
#: Definitions for more than two classes, and for models without probabilities.
SUMMED = "squared error of the probabilities, summed over the classes, from 0 to 2; lower is better"
CORRECT = "proportion of rows that are classified correctly; higher is better"
INTERVALS = (
    "Confidence intervals are normal; Wilson intervals for the accuracy. They measure the sampling error of a score on "
    "rows like these, not performance on other populations."
)
#: Results of decisions: label and format.
DECISIONS = {
    "rejected": ("proportion of rows rejected", percent),
    "accuracy_of_the_others": ("accuracy on the others", percent),
    "mean_cost": ("mean cost of the actions", number),
    "mean_cost_of_the_best_single_action": ("mean cost of the best single action for all rows", number),
}


def performance_parts(evaluation: Evaluation, values: bool) -> list[Part]:
    """Return the parts of the section.

    Parameters
    ----------
    evaluation : of the model on rows
    values : whether labels unknown to the model may be named, which are values of rows
    """
    trained, assessment = evaluation.on_training_rows, evaluation.assessment
    title, tone = ("Training scores are optimistic.", "warning") if trained else ("Are these training rows?", "note")
    parts: list[Part] = [
        Text((_rows_text(evaluation.rows, values),)),
        Callout(title, DESCRIPTIONS[evaluation.origin], tone),
    ]
    if evaluation.comparison is None:
        if evaluation.obstacle:
            parts.append(Text((f"There are no cross-validated scores: {escape_controls(evaluation.obstacle)}.",)))
        parts.append(_scores(assessment.scores, len(assessment.frequencies)))
    else:
        itself = "training rows" if trained else "all these rows"
        parts.append(_cross_validated(evaluation.comparison, assessment.scores, itself))
    if assessment.decisions:
        results = [f"{DECISIONS[key][0]}: {DECISIONS[key][1](value)}" for key, value in assessment.decisions.items()]
        parts.append(Text((f"Decisions on these rows: {'; '.join(results)}.",)))
    return parts


def _rows_text(rows: ScoredRows, values: bool) -> str:
    """Describe the rows: how many are scored, why others are excluded, and how many are of each class."""
    n_scored = len(rows.numbers)
    scored = "all scored" if n_scored == rows.n_given else f"{n_scored:,} of them scored"
    sentences = [f"{count(rows.n_given, 'row')}, {scored}."]
    if rows.left_out:
        excluded = [f"{count(n, 'row')} {reason}" for reason, n in rows.left_out.items()]
        sentences.append(f"Excluded: {'; '.join(excluded)}.")
    if rows.unknown:
        names = f": {some(list(rows.unknown))}" if values else ""
        sentences.append(f"{count(len(rows.unknown), 'label')} unknown to the model{names}.")
    totals = np.bincount(rows.codes, rows.weights, len(rows.classes)).tolist()
    classes = [f"{short(label)} ({counted(total)})" for label, total in zip(rows.class_names, totals, strict=True)]
    by_weight = " by weight" if rows.weighted and not rows.are_counts else ""
    sentences.append(f"Classes{by_weight}: {some(classes)}.")
    if rows.are_counts:
        sentences.append(
            f"Rows are class counts: {count(float(rows.copies.sum()), 'case')} in all, each of them one observation."
        )
    elif rows.weighted:
        sentences.append(
            f"Rows are weighted, with total weight {number(float(rows.weights.sum()))}: scores are weighted means, and "
            "intervals are those of the effective number of rows (Kish)."
        )
    return " ".join(sentences)


def score_text(metric: str, value: float) -> str:
    """Format a score: proportions in percent, other scores with four decimals."""
    if METRICS[metric].proportion:
        return percent(value)
    if 0 < value < 0.00005:
        return "< 0.0001"
    return f"{round(value, 4) + 0.0:.4f}" if np.isfinite(value) else number(value)


def _line(title: str, metric: str, score: float, interval: tuple[float, float], *others: float) -> tuple[str, ...]:
    between = " to ".join(score_text(metric, bound) for bound in interval)
    return title, score_text(metric, score), between, *(score_text(metric, other) for other in others)


def _scores(scores: dict[str, Score], n_classes: int) -> Grid:
    lines = [
        _line(METRICS[metric].title(n_classes), metric, score.value, (score.low, score.high), score.baseline)
        for metric, score in scores.items()
    ]
    baseline = "Baseline: always predicts the class frequencies of these rows."
    foot = (_definitions(list(scores), n_classes), baseline, INTERVALS)
    return Grid("Scores on these rows", ("", "score", "95 % CI", "baseline"), tuple(lines), foot=foot)


def _cross_validated(comparison: Comparison, scores: dict[str, Score], itself: str) -> Grid:
    """Return cross-validated scores, beside those of the baseline and those of the model itself on the rows."""
    model, baseline = (comparison.scores_of(name) for name in (MODEL, BASELINE))
    lines = []
    for metric in comparison.metrics:
        line = _line(
            comparison.title(metric), metric, model.scores[metric], model.intervals[metric], baseline.scores[metric]
        )
        lines.append((*line, score_text(metric, scores[metric].value) if metric in scores else NONE))
    difference, folds = comparison.difference(MODEL, BASELINE), comparison.n_folds
    verdict = "not significant" if difference.within_noise else "significant"
    foot = (
        _definitions(list(comparison.metrics), comparison.n_classes),
        f"Cross-validated: the model is fitted to {folds - 1} of {folds} folds and scored on the other one, in turn; "
        f"{count(comparison.n_rows, 'row')} are scored. Baseline: always predicts the class frequencies of those "
        f"{folds - 1} folds.",
        f"Difference from the baseline in {comparison.title(comparison.metrics[0])}: {number(difference.value)} "
        f"(95 % CI {number(difference.low)} to {number(difference.high)}), {verdict} at the 5 % level.",
        INTERVALS,
    )
    header = ("", "cross-validated", "95 % CI", "baseline", itself)
    return Grid(f"Scores by {folds}-fold cross-validation", header, tuple(lines), foot=foot)


def _definitions(metrics: list[str], n_classes: int) -> str:
    definitions: dict[str, Any] = dict(DEFINITIONS)
    if n_classes > 2:
        definitions["brier"] = SUMMED
    if len(metrics) == 1:
        definitions["accuracy"] = CORRECT
    titles = {metric: capitalized(METRICS[metric].title(n_classes)) for metric in metrics}
    return " ".join(f"{title}: {definitions[metric]}." for metric, title in titles.items())
