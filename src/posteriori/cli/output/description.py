"""The description of a fitted model as text."""

from inspect import signature
from typing import Any

from posteriori.cli.output.screen import grid
from posteriori.estimators.predictor_scales import of_class
from posteriori.estimators.wrappers.layers import innermost
from posteriori.messages.errors import DataError
from posteriori.messages.escape import escape_controls


def inferred(model: Any, exponentiate: bool) -> Any:
    """Return the table of coefficients with standard errors of a model that has one, else None."""
    if hasattr(model, "summary"):
        return model.summary(exponentiate=exponentiate)
    if exponentiate:
        inner = innermost(model)
        raise DataError(
            "--exponentiate needs a logistic model, whose coefficients are log odds ratios, or a cloglog model, whose "
            f"coefficients are log hazard ratios; this model is a {type(inner).__name__}."
        )
    return None


def rendered(described: dict[str, Any], table: Any = None) -> list[Any]:
    """Return the parts of a description as text and tables; `table` replaces coefficients, status and notes."""
    parts: list[Any] = [_headline(described)]
    if table is not None:
        return [*parts, "", table.to_text()]
    if "class_priors" in described:
        priors = described["class_priors"]
        parts.append(grid("Class priors", ["class", "probability"], [[name, value] for name, value in priors.items()]))
    if "means" in described:
        parts.append(_by_class("Class means", described["means"]))
    if "kernels" in described:
        kernels = described["kernels"]
        units = " standard deviations of the columns" if kernels["units"] == "sd" else ""
        parts.append(f"Kernels: Gaussian, on {kernels['centers']} centers, bandwidth {kernels['bandwidth']:.6g}{units}")
    if "coefficients" in described:
        parts.append(_by_class(_coefficient_title(described), described["coefficients"]))
    for name, family in described.get("tables", {}).items():
        parts.append(_by_class(f"{name}: {family['family']}", family["classes"]))
    parts.append(f"\nFit status: {described['fit_status']}")
    parts += [escape_controls(f"Note: {note['message']} {note['cure']}".rstrip()) for note in described["notes"]]
    return parts


def _headline(described: dict[str, Any]) -> str:
    """Return the lines on the model, its settings other than the defaults, its classes and its training rows."""
    name = f"{described['name']} ({described['class']})" if described["name"] else described["class"]
    target = f", target {described['target']}" if described["target"] is not None else ""
    parts = [f"Model: {name}{target}"]
    if settings := _settings(described["class"], described["parameters"]):
        parts.append(f"Settings: {settings}")
    parts += [f"Wrapped in: {each['class']}" for each in reversed(described["around"])]
    parts.append(f"Classes: {', '.join(map(escape_controls, described['classes']))}")
    if described["rows"] is not None:
        weight = "" if described["weight"] == described["rows"] else f", total weight {described['weight']:g}"
        n_dropped = described["rows_left_out"]
        dropped = f" ({n_dropped} dropped because of missing values)" if n_dropped else ""
        parts.append(f"Training rows: {described['rows']}{weight}{dropped}")
    return "\n".join(parts)


def _settings(kind: str, parameters: dict[str, Any]) -> str:
    """Return the parameters that differ from the defaults of a class; all of them for classes of other libraries."""
    import posteriori

    known = getattr(posteriori, kind, None)
    defaults = (
        {} if known is None else {key: each.default for key, each in signature(known.__init__).parameters.items()}
    )
    return ", ".join(
        f"{key}={value!r}" for key, value in parameters.items() if key not in defaults or value != defaults[key]
    )


def _coefficient_title(described: dict[str, Any]) -> str:
    if len(described["classes"]) == 2:
        scale = of_class(described["scale"], described["classes"][1])
        return f"Coefficients ({scale})"
    return "Coefficients (scores by class)"


def _by_class(title: str, columns: dict[str, dict[str, Any]]) -> Any:
    """Return {class: {row: value}} as a table with one column per class."""
    rows = list(next(iter(columns.values())))
    return grid(title, ["", *columns], [[row, *(values[row] for values in columns.values())] for row in rows])
