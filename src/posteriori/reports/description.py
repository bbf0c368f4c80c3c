"""A fitted model in plain values: what it is, what it learned from, and what it learned."""

from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np
from sklearn.linear_model._base import LinearClassifierMixin

from posteriori.estimators.catalogue import name_of
from posteriori.estimators.predictor_scales import scale_of
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.layers import innermost, layers, table_in
from posteriori.fits.existence.recession import limits
from posteriori.inference.summaries.build import STATES

INTERCEPT = "(intercept)"
#: Parameters that hold other classifiers, which are described themselves.
HELD = ("estimator", "models", "steps")


def describe(model: Any) -> dict[str, Any]:
    """Give what a model is, what it learned from, and what it learned, as plain values.

    Of a classifier around another it is the one inside that is described; ``around`` lists the others.
    """
    stack, table = [layer.model for layer in layers(model)], table_in(model)
    inner = stack[-1]
    return {
        "name": name_of(inner),
        "class": type(inner).__name__,
        "parameters": parameters_of(inner),
        "around": [
            {"class": type(layer).__name__, "parameters": parameters_of(layer)}
            for layer in stack[:-1]
            if not isinstance(layer, TableClassifier)
        ],
        "classes": np.asarray(model.classes_).tolist(),
        "target": None if table is None else table.target_,
        "offset": None if table is None else table.offset_,
        "formula": None if table is None else table.formula,
        "rows": None if table is None else table.n_rows_,
        "weight": None if table is None else table.weight_,
        "rows_left_out": None if table is None else table.n_dropped_,
        "table": None if table is None else parameters_of(table),
        "columns": _columns(table),
        "fit_status": getattr(inner, "fit_status_", None),
        "notes": [_note(note) for note in getattr(inner, "fit_notes_", [])],
        "n_parameters": getattr(inner, "n_parameters_", None),
        "solution": _solution(inner),
        **_learned(model, inner),
    }


def parameters_of(model: Any) -> dict[str, Any]:
    """Give the parameters of a classifier, those apart that are classifiers themselves."""
    return {key: _worded(value) for key, value in model.get_params(deep=False).items() if key not in HELD}


def _worded(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.ndim > 1:
        return f"array of shape {value.shape}"  # it may hold rows
    if hasattr(value, "get_params") and not isinstance(value, type):  # a basis, with centres that may be rows
        held = {name: _worded(each) for name, each in value.get_params(deep=False).items()}
        if any(isinstance(each, np.ndarray) and each.ndim > 1 for each in value.get_params(deep=True).values()):
            told = ", ".join(f"{name}={each}" for name, each in held.items())
            return f"{type(value).__name__}({told})"
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
    return {"code": note.code, "message": note.message, **named, "cure": note.remedy}


def _solution(inner: Any) -> dict[str, Any] | None:
    """Give the certificate of a fit that optimised something."""
    solution = getattr(inner, "solution_", None)
    return asdict(solution) if is_dataclass(solution) and not isinstance(solution, type) else None


def _learned(model: Any, inner: Any) -> dict[str, Any]:
    """Give the parts that this kind of model has."""
    labels = [str(label) for label in np.asarray(inner.classes_).tolist()]
    learned: dict[str, Any] = {}
    if hasattr(inner, "class_priors_"):
        learned["class_priors"] = dict(zip(labels, inner.class_priors_.tolist(), strict=True))
    if hasattr(inner, "means_"):
        learned["means"] = {label: dict(zip(_names(inner), row.tolist(), strict=True))
                            for label, row in zip(labels, inner.means_, strict=True)}  # fmt: skip
    if hasattr(inner, "centers_"):
        units = "data" if getattr(inner, "scale_", None) is None else "sd"
        learned["kernels"] = {"bandwidth": inner.bandwidth_, "centers": len(inner.centers_), "units": units}
    elif _is_linear(inner):
        over = _names(inner) if getattr(inner, "phi_", None) is None else list(inner.coefficient_names_)
        learned["coefficients"] = _coefficients(model, inner, over)
        learned["scale"] = scale_of(inner) if len(labels) == 2 else "score"
    if hasattr(inner, "families_"):
        learned["tables"] = {str(name): family_table(table) for name, table in inner.families_.items()}
    if hasattr(inner, "weights_") and hasattr(inner, "models"):
        learned["average"] = _average(inner)
    return learned


def _names(inner: Any) -> list[str]:
    return [str(name) for name in getattr(inner, "feature_names_in_", range(inner.n_features_in_))]


def _is_linear(inner: Any) -> bool:
    """Whether a model has a vector of coefficients a class: one of this library, or scikit-learn's linear ones."""
    own = type(inner).__module__.startswith("posteriori.")
    return (
        hasattr(inner, "coef_") and hasattr(inner, "intercept_") and (own or isinstance(inner, LinearClassifierMixin))
    )


def _coefficients(model: Any, inner: Any, names: list[str]) -> dict[str, dict[str, Any]]:
    """Give the coefficients by class; of two classes, those of the positive one."""
    labels = [str(label) for label in np.asarray(model.classes_).tolist()]
    dense = inner.coef_.toarray() if hasattr(inner.coef_, "toarray") else inner.coef_
    whole = np.column_stack([np.broadcast_to(inner.intercept_, len(dense)), dense])
    codes: Any = getattr(inner, "infinite_", np.zeros(whole.shape))
    whole = limits(whole, codes)
    if len(labels) == 2:
        sign = -1.0 if labels[1] != str(inner.classes_[1]) else 1.0
        labels, whole = labels[1:], sign * whole
    return {label: _vector(row, code, names) for label, row, code in zip(labels, whole, codes, strict=True)}


def _vector(row: Any, codes: Any, names: list[str]) -> dict[str, Any]:
    cells = [
        STATES[code] if abs(code) > 1 else value if np.isfinite(value) else f"{value:+}"
        for value, code in zip(row.tolist(), codes.tolist(), strict=True)
    ]
    return dict(zip([INTERCEPT, *names], cells, strict=True))


def _average(inner: Any) -> list[dict[str, Any]]:
    """Give the weight of each model of an average."""
    inside = [innermost(model) for model in getattr(inner, "models_", inner.models)]
    return [
        {"name": name_of(model), "class": type(model).__name__, "weight": weight}
        for model, weight in zip(inside, np.asarray(inner.weights_).tolist(), strict=True)
    ]


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
