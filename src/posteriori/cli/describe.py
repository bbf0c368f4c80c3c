"""A fitted model in words and numbers: one description, shown as text or printed as JSON."""

from typing import Any

import numpy as np

from posteriori.classifiers.catalogue import name_of
from posteriori.classifiers.table_classifier import TableClassifier
from posteriori.cli.scales import of_class, scale_of
from posteriori.cli.screen import grid
from posteriori.tables.errors import DataError

INTERCEPT = "(intercept)"


def describe(model: Any) -> dict[str, Any]:
    """Give what a model is, what it learned from, and what it learned, as plain values."""
    table = model if isinstance(model, TableClassifier) else None
    inner = model if table is None else table.estimator_
    return {
        "name": name_of(inner),
        "class": type(inner).__name__,
        "parameters": {key: _worded(value) for key, value in inner.get_params(deep=False).items()},
        "classes": model.classes_.tolist(),
        "target": None if table is None else table.target_,
        "rows": None if table is None else table.n_rows_,
        "weight": None if table is None else table.weight_,
        "rows_left_out": None if table is None else table.n_dropped_,
        "columns": _columns(table),
        "fit_status": inner.fit_status_,
        "notes": [_note(note) for note in inner.fit_notes_],
        **_learned(model, inner),
    }


def _worded(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str | list | tuple | dict) else repr(value)


def _columns(table: TableClassifier | None) -> list[dict[str, Any]]:
    if table is None or table.coding_ is None:
        return []
    return [
        {"name": column.name, "kind": column.kind, "levels": list(column.levels),
         "reference": column.levels[column.reference] if column.levels and table.coding_.treatment else None}
        for column in table.coding_.columns
    ]  # fmt: skip


def _note(note: Any) -> dict[str, Any]:
    named = {"columns": list(note.columns), "classes": list(note.classes)}
    return {"code": note.code, "message": note.message, **named, "cure": note.cure}


def _learned(model: Any, inner: Any) -> dict[str, Any]:
    """Give the parts that this kind of model has."""
    names = [str(name) for name in getattr(inner, "feature_names_in_", range(inner.n_features_in_))]
    labels = [str(label) for label in inner.classes_.tolist()]
    learned: dict[str, Any] = {}
    if hasattr(inner, "class_priors_"):
        learned["class_priors"] = dict(zip(labels, inner.class_priors_.tolist(), strict=True))
    if hasattr(inner, "means_"):
        learned["means"] = {label: dict(zip(names, row.tolist(), strict=True))
                            for label, row in zip(labels, inner.means_, strict=True)}  # fmt: skip
    if hasattr(inner, "centers_"):
        learned["kernels"] = {"bandwidth": inner.bandwidth_, "centers": len(inner.centers_)}
    elif hasattr(inner, "coef_"):
        over = names if getattr(inner, "phi_", None) is None else list(inner.coefficient_names_)
        learned["coefficients"] = _coefficients(model, inner, over)
        learned["scale"] = scale_of(inner) if len(labels) == 2 else "score"
    if hasattr(inner, "families_"):
        learned["tables"] = {str(name): family_table(table) for name, table in inner.families_.items()}
    return learned


def _coefficients(model: Any, inner: Any, names: list[str]) -> dict[str, dict[str, Any]]:
    """Give the coefficients by class; of two classes, those of the positive one."""
    labels = [str(label) for label in model.classes_.tolist()]
    whole = np.column_stack([inner.intercept_, inner.coef_])
    infinite = getattr(inner, "infinite_", np.zeros(whole.shape))
    whole[infinite != 0] = np.copysign(np.inf, infinite[infinite != 0])  # no finite number for what does not exist
    if len(labels) == 2:
        sign = -1.0 if labels[1] != str(inner.classes_[1]) else 1.0
        labels, whole = labels[1:], sign * whole
    return {label: _vector(row, names) for label, row in zip(labels, whole, strict=True)}


def _vector(row: Any, names: list[str]) -> dict[str, Any]:
    cells = [value if np.isfinite(value) else f"{value:+}" for value in row.tolist()]
    return dict(zip([INTERCEPT, *names], cells, strict=True))


# --- as text


def inferred(model: Any, exponentiate: bool) -> Any:
    """Give the table of coefficients of a model that has one with standard errors, else None."""
    if hasattr(model, "summary"):
        return model.summary(exponentiate=exponentiate)
    if exponentiate:
        inner = model.estimator_ if isinstance(model, TableClassifier) else model
        raise DataError("--exponentiate is for logistic models, whose coefficients are log odds, and cloglog ones, "
                        f"whose are log hazards; this model is of the class {type(inner).__name__}.")  # fmt: skip
    return None


def rendered(described: dict[str, Any], table: Any = None) -> list[Any]:
    """Lay a description out for people; `table` takes the place of bare coefficients, status and notes."""
    parts: list[Any] = [_headline(described), _foundation(described)]
    if table is not None:
        return [*parts, "", table.to_text()]
    if "class_priors" in described:
        priors = described["class_priors"]
        parts.append(grid("Class priors", ["class", "probability"], [[name, value] for name, value in priors.items()]))
    if "means" in described:
        parts.append(_by_class("Class means", described["means"]))
    if "kernels" in described:
        kernels = described["kernels"]
        parts.append(f"Kernels: Gaussian, on {kernels['centers']} centers, bandwidth {kernels['bandwidth']:.6g}")
    if "coefficients" in described:
        parts.append(_by_class(_coefficient_title(described), described["coefficients"]))
    for name, learned in described.get("tables", {}).items():
        parts.append(_by_class(f"{name}: {learned['family']}", learned["classes"]))
    parts.append(f"\nFit status: {described['fit_status']}")
    parts += [f"Note: {note['message']} {note['cure']}".rstrip() for note in described["notes"]]
    return parts


def _headline(described: dict[str, Any]) -> str:
    name = f"{described['name']} ({described['class']})" if described["name"] else described["class"]
    target = f" for {described['target']!r}" if described["target"] is not None else ""
    settings = ", ".join(f"{key}={value!r}" for key, value in described["parameters"].items())
    return f"Model: {name}{target}\nSettings: {settings}"


def _foundation(described: dict[str, Any]) -> str:
    classes = ", ".join(map(str, described["classes"]))
    text = f"Classes: {classes}"
    if described["rows"] is not None:
        text += f"\nLearned from: {described['rows']} rows, total weight {described['weight']:g}"
        if described["rows_left_out"]:
            text += f" ({described['rows_left_out']} rows with gaps left out)"
    return text


def _coefficient_title(described: dict[str, Any]) -> str:
    if len(described["classes"]) == 2:
        told = of_class(described["scale"], described["classes"][1])
        return f"Coefficients of {told}" if told.endswith(" scale") else f"Coefficients of the {told}"
    return "Coefficients (scores by class)"


def _by_class(title: str, columns: dict[str, dict[str, Any]]) -> Any:
    """Lay out {class: {row: value}} with a column a class."""
    rows = list(next(iter(columns.values())))
    return grid(title, ["", *columns], [[row, *(values[row] for values in columns.values())] for row in rows])


def family_table(table: Any) -> dict[str, Any]:
    """Give a naive Bayes model's parameters of one column, by class."""
    levels = None if table.levels is None else [str(level) for level in table.levels.tolist()]
    classes: dict[str, dict[str, float]] = {}
    for k, label in enumerate(table.classes.tolist()):
        classes[str(label)] = {}
        for name, values in table.parameters.items():
            cells = np.atleast_1d(values[k]).tolist()
            titles = levels if levels is not None and len(levels) == len(cells) else [name] * len(cells)
            classes[str(label)] |= dict(zip(titles, cells, strict=True))
    return {"family": table.family, "classes": classes}
