"""The first sentences of a report: whether the model beats the baseline, what it is, and how its fit ended."""

from typing import Any

import numpy as np

from posteriori.estimators.catalogue import CATALOGUE
from posteriori.messages.escape import escape_controls
from posteriori.reports.evaluation import Evaluation
from posteriori.reports.formatting import capitalized, count, number, percent, short, some
from posteriori.reports.sections.fit_diagnostics import status_words
from posteriori.reports.sections.performance import score_text
from posteriori.reports.training_rows import LIKELY, OTHER, TRAINING, UNKNOWN

#: The rows of the scores, without cross-validation.
ROWS = {
    TRAINING: "On the {} that it was fitted to, where scores are optimistic,",
    LIKELY: "On {} that it was probably fitted to, where scores are optimistic,",
    OTHER: "On {} that are not exactly the training rows,",
    UNKNOWN: "On {} that it may have been fitted to, in which case scores are optimistic,",
}


def headline(description: dict[str, Any], evaluation: Evaluation | None) -> tuple[str, ...]:
    """Return a few sentences: how good the model is, what it is, and how its fit ended."""
    if evaluation is None:
        return (_identity(description),)
    decisions = _decisions(evaluation) + _prior_shift(description, evaluation)
    return _performance(evaluation) + decisions, _identity(description)


def _identity(description: dict[str, Any]) -> str:
    kind, known = description["class"], CATALOGUE.get(description["name"] or "")
    target, classes = description["target"], some(description["classes"], most=6)
    target = f"Classes: {classes}" if target is None else f"Target: {short(target)} ({classes})"
    columns = f", predicted from {count(len(description['columns']), 'column')}" if description["columns"] else ""
    sentences = [
        f"Model: {escape_controls(description['name'] + f' ({kind})' if description['name'] else kind)}.",
        f"{target}{columns}.",
    ]
    if description["around"]:
        sentences.append(f"Wrapped in {', '.join(escape_controls(each['class']) for each in description['around'])}.")
    if known is not None:
        sentences.append(f"Method: {known.summary}.")
    if description["rows"] is not None:
        excluded = description["rows_left_out"]
        why = f" ({excluded:,} excluded because of missing values)" if excluded else ""
        sentences.append(f"Training rows: {description['rows']:,}{why}.")
    return " ".join([*sentences, f"{capitalized(status_words(description))}."])


def _performance(evaluation: Evaluation) -> str:
    """Compare the model with the baseline: by cross-validation, unless the rows are not those of the fit."""
    rows, assessment, held_out = evaluation.rows, evaluation.assessment, evaluation.held_out
    size = count(float(rows.copies.sum()), "case") if rows.are_counts else count(len(rows.numbers), "row")
    where, scores, gain = ROWS[evaluation.origin].format(size), assessment.scores, assessment.gain
    if held_out is not None:
        where = f"On held-out rows ({held_out.comparison.n_folds}-fold cross-validation)"
        scores, difference = held_out.scores, held_out.difference
        sign = -1.0 if "log_loss" in scores else 1.0  # lower is better for losses
        low, high = sorted((sign * difference.low, sign * difference.high))
        gain = sign * difference.value, low, high
    accuracy, loss = scores["accuracy"], scores.get("log_loss")
    of = " of the most probable class" if assessment.decisions else ""
    accuracy_text = (
        f"ccuracy{of} {percent(accuracy.value)} (95 % CI {percent(accuracy.low)} to {percent(accuracy.high)})"
    )
    if len(np.unique(rows.codes)) == 1:
        return (
            f"{where} a{accuracy_text}. All rows are of one class, so they cannot show whether the model is better "
            "than always predicting that class."
        )
    against = "" if loss is None else f": log loss {_loss(loss.value)} against {_loss(loss.baseline)}"
    return (
        f"{where} {_verdict(gain)} the baseline that always predicts the class frequencies{against}. A{accuracy_text}, "
        f"against {percent(accuracy.baseline)} for always predicting the most frequent class."
    )


def _loss(value: float) -> str:
    text = score_text("log_loss", value)
    return f"{text} (a true class had probability zero)" if np.isinf(value) else text


def _verdict(gain: tuple[float, float, float]) -> str:
    """Describe a difference by its interval.

    >>> [_verdict(gain) for gain in ((0.2, 0.1, 0.3), (-0.2, -0.3, -0.1), (0.1, -0.1, 0.3))]
    ['the model is better than', 'the model is worse than', 'there is no evidence that the model is better than']
    """
    value, low, high = gain
    if low > 0:
        return "the model is better than"
    worse = high < 0 or value == -float("inf")
    return "the model is worse than" if worse else "there is no evidence that the model is better than"


def _decisions(evaluation: Evaluation) -> str:
    """Describe the results of decisions on these rows."""
    results = evaluation.assessment.decisions
    where = " On the training rows," if evaluation.origin == TRAINING else " On the rows of this report,"
    text = ""
    if "mean_cost" in results:
        best = number(results["mean_cost_of_the_best_single_action"])
        text = f"{where} the mean cost per row is {number(results['mean_cost'])}; the best single action costs {best}."
    if "rejected" in results:
        others = results.get("accuracy_of_the_others")
        rest = "" if others is None else f"; accuracy on the others is {percent(others)}"
        text = f"{where} {percent(results['rejected'])} are rejected{rest}."
    return text


def _prior_shift(description: dict[str, Any], evaluation: Evaluation) -> str:
    """Warn that rows with the training frequencies cannot assess a model with other class priors."""
    shifted = any(each["class"] == "PriorShift" for each in description["around"])
    if not shifted or evaluation.origin == OTHER:
        return ""
    return (
        " PriorShift sets class priors other than the training frequencies; rows with the training frequencies cannot "
        "assess its probabilities."
    )
