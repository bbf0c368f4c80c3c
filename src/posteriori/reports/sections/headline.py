"""What a report says first: is the model any good on rows it has not seen, what is it, and did its fit go well."""

from typing import Any

import numpy as np

from posteriori.estimators.catalogue import CATALOGUE
from posteriori.messages.escape import escape_controls
from posteriori.reports.formatting import count, number, percent, short, some
from posteriori.reports.held_out import BASELINE, MODEL
from posteriori.reports.sections.fit_diagnostics import status_words
from posteriori.reports.sections.performance import Judgement, words_of
from posteriori.reports.training_rows import LIKELY, OTHER, TRAINING, UNKNOWN

#: What is said of the rows where there is no cross-validation.
ROWS = {
    TRAINING: "On the {} that it was fitted to, which flatter it,",
    LIKELY: "On {} that it was probably fitted to, which flatter it,",
    OTHER: "On {} not exactly those of its fit",
    UNKNOWN: "On {} that it may have been fitted to, which would flatter it,",
}


def headline(described: dict[str, Any], told: Judgement | None) -> tuple[str, ...]:
    """Say in a few sentences how good the model is, what it is, and how its fit went."""
    return (*(() if told is None else (_quality(told) + _shifted(described, told),)), _what(described))


def _shifted(described: dict[str, Any], told: Judgement) -> str:
    """Say that a model set to other class shares is judged too harshly by rows of the old ones."""
    shifted = any(each["class"] == "PriorShift" for each in described["around"])
    if not shifted or told.origin == OTHER:
        return ""
    return " It is set to other class shares than those it learned from (PriorShift), which such rows cannot judge."


def _what(described: dict[str, Any]) -> str:
    known = CATALOGUE.get(described["name"] or "")
    kind = f"{described['name']} model ({described['class']})" if described["name"] else described["class"]
    target = "a class" if described["target"] is None else short(described["target"])
    columns = f" from {count(len(described['columns']), 'column')}" if described["columns"] else ""
    first = f"This {escape_controls(kind)} predicts {target} ({some(described['classes'], most=6)}){columns}."
    if described["around"]:
        first += f" Around it: {', '.join(escape_controls(each['class']) for each in described['around'])}."
    if known is not None:
        first += f" Its idea: {known.summary}."
    status = status_words(described["fit_status"])
    if described["rows"] is None:
        return f"{first} {status[0].upper() + status[1:]}."
    lost = described["rows_left_out"]
    left = f" ({lost:,} excluded because of missing values)" if lost else ""
    return f"{first} It was fitted to {count(described['rows'], 'row')}{left}; {status}."


def _quality(told: Judgement) -> str:
    """Say how good the model is: by cross-validation, unless the rows themselves are new to it."""
    scores, compared = told.found.scores, told.compared
    accuracy, losses = scores["accuracy"], scores.get("log_loss")
    right, low, high, usual = accuracy.value, accuracy.low, accuracy.high, accuracy.baseline
    loss = None if losses is None else (losses.value, losses.baseline)
    rows = told.rows
    counts = len(rows.places) != len(rows.numbers)
    where = ROWS[told.origin].format(
        count(float(rows.copies.sum()), "case") if counts else count(len(rows.numbers), "row")
    )
    gain = told.found.gain
    if compared is not None and told.origin != OTHER:
        model, rival = compared.scores_of(MODEL), compared.scores_of(BASELINE)
        right, (low, high), usual = model.scores["accuracy"], model.intervals["accuracy"], rival.scores["accuracy"]
        loss = (model.scores["log_loss"], rival.scores["log_loss"]) if "log_loss" in compared.metrics else None
        where = f"On rows held out of the fit ({compared.n_folds}-fold cross-validation)"
        apart = compared.difference(MODEL, BASELINE)
        sign = 1.0 if loss is None else -1.0
        low_gain, high_gain = sorted((sign * apart.low, sign * apart.high))
        gain = (sign * apart.value, low_gain, high_gain)
    if len(np.unique(rows.codes)) == 1:
        text = (
            f"{where} it is right for {percent(right)} (95 % interval {percent(low)} to {percent(high)}). All are of "
        )
        return f"{text}one class, so they cannot tell whether it is better than always naming that class."
    text = f"{where} it {_verdict(gain)} than knowing the class shares alone"
    text += "." if loss is None else f": log loss {_loss(loss[0])} against {_loss(loss[1])}."
    who = "Its most probable class" if told.found.decided else "It"
    text += (
        f" {who} is right for {percent(right)} (95 % interval {percent(low)} to {percent(high)}); always naming the "
    )
    return f"{text}most frequent class is right for {percent(usual)}.{_decisions(told)}"


def _loss(value: float) -> str:
    return (
        "infinite, since it gave probability zero to what was true,"
        if value == float("inf")
        else words_of("log_loss", value)
    )


def _verdict(gain: tuple[float, float, float]) -> str:
    """Word a difference with its interval.

    >>> [_verdict(gain) for gain in ((0.2, 0.1, 0.3), (-0.2, -0.3, -0.1), (0.1, -0.1, 0.3))]
    ['is better', 'is worse', 'is not shown to be better']
    """
    value, low, high = gain
    return "is better" if low > 0 else "is worse" if high < 0 or value == -float("inf") else "is not shown to be better"


def _decisions(told: Judgement) -> str:
    """Say what decisions around the model came to on the rows given."""
    found = told.found.decided
    seen = ", which it was fitted to" if told.origin == TRAINING else ""
    text = ""
    if "mean_cost" in found:
        text += (
            f" On the rows given{seen}, its actions cost {number(found['mean_cost'])} a row; the best single action "
        )
        text += f"for all costs {number(found['mean_cost_of_the_best_single_action'])}."
    if "rejected" in found:
        text += f" On the rows given{seen}, it refuses {percent(found['rejected'])}"
        others = found.get("accuracy_of_the_others")
        text += "." if others is None else f", and is right for {percent(others)} of the others."
    return text
