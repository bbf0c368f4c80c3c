"""The description of a fitted model as text."""

from typing import Any

from posteriori.cli.output.screen import grid
from posteriori.estimators.predictor_scales import of_class
from posteriori.estimators.wrappers.layers import innermost
from posteriori.messages.errors import DataError
from posteriori.messages.escape import escape_controls


def inferred(model: Any, exponentiate: bool) -> Any:
    """Give the table of coefficients of a model that has one with standard errors, else None."""
    if hasattr(model, "summary"):
        return model.summary(exponentiate=exponentiate)
    if exponentiate:
        inner = innermost(model)
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
        units = " standard deviations of the columns" if kernels["units"] == "sd" else ""
        parts.append(f"Kernels: Gaussian, on {kernels['centers']} centers, bandwidth {kernels['bandwidth']:.6g}{units}")
    if "coefficients" in described:
        parts.append(_by_class(_coefficient_title(described), described["coefficients"]))
    for name, learned in described.get("tables", {}).items():
        parts.append(_by_class(f"{name}: {learned['family']}", learned["classes"]))
    parts.append(f"\nFit status: {described['fit_status']}")
    parts += [escape_controls(f"Note: {note['message']} {note['cure']}".rstrip()) for note in described["notes"]]
    return parts


def _headline(described: dict[str, Any]) -> str:
    name = f"{described['name']} ({described['class']})" if described["name"] else described["class"]
    target = f" for {described['target']!r}" if described["target"] is not None else ""
    settings = ", ".join(f"{key}={value!r}" for key, value in described["parameters"].items())
    around = "".join(f"\nInside: {each['class']}" for each in reversed(described["around"]))
    return f"Model: {name}{target}\nSettings: {settings}{around}"


def _foundation(described: dict[str, Any]) -> str:
    classes = ", ".join(map(escape_controls, described["classes"]))
    text = f"Classes: {classes}"
    if described["rows"] is not None:
        text += f"\nObservations: {described['rows']}"
        if described["weight"] != described["rows"]:
            text += f", total weight {described['weight']:g}"
        if described["rows_left_out"]:
            text += f" ({described['rows_left_out']} excluded because of missing values)"
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
