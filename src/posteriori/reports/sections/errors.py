"""Where a model errs, as parts of a report: confusions, and the rows it is most wrong about."""

from typing import Any

import numpy as np

from posteriori.input.frames.native import as_frame
from posteriori.reports.contents import Grid, Part, Text
from posteriori.reports.formatting import number, percent, short
from posteriori.reports.rows import Scored
from posteriori.reports.scores import Assessment
from posteriori.reports.sections.performance import Judgement

#: Classes of a confusion table, answers up to which it has shares, rows of the list of worst, columns of their values.
CLASSES, SHARES, WORST, COLUMNS = 12, 4, 10, 12


def wrong_parts(model: Any, told: Judgement, values: bool) -> list[Part]:
    """Lay out the confusion table and the rows the model is most wrong about."""
    return [*_confusion(model, told.found), *_worst(model, told, values)]


def _confusion(model: Any, found: Assessment) -> list[Part]:
    classes = np.asarray(model.classes_).tolist()
    totals = found.confusion.sum(axis=1)
    if max(len(classes), len(found.answers)) > CLASSES:
        return [_pairs(classes, found)]
    lines, shares = [], len(found.answers) <= SHARES
    for label, row, total in zip(classes, found.confusion, totals, strict=True):
        cells = [
            f"{number(_whole(cell))}" + (f" ({percent(cell / total)})" if total and shares else "")
            for cell in row.tolist()
        ]
        lines.append((short(label), *cells, number(_whole(float(total)))))
    header = ("true class", *(f"→ {short(answer)}" for answer in found.answers), "all")
    told = "rows of data, and their share of the class" if shares else "rows of data"
    foot = (f"A row for each true class, a column for each answer: {told}.",)
    return [Grid("Answers by true class", header, tuple(lines), foot=foot)]


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _pairs(classes: list[Any], found: Assessment) -> Grid:
    """List the confusions met most often, where a table would be too wide."""
    wrong = [
        (float(found.confusion[k, a]), short(label), short(answer))
        for k, label in enumerate(classes)
        for a, answer in enumerate(found.answers)
        if found.confusion[k, a] and answer != label
    ]
    wrong.sort(key=lambda each: -each[0])
    lines = tuple((label, answer, number(_whole(cell))) for cell, label, answer in wrong[:WORST])
    return Grid("The most frequent confusions", ("true class", "answer", "rows"), lines, words=2)


def worst_of(model: Any, told: Judgement) -> list[dict[str, Any]]:
    """List the rows that the model gives their class the least probability, or answers wrongly, by number from 1."""
    rows, found = told.rows, told.found
    classes = np.asarray(model.classes_).tolist()
    if found.logs is None:
        wrong = np.flatnonzero(~found.right)[:WORST].tolist()
        chances: list[Any] = [None] * len(wrong)
    else:
        own = found.logs[np.arange(rows.n_cases), rows.codes]
        order = np.argsort(own, kind="stable")[: 2 * WORST]
        wrong = [int(k) for k in order if own[k] < found.logs[k].max()][:WORST]
        chances = np.exp(own[wrong]).tolist()
    return [
        {
            "row": int(rows.numbers[rows.places[k]]) + 1,
            "class": classes[rows.codes[k]],
            "answer": found.answers[found.answered[k]],
            "probability": p,
        }
        for k, p in zip(wrong, chances, strict=True)
    ]


def _worst(model: Any, told: Judgement, values: bool) -> list[Part]:
    listed = worst_of(model, told)
    if not listed:
        return [Text(("No row is answered wrongly.",))]
    shown = _values(told.rows, [each["row"] for each in listed]) if values else {}
    lines = tuple(
        (
            f"{each['row']:,}", short(each["class"]), short(each["answer"]),
            *(column[i] for column in shown.values()),
            *(() if each["probability"] is None else (_chance(each["probability"], values),)),
        )
        for i, each in enumerate(listed)
    )  # fmt: skip
    likely = listed[0]["probability"] is not None
    header = ("row", "class", "answer", *shown, *(("P(class)",) if likely else ()))
    caption = "Rows the model is most wrong about" if likely else "The first rows that are answered wrongly"
    foot = ["Rows count from 1, below the header of a file."]
    foot += [f"Values are those of the first {COLUMNS} columns."] if len(shown) == COLUMNS else []
    foot += [] if values else ["Their values are not part of this report; look them up by number."]
    return [Grid(caption, header, lines, words=3 + len(shown), foot=tuple(foot))]


def _chance(p: float, values: bool) -> str:
    """Word a probability: coarsely where values are not to be told, since one column's could be worked out from it.

    >>> _chance(0.03519, True), _chance(0.03519, False), _chance(1e-7, False)
    ('0.0352', '0.04', '< 0.01')
    """
    return number(p) if values else "< 0.01" if p < 0.005 else f"{p:.2f}"


def _values(rows: Scored, numbers: list[int]) -> dict[str, list[str]]:
    """Give the values of rows by column; of an array by the column's place."""
    at = [int(np.searchsorted(rows.numbers, row - 1)) for row in numbers]
    frame = as_frame(rows.X)
    if frame is not None:
        return {short(name): [short(frame[name][place]) for place in at] for name in frame.columns[:COLUMNS]}
    some_rows = rows.X[at].toarray() if hasattr(rows.X, "tocsr") else np.asarray(rows.X)[at]
    return {
        f"column {j}": [number(value) for value in column] for j, column in enumerate(some_rows.T.tolist()[:COLUMNS])
    }
