"""The errors section of a report: the confusion matrix, and the rows with the largest errors."""

from typing import Any

import numpy as np

from posteriori.input.frames.native import as_frame
from posteriori.reports.contents import Part, ReportTable, Text
from posteriori.reports.evaluation import Evaluation
from posteriori.reports.formatting import counted, number, percent, short
from posteriori.reports.rows import ScoredRows

#: Largest number of classes in a confusion matrix, and of predictions for which it has percentages.
CLASSES, PERCENTAGES = 12, 4
#: Numbers of rows listed, and of columns shown for each.
WORST, COLUMNS = 10, 12


def error_parts(evaluation: Evaluation, values: bool) -> list[Part]:
    """Return the parts of the section; `values` is whether values of rows may be shown."""
    return [_confusion(evaluation), *_worst(evaluation, values)]


def _confusion(evaluation: Evaluation) -> ReportTable:
    """Return the confusion matrix; if it would be too wide, the most frequent errors."""
    classes, predictions = evaluation.rows.class_names, evaluation.held_out or evaluation.assessment
    outcomes, confusion = predictions.outcomes, predictions.confusion
    source = evaluation.source(evaluation.held_out is not None)
    if max(confusion.shape) > CLASSES:
        errors = [
            (float(confusion[k, a]), short(label), short(outcome))
            for k, label in enumerate(classes)
            for a, outcome in enumerate(outcomes)
            if confusion[k, a] and outcome != label
        ]
        errors.sort(key=lambda error: -error[0])
        frequent = tuple((label, outcome, counted(total)) for total, label, outcome in errors[:WORST])
        foot = (source.strip(),) if source else ()
        return ReportTable("Most frequent errors", ("true class", "predicted", "rows"), frequent, words=2, foot=foot)
    with_percentages = len(outcomes) <= PERCENTAGES
    lines = []
    for label, row in zip(classes, confusion, strict=True):
        total = float(row.sum())
        percentages = [f" ({percent(cell / total)})" if total and with_percentages else "" for cell in row.tolist()]
        texts = [f"{counted(cell)}{share}" for cell, share in zip(row.tolist(), percentages, strict=True)]
        lines.append((short(label), *texts, counted(total)))
    header = ("true class", *(f"predicted {short(outcome)}" for outcome in outcomes), "total")
    cells = "number of rows (percentage of the true class)" if with_percentages else "number of rows"
    return ReportTable("Confusion matrix", header, tuple(lines), foot=(f"Cells: {cells}.{source}",))


def worst_rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the misclassified rows with the lowest probability of their class, else the first; numbered from 1."""
    rows, assessment = evaluation.rows, evaluation.assessment
    if assessment.logs is None:
        wrong = np.flatnonzero(~assessment.correct)[:WORST].tolist()
        probabilities: list[Any] = [None] * len(wrong)
    else:
        own = rows.of_true_class(assessment.logs)
        order = np.argsort(own, kind="stable")[: 2 * WORST]
        wrong = [int(k) for k in order if own[k] < assessment.logs[k].max()][:WORST]
        probabilities = np.exp(own[wrong]).tolist()
    return [
        {
            "row": int(rows.numbers[rows.places[k]]) + 1,
            "class": rows.class_names[rows.codes[k]],
            "answer": assessment.outcomes[assessment.predicted[k]],
            "probability": p,
        }
        for k, p in zip(wrong, probabilities, strict=True)
    ]


def _worst(evaluation: Evaluation, values: bool) -> list[Part]:
    worst = worst_rows(evaluation)
    if not worst:
        return [Text(("No row is misclassified.",))]
    columns = _values(evaluation.rows, [each["row"] for each in worst]) if values else {}
    likely = worst[0]["probability"] is not None
    lines = tuple(
        (
            f"{each['row']:,}", short(each["class"]), short(each["answer"]),
            *(cells[i] for cells in columns.values()),
            *((_probability(each["probability"], values),) if likely else ()),
        )
        for i, each in enumerate(worst)
    )  # fmt: skip
    header = ("row", "true class", "predicted", *columns, *(("P(true class)",) if likely else ()))
    caption = "Largest errors: rows with the lowest probability of the true class" if likely else "First errors"
    foot = ["Row numbers start at 1, below the header of a file."]
    foot += [f"Only the first {COLUMNS} columns are shown."] if len(columns) == COLUMNS else []
    foot += [] if values else ["This report contains no values of rows; look them up by row number."]
    return [ReportTable(caption, header, lines, words=3 + len(columns), foot=tuple(foot))]


def _probability(p: float, values: bool) -> str:
    """Format a probability: with two decimals if values are private, which more would reveal for one column.

    >>> _probability(0.03519, True), _probability(0.03519, False), _probability(1e-7, False)
    ('0.0352', '0.04', '< 0.01')
    """
    return number(p) if values else "< 0.01" if p < 0.005 else f"{p:.2f}"


def _values(rows: ScoredRows, numbers: list[int]) -> dict[str, list[str]]:
    """Return the values of rows as text, by column name; columns of an array are numbered."""
    at = [int(np.searchsorted(rows.numbers, row - 1)) for row in numbers]
    frame = as_frame(rows.X)
    if frame is not None:
        return {short(name): [short(frame[name][place]) for place in at] for name in frame.columns[:COLUMNS]}
    cells = rows.X[at].toarray() if hasattr(rows.X, "tocsr") else np.asarray(rows.X)[at]
    columns = enumerate(cells.T.tolist()[:COLUMNS])
    return {f"column {j}": [number(value) for value in column] for j, column in columns}
