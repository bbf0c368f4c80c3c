"""The performance section of a report: the rows, whether they are training rows, and the scores."""

from typing import Any

import numpy as np

from posteriori.comparisons.metrics import METRICS
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Callout, Part, ReportTable, Text
from posteriori.reports.cross_validation import CrossValidation
from posteriori.reports.evaluation import Evaluation
from posteriori.reports.formatting import MINUS, capitalized, count, counted, number, percent, short, some
from posteriori.reports.rows import ScoredRows
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
    if evaluation.obstacle:
        parts.append(Text((f"There are no cross-validated scores: {escape_controls(evaluation.obstacle)}.",)))
    parts.append(_scores(evaluation))
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


def _scores(evaluation: Evaluation) -> ReportTable:
    """Return the scores beside those of the baseline: cross-validated ones, if there are any, and those on the rows."""
    validation, on_rows = evaluation.cross_validation, evaluation.assessment.scores
    scores, n_classes = on_rows, len(evaluation.rows.classes)
    caption = "Scores on these rows"
    header: tuple[str, ...] = ("", "score", "95 % CI", "baseline")
    notes = ["Baseline: always predicts the class frequencies of these rows."]
    if validation is not None:
        scores, n_classes = validation.scores, validation.comparison.n_classes
        caption = f"Scores by {validation.comparison.n_folds}-fold cross-validation"
        itself = "training rows" if evaluation.on_training_rows else "all these rows"
        header = ("", "cross-validated", "95 % CI", "baseline", itself)
        notes = _cross_validation_notes(validation)
    lines = []
    for metric, score in scores.items():
        texts = [score_text(metric, value) for value in (score.value, score.low, score.high, score.baseline)]
        title = METRICS[metric].title(n_classes)
        line = (title, texts[0], f"{texts[1]} to {texts[2]}", texts[3], score_text(metric, on_rows[metric].value))
        lines.append(line[: len(header)])
    foot = (_definitions(list(scores), n_classes), *notes, INTERVALS)
    return ReportTable(caption, header, tuple(lines), foot=foot)


def _cross_validation_notes(validation: CrossValidation) -> list[str]:
    comparison, difference = validation.comparison, validation.difference
    folds, verdict = comparison.n_folds, "not significant" if difference.within_noise else "significant"
    return [
        f"Cross-validated: the model is fitted to {folds - 1} of {folds} folds and scored on the other one, in turn; "
        f"{count(comparison.n_rows, 'row')} are scored. Baseline: always predicts the class frequencies of those "
        f"{folds - 1} folds.",
        f"Difference from the baseline in {comparison.title(difference.metric)}: {number(difference.value)} (95 % CI "
        f"{number(difference.low)} to {number(difference.high)}), {verdict} at the 5 % level.",
    ]


def _definitions(metrics: list[str], n_classes: int) -> str:
    definitions: dict[str, Any] = dict(DEFINITIONS)
    if n_classes > 2:
        definitions["brier"] = SUMMED
    if len(metrics) == 1:
        definitions["accuracy"] = CORRECT
    titles = {metric: capitalized(METRICS[metric].title(n_classes)) for metric in metrics}
    return " ".join(f"{title}: {definitions[metric]}." for metric, title in titles.items())
