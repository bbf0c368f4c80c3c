"""The sections of a report on the fit, the columns, and the commands that reproduce it."""

import json
import shlex
from collections.abc import Callable
from inspect import signature
from typing import Any

from posteriori.estimators.catalogue import CATALOGUE
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Callout, Code, Facts, Part, ReportTable, Text
from posteriori.reports.formatting import capitalized, count, number, short, some

#: Largest number of columns in the table of columns.
LINES = 200
#: Fit statuses: the title of a warning, and an explanation.
STATUS = {
    "separated": (
        "Some coefficients have no finite estimate.",
        "the classes are separated: some coefficients have no finite estimate",
    ),
    "aliased": (
        "Some coefficients are not identified.",
        "some columns are linear combinations of others: their coefficients are not identified",
    ),
    "not_converged": ("The fit did not converge.", "the fit did not converge"),
}
EXISTENCE = {
    True: "proved",
    False: "disproved: the classes are separated, and the likelihood has no maximum",
    None: "undecided",
}
#: Entries of the certificate of an optimisation: label and format.
CERTIFICATE: dict[str, tuple[str, Callable[[Any], str]]] = {
    "objective": ("objective (negative log likelihood, with the penalty of a prior)", number),
    "decrement": ("Newton decrement (distance from the optimum in standard errors, at most)", "{:.1e}".format),
    "gap": ("bound on the objective minus its minimum", "{:.1e}".format),
    "overlap": ("existence of the maximum", EXISTENCE.__getitem__),
    "sweeps": ("passes over the data", str),
    "iterations": ("iterations", str),
    "converged": ("converged", {True: "yes", False: "no"}.__getitem__),
    "reason": ("reason for stopping", escape_controls),
}


def status_words(description: dict[str, Any]) -> str:
    """Explain the status of a fit."""
    status, notes = description["fit_status"], description["notes"]
    if status is None:
        return "this model does not report a fit status"
    if status == "ok":
        return f"the fit completed with {count(len(notes), 'note')}" if notes else "the fit completed without warnings"
    return STATUS[status][1] if status in STATUS else f"fit status {escape_controls(status)}"


def alerts_of(description: dict[str, Any]) -> tuple[Callout, ...]:
    """Return the problems of a fit that is not ok, each with its remedy."""
    status = description["fit_status"]
    if status in (None, "ok"):
        return ()
    sentence = f"{capitalized(status_words(description))}."
    texts = [_note_text(note) for note in description["notes"]] or [sentence]
    title = STATUS[status][0] if status in STATUS else sentence
    return tuple(Callout("Also:" if place else title, capitalized(text), "warning") for place, text in enumerate(texts))


def _note_text(note: dict[str, Any]) -> str:
    return escape_controls(f"{note['message']} {note['cure']}").strip()


def fit_parts(description: dict[str, Any]) -> list[Part]:
    """Return status, notes with their remedies, the certificate, and the parameters."""
    status, words = description["fit_status"], status_words(description)
    parts: list[Part] = [Text((f"{capitalized(words)}." if status is None else f"Fit status {status}: {words}.",))]
    if status in (None, "ok"):  # the notes of other fits are at the top of the page
        for note in description["notes"]:
            title = escape_controls(note["code"]).capitalize().replace("-", " ")
            parts.append(Callout(f"{title}.", _note_text(note)))
    solution = description["solution"]
    if solution is not None:
        entries = ((key, *entry) for key, entry in CERTIFICATE.items() if key in solution)
        parts.append(Facts(tuple((label, text_of(solution[key])) for key, label, text_of in entries)))
    for each in (description, *description["around"]):
        rows = tuple((escape_controls(name), short(repr(value))) for name, value in each["parameters"].items())
        title = f"Parameters of {escape_controls(each['class'])}"
        parts.append(ReportTable(title, ("parameter", "value"), rows, words=2))
    return parts


def column_parts(description: dict[str, Any], names: list[str] | None, missing: dict[str, int] | None) -> list[Part]:
    """Return the columns: their kinds, levels, reference levels, and missing values.

    Parameters
    ----------
    description : by `describe`
    names : of the columns, if the model knows only these; None if it does not know them
    missing : number of missing values by column, among the rows of the report
    """
    columns = description["columns"]
    if not columns:
        unnamed = "The model was fitted to an array: its columns are numbered, without names."
        return [Text((unnamed if names is None else f"{count(len(names), 'column')}: {some(names, most=LINES)}.",))]
    rows = []
    for column in columns[:LINES]:
        levels = some(column["levels"], most=8) if column["kind"] == "category" else ""
        reference = "" if column["reference"] is None else short(column["reference"])
        cells = () if missing is None else (f"{missing[column['name']]:,}",)
        rows.append((short(column["name"]), column["kind"], levels, reference, *cells))
    foot = [f"The first {LINES} of {len(columns):,} columns."] if len(columns) > LINES else []
    if description["rows_left_out"]:
        foot.append(f"{count(description['rows_left_out'], 'row')} excluded because of missing values.")
    foot += [] if missing is None else ["Missing values are counted in the rows of this report."]
    header = ("column", "kind", "levels", "reference level", *(() if missing is None else ("missing values",)))
    formula = description["formula"]
    first = [] if formula is None else [Text((f"Formula: {escape_controls(formula)}",))]
    return [*first, ReportTable("Columns of the model", header, tuple(rows), words=4, foot=tuple(foot))]


def reproduce_parts(description: dict[str, Any], version: str, commands: tuple[str, ...]) -> list[Part]:
    """Return the version, and the commands or calls that make the model and the report.

    Parameters
    ----------
    description : by `describe`
    version : of the library
    commands : the words of the command that wrote the report, or calls, one per line
    """
    lines = list(map(escape_controls, commands))
    if commands[0] == "posteriori":
        fit = _fit_command(description, commands[2])
        lines = [shlex.join(map(escape_controls, words)) for words in (fit, commands) if words]
    return [Facts((("posteriori", version),)), Code("\n".join(lines))]


def _fit_command(description: dict[str, Any], model_file: str) -> tuple[str, ...]:
    """Return the words of the command that fits such a model; none if the description is not sufficient."""
    table, name, target = description["table"], description["name"], description["target"]
    if name is None or target is None or description["around"] or table is None:
        return ()
    entry = CATALOGUE[name]
    defaults = {key: parameter.default for key, parameter in signature(entry.load().__init__).parameters.items()}
    defaults |= entry.settings
    settings = {key: value for key, value in description["parameters"].items() if value != defaults[key]}
    by_column = [each for each in (table["types"], table["reference"]) if isinstance(each, dict)]
    typed = [*settings.values(), *(value for each in by_column for value in each.values())]
    weighted = description["weight"] != description["rows"]
    if weighted or description["offset"] is not None or not all(map(_can_be_typed, typed)):
        return ()
    formula = description["formula"]
    words = ["posteriori", "fit", "DATA", *(("--target", target) if formula is None else ("--formula", formula))]
    words += ["--model", name]
    for key, value in settings.items():
        words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    for flag, value, default in (("--type", table["types"], "auto"), ("--reference", table["reference"], "first")):
        values = [f"{column}={each}" for column, each in value.items()] if isinstance(value, dict) else [value]
        words += [word for each in values if each != default for word in (flag, each)]
    words += [] if table["missing"] == "auto" else ["--missing", table["missing"]]
    words += [] if table["positive"] is None else ["--positive", str(table["positive"])]
    return (*words, "-o", model_file)


def _can_be_typed(value: Any) -> bool:
    """Return whether ``--set`` can read a value; objects are described by their representation, which it cannot."""
    return value is None or isinstance(value, bool | int | float) or (isinstance(value, str) and "(" not in value)
