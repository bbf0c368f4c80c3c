"""How the fit went, which columns it used, and how to do it again, as parts of a report."""

import json
import shlex
from collections.abc import Callable
from inspect import signature
from typing import Any

from posteriori.estimators.catalogue import CATALOGUE, Entry
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Callout, Code, Facts, Grid, Part, Text
from posteriori.reports.formatting import count, number, short, some

#: The most columns that are listed.
LINES = 200
#: What a fit status means.
STATUS = {
    "ok": "the fit is sound",
    "separated": "the classes are separated: some estimates have no finite value",
    "aliased": "some columns are combinations of others: their coefficients are not identified",
    "not_converged": "the fit did not reach its optimum",
}
#: How a fit that is not ok is called out.
TITLES = {
    "separated": "Some estimates are infinite.",
    "aliased": "Some coefficients are not identified.",
    "not_converged": "The fit is not finished.",
}
OVERLAP = {
    True: "proved: the maximum exists",
    False: "refuted: the classes are separated, and the maximum is at infinity",
    None: "neither proved nor refuted",
}


def status_words(status: str | None) -> str:
    """Say what a fit status means."""
    return "this model does not say how its fit went" if status is None else STATUS.get(status, escape_controls(status))


def alerts_of(described: dict[str, Any]) -> tuple[Callout, ...]:
    """Give what must be known first of a fit that is not ok, each with its remedy."""
    status = described["fit_status"]
    if status in (None, "ok"):
        return ()
    told = status_words(status)
    title = TITLES.get(status, f"{told[0].upper()}{told[1:]}.")
    notes = [escape_controls(f"{note['message']} {note['cure']}").strip() for note in described["notes"]]
    return tuple(Callout(title if at == 0 else "Also:", text[:1].upper() + text[1:], "warning")
                 for at, text in enumerate(notes or [told + "."]))  # fmt: skip


def fit_parts(described: dict[str, Any]) -> list[Part]:
    """Lay out status, notes with their cures, the certificate, and the parameters."""
    status = described["fit_status"]
    told = status_words(status)
    parts: list[Part] = [
        Text((f"Fit status: {told[0].upper() + told[1:]}." if status is None else f"Fit status {status}: {told}.",))
    ]
    notes = described["notes"] if status in (None, "ok") else ()  # others stand at the head of the page
    parts += [
        Callout(
            f"{escape_controls(note['code']).capitalize()}.",
            escape_controls(f"{note['message']} {note['cure']}").strip(),
        )
        for note in notes
    ]
    if described["solution"] is not None:
        parts.append(_certificate(described["solution"]))
    parts.append(_parameters("Parameters", described["class"], described["parameters"]))
    parts += [_parameters("Around it", each["class"], each["parameters"]) for each in described["around"]]
    return parts


def _certificate(solution: dict[str, Any]) -> Facts:
    named: dict[str, tuple[str, Callable[[Any], str]]] = {
        "objective": ("objective, minus the (penalised) log likelihood", number),
        "decrement": ("Newton decrement: standard errors from the optimum, at most", lambda value: f"{value:.1e}"),
        "gap": ("bound on the objective's distance from its minimum", lambda value: f"{value:.1e}"),
        "overlap": ("overlap of the classes", lambda value: OVERLAP[value]),
        "sweeps": ("readings of the rows", str),
        "iterations": ("steps", str),
        "converged": ("converged", lambda value: "yes" if value else "no"),
        "reason": ("stopped because", escape_controls),
    }
    return Facts(tuple((name, word(solution[key])) for key, (name, word) in named.items() if key in solution))


def _parameters(title: str, kind: str, parameters: dict[str, Any]) -> Grid:
    rows = tuple((escape_controls(name), short(repr(value))) for name, value in parameters.items())
    return Grid(f"{title}: {escape_controls(kind)}", ("parameter", "value"), rows, words=2)


def column_parts(described: dict[str, Any], names: list[str] | None, gaps: dict[str, int] | None) -> list[Part]:
    """Lay out the columns: their kinds, levels, references, and the gaps among the rows given.

    Parameters
    ----------
    described : by `describe`
    names : of the columns, of a model that knows no more of them; None where it knows their places only
    gaps : cells without a value, by column
    """
    columns = described["columns"]
    if not columns:
        told = "It was fitted to an array, and knows its columns by place only."
        return [Text((told if names is None else f"{count(len(names), 'column')}: {some(names, most=LINES)}.",))]
    header = ("column", "kind", "levels", "compared with") + (() if gaps is None else ("gaps",))
    rows = []
    for column in columns[:LINES]:
        levels = some(column["levels"], most=8) if column["kind"] == "category" else ""
        reference = "" if column["reference"] is None else short(column["reference"])
        gap = () if gaps is None else (f"{gaps[column['name']]:,}",)
        rows.append((short(column["name"]), column["kind"], levels, reference, *gap))
    foot = [f"The first {LINES} of {len(columns):,} columns."] if len(columns) > LINES else []
    if described["rows_left_out"]:
        foot.append(f"{count(described['rows_left_out'], 'row')} excluded because of missing values.")
    if gaps is not None:
        foot.append("Gaps are those of the rows given here.")
    grid = Grid("Columns the model takes", header, tuple(rows), words=4, foot=tuple(foot))
    formula = [] if described["formula"] is None else [Text((f"Formula: {escape_controls(described['formula'])}",))]
    return [*formula, grid]


def reproduce_parts(described: dict[str, Any], version: str, made: tuple[str, ...]) -> list[Part]:
    """Say with what version and by what commands or calls model and report are made.

    Parameters
    ----------
    described : by `describe`
    version : of the library
    made : the words of the command that made the report, or one call
    """
    if made[0] != "posteriori":
        return [Facts((("posteriori", version),)), Code("\n".join(map(escape_controls, made)))]
    fitted = _fit_command(described, made[2])
    lines = [*([fitted] if fitted else []), shlex.join(map(escape_controls, made))]
    return [Facts((("posteriori", version),)), Code("\n".join(lines))]


def _fit_command(described: dict[str, Any], model_file: str) -> str:
    """Give the command that fits such a model; nothing where its description does not tell all of it."""
    table = described["table"]
    if described["name"] is None or described["target"] is None or described["around"] or table is None:
        return ""
    usual = _defaults(CATALOGUE[described["name"]])
    settings = {name: value for name, value in described["parameters"].items() if value != usual[name]}
    typed = all(map(_can_be_typed, (*settings.values(), *_mapping(table["types"]), *_mapping(table["reference"]))))
    if not typed or described["weight"] != described["rows"] or described["offset"] is not None:
        return ""
    words = ["posteriori", "fit", "DATA"]
    words += ["--target", described["target"]] if described["formula"] is None else ["--formula", described["formula"]]
    words += ["--model", described["name"]]
    for name, value in settings.items():
        words += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    for flag, asked, rule in (("--type", table["types"], "auto"), ("--reference", table["reference"], "first")):
        given = [f"{column}={value}" for column, value in asked.items()] if isinstance(asked, dict) else [asked]
        words += [word for value in given if value != rule for word in (flag, value)]
    words += [] if table["missing"] == "auto" else ["--missing", table["missing"]]
    words += [] if table["positive"] is None else ["--positive", str(table["positive"])]
    return shlex.join(map(escape_controls, [*words, "-o", model_file]))


def _mapping(asked: Any) -> list[Any]:
    return list(asked.values()) if isinstance(asked, dict) else []


def _defaults(entry: Entry) -> dict[str, Any]:
    found = {name: parameter.default for name, parameter in signature(entry.load().__init__).parameters.items()}
    return {**found, **entry.settings}


def _can_be_typed(value: Any) -> bool:
    """Whether ``--set`` can give a value: objects were described by their representation, which it cannot read."""
    return value is None or isinstance(value, bool | int | float) or (isinstance(value, str) and "(" not in value)
