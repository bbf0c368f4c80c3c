"""Rules for formulas: every operation is one of the table, every number it learned makes sense."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.input.formula.arguments import MOST, OUTSIDE
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.contrasts import MOST_FACTORS
from posteriori.input.formula.expression import FUNCTIONS, OPERATORS, Expression
from posteriori.input.formula.factors import CategoryFactor, NumberFactor, read_factor
from posteriori.input.formula.learning import target_columns
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.formula.splines import LEARNERS
from posteriori.messages.errors import DataError
from posteriori.storage.requirements import distinct, finite, instance, natural, wrong

#: How many parts each operation has.
PARTS = (
    {"column": 0, "number": 0} | dict.fromkeys(FUNCTIONS, 1) | dict.fromkeys(OPERATORS, 2) | dict.fromkeys(LEARNERS, 1)
)


def expression(value: Expression, where: str) -> None:
    """Ask for an operation of the table, with as many parts as it has, and what it learned."""
    if value.operation not in PARTS:
        wrong(f"{where}.operation", f"is {value.operation!r}, which is not in the table of operations")
    if len(value.parts) != PARTS[value.operation]:
        wrong(f"{where}.parts", f"has {len(value.parts)} parts for {value.operation!r}")
    finite(np.asarray(float(value.value)), (), f"{where}.value")
    if value.operation == "column" and not value.name:
        wrong(f"{where}.name", "is empty")
    wanted = KEPT.get(value.operation, _nothing)
    wanted(dict(value.kept), f"{where}.kept")


def _nothing(kept: dict[str, Any], where: str) -> None:
    _names(kept, set(), where)


def _names(kept: dict[str, Any], wanted: set[str], where: str) -> None:
    if set(kept) != wanted:
        wrong(where, f"holds {sorted(kept)}, not {sorted(wanted)}")


def _scaled(kept: dict[str, Any], where: str) -> None:
    _names(kept, {"mean", "spread"}, where)
    for name, value in kept.items():
        _number(value, f"{where}.{name}")
    if kept["spread"] == 0:
        wrong(f"{where}.spread", "is zero")


def _number(value: Any, where: str) -> None:
    instance(value, (int, float), where)
    finite(np.asarray(float(value)), (), where)


def _polynomial(kept: dict[str, Any], where: str) -> None:
    _names(kept, {"alpha", "norms", "raw"}, where)
    instance(kept["raw"], bool, f"{where}.raw")
    instance(kept["alpha"], np.ndarray, f"{where}.alpha")
    finite(kept["alpha"], (kept["alpha"].size,), f"{where}.alpha")
    finite(kept["norms"], (kept["alpha"].size + 1,), f"{where}.norms")
    if not (kept["norms"] > 0).all() or not 1 <= kept["alpha"].size <= 1000:
        wrong(f"{where}.norms", "are not those of a polynomial")


def _range(kept: dict[str, Any], where: str) -> None:
    for name in ("lower", "upper"):
        _number(kept[name], f"{where}.{name}")
    if not kept["lower"] < kept["upper"] or kept["outside"] not in OUTSIDE:
        wrong(where, "is not the range of a spline")
    instance(kept["knots"], np.ndarray, f"{where}.knots")
    finite(kept["knots"], (kept["knots"].size,), f"{where}.knots")
    inside = (kept["knots"] >= kept["lower"]) & (kept["knots"] <= kept["upper"])
    if (np.diff(kept["knots"]) < 0).any() or not inside.all():
        wrong(f"{where}.knots", "are not sorted, or not within the range")


def _bs(kept: dict[str, Any], where: str) -> None:
    _names(kept, {"lower", "upper", "outside", "knots", "degree", "whole"}, where)
    _range(kept, where)
    natural(kept["degree"], f"{where}.degree")
    instance(kept["whole"], bool, f"{where}.whole")
    if kept["degree"] > MOST or kept["knots"].size + kept["degree"] + kept["whole"] < 1:
        wrong(f"{where}.degree", f"is {kept['degree']}")
    if kept["knots"].size > MOST:
        wrong(f"{where}.knots", f"are {kept['knots'].size}, more than {MOST}")


def _cr(kept: dict[str, Any], where: str) -> None:
    _names(kept, {"lower", "upper", "outside", "knots", "turn"}, where)
    _range(kept, where)
    instance(kept["turn"], np.ndarray, f"{where}.turn")
    k = kept["knots"].size
    finite(kept["turn"], (k, *kept["turn"].shape[1:2]), f"{where}.turn")
    if not 2 <= k <= MOST or (np.diff(kept["knots"]) <= 0).any() or not 1 <= kept["turn"].shape[1] <= k:
        wrong(f"{where}.knots", "are not those of a natural spline")


KEPT: dict[str, Callable[[dict[str, Any], str], None]] = {
    "center": _scaled,
    "scale": _scaled,
    "standardize": _scaled,
    "poly": _polynomial,
    "bs": _bs,
    "cr": _cr,
}


def category_factor(value: CategoryFactor, where: str) -> None:
    """Ask for a column or a condition, two levels or more, and a reference among them."""
    distinct(value.levels, f"{where}.levels")
    natural(value.reference, f"{where}.reference")
    if len(value.levels) < 2 or value.reference >= len(value.levels):
        wrong(f"{where}.reference", f"is {value.reference} of {len(value.levels)} levels")
    if (value.condition is None) != bool(value.column):
        wrong(where, "is neither a column nor a condition")
    if value.condition is not None and (not value.condition.is_condition or len(value.levels) != 2):
        wrong(f"{where}.condition", "is not a condition")


def formula(value: Any, where: str) -> None:
    """Ask for a formula that the grammar reads, whose factors and target are in the tables; or None."""
    instance(value, (str, type(None)), where)
    if value is None:
        return
    try:
        written = read_formula(value)
        for factor in (factor for term in written.terms for factor in term):
            read_factor(factor)
        if written.target is not None:
            target_columns(written.target)
    except DataError as error:
        wrong(where, f"cannot be used: {str(error).removesuffix('.')}")


def formula_coding(value: FormulaCoding, where: str) -> None:
    """Ask that factors use the columns listed, terms the factors, and that no two columns have one name."""
    formula(value.formula, f"{where}.formula")
    distinct(value.names, f"{where}.columns")
    kinds = {column.name: column.kind for column in value.columns}
    for factor in value.factors:
        computed = factor.expression if isinstance(factor, NumberFactor) else factor.condition
        used = (factor.column,) if computed is None else computed.columns()  # type: ignore[union-attr]
        for name in used:
            if name not in kinds or (computed is not None and kinds[name] == "category"):
                wrong(f"{where}.factors", f"use the column {name!r}, which is no such column")
    for product in (product for term in value.terms for product in term.products):
        places = set(product.factors)
        if len(places) > MOST_FACTORS:
            wrong(f"{where}.terms", f"have a product of {len(places)} factors, more than {MOST_FACTORS}")
        if not places or not all(0 <= at < len(value.factors) for at in places) or len(places) != len(product.factors):
            wrong(f"{where}.terms", "are not products of the factors")
        if not all(at in places and isinstance(value.factors[at], CategoryFactor) for at in product.whole):
            wrong(f"{where}.terms", "take what is no category for one")
    if not value.size_out[0] and (value.terms or not value.intercept):
        wrong(f"{where}.terms", "give no column")


FORMULA_RULES: dict[str, Callable[[Any, str], None]] = {
    "Expression": expression,
    "CategoryFactor": category_factor,
    "FormulaCoding": formula_coding,
}
