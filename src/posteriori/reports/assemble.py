"""The contents of a report, assembled from its sections."""

from dataclasses import asdict, dataclass
from typing import Any

from posteriori.engines.progress import job
from posteriori.messages.errors import DataError
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Contents, Section
from posteriori.reports.cross_validation import read_folds
from posteriori.reports.description import describe
from posteriori.reports.evaluation import Evaluation, evaluate
from posteriori.reports.rows import read_scored_rows
from posteriori.reports.sections.errors import error_parts, worst_rows
from posteriori.reports.sections.figures import coefficient_figure, column_figures, probability_figures
from posteriori.reports.sections.fit_diagnostics import alerts_of, column_parts, fit_parts, reproduce_parts
from posteriori.reports.sections.headline import headline
from posteriori.reports.sections.parameters import parameter_parts, summaries_of
from posteriori.reports.sections.performance import performance_parts


@dataclass(frozen=True)
class ReportOptions:
    """The options of a report.

    Parameters
    ----------
    title : of the page, or None
    cv : "auto", None or a number of folds
    values : whether values of rows may be shown
    seed : of the folds
    commands : the command or calls that reproduce the report
    version : of the library
    """

    title: str | None
    cv: Any
    values: bool
    seed: int
    commands: tuple[str, ...]
    version: str


def contents_of(model: Any, X: Any, y: Any, sample_weight: Any, offset: Any, options: ReportOptions) -> Contents:
    """Describe a model, and evaluate it on rows if there are any."""
    if X is None and not (y is None and sample_weight is None and offset is None):
        raise DataError("y, sample_weight and offset belong to rows: pass X too.")
    read_folds(options.cv)
    with job("report"):
        evaluation = None
        if X is not None:
            rows = read_scored_rows(model, X, y, sample_weight, offset)
            evaluation = evaluate(model, rows, options.cv, options.seed, options.values)
        return _assemble(model, evaluation, options)


def _assemble(model: Any, evaluation: Evaluation | None, options: ReportOptions) -> Contents:
    description = describe(model)
    summary, ratios = summaries_of(model)
    sections = [] if evaluation is None else _evaluation_sections(model, evaluation, options.values)
    learned = [*coefficient_figure(model, description, summary), *parameter_parts(description, summary, ratios)]
    has_coefficients = summary is not None or "coefficients" in description
    missing = None if evaluation is None else evaluation.rows.missing
    sections += [
        Section("parameters", "Coefficients" if has_coefficients else "Parameters", tuple(learned)),
        Section("fit", "Fit diagnostics", tuple(fit_parts(description))),
        Section("columns", "Columns", tuple(column_parts(description, _column_names(model), missing))),
        Section("reproduce", "Reproduce", tuple(reproduce_parts(description, options.version, options.commands))),
    ]
    title = options.title or _title(description)
    numbers = {"title": title, "model": description, **({} if summary is None else {"table": summary.to_dict()})}
    numbers |= {} if evaluation is None else numbers_of(evaluation)
    sentences, alerts = headline(description, evaluation), alerts_of(description)
    return Contents(escape_controls(title), sentences, tuple(sections), numbers, options.version, alerts)


def _evaluation_sections(model: Any, evaluation: Evaluation, values: bool) -> list[Section]:
    """Return the sections that need rows."""
    figures = [*probability_figures(model, evaluation, values), *column_figures(model, evaluation.rows, values)]
    return [
        Section("performance", "Performance", tuple(performance_parts(evaluation, values))),
        Section("errors", "Errors", tuple(error_parts(evaluation, values))),
        *([Section("plots", "Diagnostic plots", tuple(figures))] if figures else []),
    ]


def _column_names(model: Any) -> list[str] | None:
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def numbers_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return the results of an evaluation as plain values."""
    rows, assessment, validation = evaluation.rows, evaluation.assessment, evaluation.cross_validation
    folds = None
    if validation is not None:
        sizes = {"folds": validation.comparison.n_folds, "rows": validation.comparison.n_rows}
        folds = {**sizes, "scores": _scores(validation), "confusion": _confusion(validation)}
    return {
        "data": {
            "rows": rows.n_given,
            "scored": len(rows.numbers),
            "weight": float(rows.weights.sum()),
            "left_out": rows.left_out,
            "unknown_classes": rows.unknown,
            "gaps": rows.missing,
            "origin": evaluation.origin,
        },
        "scores": _scores(assessment),
        "cross_validation": folds,
        "confusion": {"classes": rows.class_names, **_confusion(assessment)},
        "decisions": assessment.decisions,
        "worst": worst_rows(evaluation),
    }


def _scores(scored: Any) -> dict[str, Any]:
    return {name: asdict(score) for name, score in scored.scores.items()}


def _confusion(predictions: Any) -> dict[str, Any]:
    return {"answers": list(predictions.outcomes), "counts": predictions.confusion.tolist()}


def _title(description: dict[str, Any]) -> str:
    name = f"{description['name'] or description['class']} model"
    return name if description["target"] is None else f"{name} of {description['target']}"
