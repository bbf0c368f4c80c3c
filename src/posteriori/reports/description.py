"""A fitted model as plain values: its parameters, its training rows and what was estimated."""

from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np
from sklearn.linear_model._base import LinearClassifierMixin

from posteriori.estimators.catalogue import name_of
from posteriori.estimators.predictor_scales import scale_of
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.layers import innermost, layers, table_in
from posteriori.inference.coefficients.validity import STATES
from posteriori.models.infinite_codes import limits

INTERCEPT = "(intercept)"
#: Parameters that are other classifiers, which are described separately.
WRAPPED = ("estimator", "models", "steps")


def describe(model: Any) -> dict[str, Any]:
    """Return the parameters of a model, its training rows and its estimates as plain values.

    The innermost classifier is described; ``around`` lists the classifiers that wrap it.
    """
    stack, table = [layer.model for layer in layers(model)], table_in(model)
    inner = stack[-1]
    of_table = {"target": "target_", "offset": "offset_", "formula": "formula", "rows": "n_rows_", "weight": "weight_",
                "rows_left_out": "n_dropped_"}  # fmt: skip
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
        **{key: None if table is None else getattr(table, name) for key, name in of_table.items()},
        "table": None if table is None else parameters_of(table),
        "columns": _columns(table),
        "fit_status": getattr(inner, "fit_status_", None),
        "notes": [_note(note) for note in getattr(inner, "fit_notes_", [])],
        "n_parameters": getattr(inner, "n_parameters_", None),
        "solution": _solution(inner),
        **_estimates(model, inner),
    }


def parameters_of(model: Any) -> dict[str, Any]:
    """Return the parameters of a classifier, except those that are classifiers themselves."""
    return {key: _plain(value) for key, value in model.get_params(deep=False).items() if key not in WRAPPED}


def _plain(value: Any) -> Any:
    """Return a parameter as a plain value or as text; arrays, which may contain rows, as their shape."""
    if isinstance(value, np.ndarray) and value.ndim > 1:
        return f"array of shape {value.shape}"
    if hasattr(value, "get_params") and not isinstance(value, type):  # a basis, whose centres may be rows
        parts = value.get_params(deep=True).values()
        if any(isinstance(part, np.ndarray) and part.ndim > 1 for part in parts):
            own = ", ".join(f"{name}={_plain(part)}" for name, part in value.get_params(deep=False).items())
            return f"{type(value).__name__}({own})"
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
    names = {"columns": list(note.columns), "classes": list(note.classes)}
    return {"code": note.code, "message": note.message, **names, "cure": note.remedy}


def _solution(inner: Any) -> dict[str, Any] | None:
    """Return the certificate of the optimisation; None if nothing was optimised."""
    solution = getattr(inner, "solution_", None)
    return asdict(solution) if is_dataclass(solution) and not isinstance(solution, type) else None


def _estimates(model: Any, inner: Any) -> dict[str, Any]:
    """Return the estimates that this kind of model has."""
    labels = [str(label) for label in np.asarray(inner.classes_).tolist()]
    estimates: dict[str, Any] = {}
    if hasattr(inner, "class_priors_"):
        estimates["class_priors"] = dict(zip(labels, inner.class_priors_.tolist(), strict=True))
    if hasattr(inner, "means_"):
        means = zip(labels, inner.means_.tolist(), strict=True)
        estimates["means"] = {label: dict(zip(_names(inner), row, strict=True)) for label, row in means}
    if hasattr(inner, "centers_"):
        units = "data" if getattr(inner, "scale_", None) is None else "sd"
        estimates["kernels"] = {"bandwidth": inner.bandwidth_, "centers": len(inner.centers_), "units": units}
    elif _is_linear(inner):
        names = _names(inner) if getattr(inner, "phi_", None) is None else list(inner.coefficient_names_)
        estimates["coefficients"] = _coefficients(model, inner, names)
        estimates["scale"] = scale_of(inner) if len(labels) == 2 else "score"
    if hasattr(inner, "families_"):
        estimates["tables"] = {str(name): family_table(table) for name, table in inner.families_.items()}
    if hasattr(inner, "weights_") and hasattr(inner, "models"):
        estimates["average"] = _average(inner)
    return estimates


def _names(inner: Any) -> list[str]:
    return [str(name) for name in getattr(inner, "feature_names_in_", range(inner.n_features_in_))]


def _is_linear(inner: Any) -> bool:
    """Return whether a model has one vector of coefficients per class: of this library, or of scikit-learn."""
    known = type(inner).__module__.startswith("posteriori.") or isinstance(inner, LinearClassifierMixin)
    return known and hasattr(inner, "coef_") and hasattr(inner, "intercept_")


def _coefficients(model: Any, inner: Any, names: list[str]) -> dict[str, dict[str, Any]]:
    """Return the coefficients by class; for two classes, those of the positive one."""
    labels = [str(label) for label in np.asarray(model.classes_).tolist()]
    dense = inner.coef_.toarray() if hasattr(inner.coef_, "toarray") else inner.coef_
    weights = np.column_stack([np.broadcast_to(inner.intercept_, len(dense)), dense])
    codes: Any = getattr(inner, "infinite_", np.zeros(weights.shape))
    weights = limits(weights, codes)
    if len(labels) == 2:
        weights = weights if labels[1] == str(inner.classes_[1]) else -weights
        labels = labels[1:]
    return {label: _vector(row, code, names) for label, row, code in zip(labels, weights, codes, strict=True)}


def _vector(row: Any, codes: Any, names: list[str]) -> dict[str, Any]:
    cells = [
        STATES[code] if abs(code) > 1 else value if np.isfinite(value) else f"{value:+}"
        for value, code in zip(row.tolist(), codes.tolist(), strict=True)
    ]
    return dict(zip([INTERCEPT, *names], cells, strict=True))


def _average(inner: Any) -> list[dict[str, Any]]:
    """Return the weight of each model of an average."""
    models = [innermost(model) for model in getattr(inner, "models_", inner.models)]
    return [
        {"name": name_of(model), "class": type(model).__name__, "weight": weight}
        for model, weight in zip(models, np.asarray(inner.weights_).tolist(), strict=True)
    ]


def family_table(table: Any) -> dict[str, Any]:
    """Return the parameters of one column of a naive Bayes model, by class."""
    levels = None if table.levels is None else [str(level) for level in table.levels.tolist()]
    classes: dict[str, dict[str, float]] = {}
    for k, label in enumerate(table.classes.tolist()):
        own = classes[str(label)] = {}
        for name, values in table.parameters.items():
            cells = np.atleast_1d(values[k]).tolist()
            titles = levels if levels is not None and len(levels) == len(cells) else [name] * len(cells)
            own |= dict(zip(titles, cells, strict=True))
    return {"family": table.family, "classes": classes}
