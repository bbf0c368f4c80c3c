"""A report put together: what is found out about a model, section by section."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from posteriori.engines.progress import job
from posteriori.messages.errors import DataError
from posteriori.messages.escape import escape_controls
from posteriori.messages.recording import recorded_warnings, warn_again
from posteriori.reports.contents import Contents, Section
from posteriori.reports.description import describe
from posteriori.reports.held_out import MODEL, held_out, read_folds, why_not
from posteriori.reports.rows import read_scored
from posteriori.reports.scores import assess
from posteriori.reports.sections.errors import worst_of, wrong_parts
from posteriori.reports.sections.figures import coefficient_figure, column_figures, forecast_figures
from posteriori.reports.sections.fit_diagnostics import alerts_of, column_parts, fit_parts, reproduce_parts
from posteriori.reports.sections.headline import headline
from posteriori.reports.sections.parameters import learned_parts, summaries_of
from posteriori.reports.sections.performance import Judgement, judged_parts
from posteriori.reports.training_rows import OTHER, origin_of


@dataclass(frozen=True)
class Asked:
    """How a report is to be made.

    Parameters
    ----------
    title : of the page, or None
    cv : "auto", None or a number of folds
    values : whether values of rows may be shown
    seed : of the folds
    made : the words that made it, for people who want to make it again
    version : of the library
    """

    title: str | None
    cv: Any
    values: bool
    seed: int
    made: tuple[str, ...]
    version: str


def contents_of(model: Any, X: Any, y: Any, sample_weight: Any, offset: Any, asked: Asked) -> Contents:
    """Find out all there is to say about a model, and about it on rows where there are any."""
    if X is None and not (y is None and sample_weight is None and offset is None):
        raise DataError("y, sample_weight and offset go with rows: give X too.")
    read_folds(asked.cv)
    with job("report"):
        return _put_together(model, None if X is None else judge(model, X, y, sample_weight, offset, asked), asked)


def _put_together(model: Any, told: Judgement | None, asked: Asked) -> Contents:
    described = describe(model)
    summary, ratios = summaries_of(model)
    sections = []
    if told is not None:
        drawn = [
            *forecast_figures(model, told.rows, told.found, asked.values),
            *column_figures(model, told.rows, asked.values),
        ]
        sections += [
            Section("quality", "How good it is", tuple(judged_parts(model, told, asked.values))),
            Section("errors", "Where it errs", tuple(wrong_parts(model, told, asked.values))),
            *([Section("figures", "Its answers in pictures", tuple(drawn))] if drawn else []),
        ]
    learned = [*coefficient_figure(model, described, summary), *learned_parts(described, summary, ratios)]
    gaps = None if told is None else told.rows.gaps
    sections += [
        Section("learned", "What it learned", tuple(learned)),
        Section("fit", "How the fit went", tuple(fit_parts(described))),
        Section("columns", "The columns", tuple(column_parts(described, _names(model), gaps))),
        Section("again", "How to do it again", tuple(reproduce_parts(described, asked.version, asked.made))),
    ]
    title = asked.title or _title(described)
    numbers = {"title": title, "model": described, **({} if summary is None else {"table": summary.to_dict()})}
    numbers |= {} if told is None else numbers_of(model, told)
    told_first = headline(described, told)
    return Contents(escape_controls(title), told_first, tuple(sections), numbers, asked.version, alerts_of(described))


def _names(model: Any) -> list[str] | None:
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def judge(model: Any, X: Any, y: Any, sample_weight: Any, offset: Any, asked: Asked) -> Judgement:
    """Score a model on rows, tell whether it was fitted to them, and cross-validate it if so."""
    rows = read_scored(model, X, y, sample_weight, offset)
    with _once():
        found = assess(model, rows)
        origin = origin_of(model, rows, found.logs)
    wanted = asked.cv is not None and (asked.cv != "auto" or origin != OTHER)
    reason = why_not(model, rows, asked.cv) if wanted else ""
    compared = None
    if wanted and not reason:
        try:
            compared = held_out(model, rows, asked.cv, asked.seed)
            failed = compared.scores_of(MODEL).failures
            if failed:
                compared, reason = None, _failure(failed[0], asked.values)
        except DataError as error:
            reason = _failure(f"DataError: {error}", asked.values)
    return Judgement(rows, found, origin, compared, reason)


@contextmanager
def _once() -> Iterator[None]:
    """Give each warning once, though the rows are asked about several times."""
    with recorded_warnings() as caught:
        yield
    warn_again(caught, stacklevel=5)


def _failure(text: str, values: bool) -> str:
    """Say that a fold failed; the message of an error may hold values of rows."""
    kind, _, why = text.partition(": ")
    return f"a fold failed with {kind}" + (
        f": {why.rstrip('.')}" if values else ", which pt.compare would tell more of"
    )


def numbers_of(model: Any, told: Judgement) -> dict[str, Any]:
    """Give what was found on rows as plain values."""
    rows, found, compared = told.rows, told.found, told.compared
    crossed = None
    if compared is not None:
        standing = compared.scores_of(MODEL)
        crossed = {
            "folds": compared.n_folds,
            "rows": compared.n_rows,
            "scores": {
                name: {"value": standing.scores[name], "se": standing.errors[name],
                       "low": standing.intervals[name][0], "high": standing.intervals[name][1],
                       "baseline": compared.standings[1].scores[name]}
                for name in compared.metrics
            },
        }  # fmt: skip
    return {
        "data": {
            "rows": rows.n_given,
            "scored": len(rows.numbers),
            "weight": float(rows.weights.sum()),
            "left_out": rows.left_out,
            "unknown_classes": rows.unknown,
            "gaps": rows.gaps,
            "origin": told.origin,
        },
        "scores": {name: asdict(score) for name, score in found.scores.items()},
        "cross_validation": crossed,
        "confusion": {
            "classes": np.asarray(model.classes_).tolist(),
            "answers": list(found.answers),
            "counts": found.confusion.tolist(),
        },
        "decisions": found.decided,
        "worst": worst_of(model, told),
    }


def _title(described: dict[str, Any]) -> str:
    name = described["name"] or described["class"]
    return name if described["target"] is None else f"{described['target']}, predicted by {name}"
