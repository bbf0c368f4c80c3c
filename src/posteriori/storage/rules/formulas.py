"""Rules for formulas: every operation is one of the table, and what it learned is complete."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.input.formula.arguments import MOST, OUTSIDE
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.contrasts import MOST_FACTORS
from posteriori.input.formula.expression import FUNCTIONS, OPERATORS, Expression
from posteriori.input.formula.factors import CategoryFactor, NumberFactor, read_factor
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.formula.splines import LEARNERS
from posteriori.input.formula.target import target_columns
from posteriori.messages.errors import DataError

#: How many parts each operation has.
PARTS = (
    {"column": 0, "number": 0} | dict.fromkeys(FUNCTIONS, 1) | dict.fromkeys(OPERATORS, 2) | dict.fromkeys(LEARNERS, 1)
)
#: What operations learn: names and types, by operation.
SCALED: dict[str, type | tuple[type, ...]] = {"mean": (int, float), "spread": (int, float)}
SPLINE: dict[str, type | tuple[type, ...]] = {"lower": (int, float), "upper": (int, float), "outside": str,
                                              "knots": np.ndarray}  # fmt: skip
LEARNED: dict[str, dict[str, type | tuple[type, ...]]] = {
    "center": SCALED,
    "scale": SCALED,
    "standardize": SCALED,
    "poly": {"alpha": np.ndarray, "norms": np.ndarray, "raw": bool},
    "bs": {**SPLINE, "degree": int, "whole": bool},
    "cr": {**SPLINE, "turn": np.ndarray},
}


def expression(value: Expression, where: str) -> None:
    """Check that an operation is in the table, with as many parts as it has, and what it learned."""
    if value.operation not in PARTS:
        fail(f"{where}.operation", f"is {value.operation!r}, which is not in the table of operations")
    if len(value.parts) != PARTS[value.operation]:
        fail(f"{where}.parts", f"has {len(value.parts)} parts for {value.operation!r}")
    if value.operation == "column" and not value.name:
        fail(f"{where}.name", "is empty")
    values, types = dict(value.learned), LEARNED.get(value.operation, {})
    if set(values) != set(types):
        fail(f"{where}.learned", f"has {sorted(values)}, not {sorted(types)}")
    for name, kind in types.items():
        require.instance(values[name], kind, f"{where}.learned.{name}")
        if kind == (int, float):
            require.number(values[name], f"{where}.learned.{name}")
    if "knots" in types:
        _check_range(values, f"{where}.learned")
    if value.operation in CHECKS:
        CHECKS[value.operation](values, f"{where}.learned")


def _check_scaled(values: dict[str, Any], where: str) -> None:
    if values["spread"] == 0:
        fail(f"{where}.spread", "is zero")


def _check_polynomial(values: dict[str, Any], where: str) -> None:
    degree = values["alpha"].size
    require.FINITE.check(values["alpha"], (degree,), f"{where}.alpha")
    require.FINITE_POSITIVE.check(values["norms"], (degree + 1,), f"{where}.norms")
    if not 1 <= degree <= 1000:
        fail(f"{where}.alpha", f"is of degree {degree}")


def _check_range(values: dict[str, Any], where: str) -> None:
    lower, upper, knots = values["lower"], values["upper"], values["knots"]
    if not lower < upper or values["outside"] not in OUTSIDE:
        fail(where, "is not the range of a spline")
    require.FINITE.check(knots, (knots.size,), f"{where}.knots")
    if (np.diff(knots) < 0).any() or (knots < lower).any() or (knots > upper).any():
        fail(f"{where}.knots", "are not sorted, or not within the range")
    if knots.size > MOST:
        fail(f"{where}.knots", f"are {knots.size}, more than {MOST}")


def _check_b_spline(values: dict[str, Any], where: str) -> None:
    degree = values["degree"]
    require.integer(degree, f"{where}.degree")
    if degree > MOST or values["knots"].size + degree + values["whole"] < 1:
        fail(f"{where}.degree", f"is {degree}")


def _check_natural_spline(values: dict[str, Any], where: str) -> None:
    knots, turn = values["knots"], values["turn"]
    require.FINITE.check(turn, (knots.size, *turn.shape[1:2]), f"{where}.turn")
    if knots.size < 2 or (np.diff(knots) <= 0).any() or not 1 <= turn.shape[1] <= knots.size:
        fail(f"{where}.knots", "are not those of a natural spline")


CHECKS: dict[str, Callable[[dict[str, Any], str], None]] = {
    "center": _check_scaled,
    "scale": _check_scaled,
    "standardize": _check_scaled,
    "poly": _check_polynomial,
    "bs": _check_b_spline,
    "cr": _check_natural_spline,
}


def category_factor(value: CategoryFactor, where: str) -> None:
    """Check that there is a column or a condition, and a reference among two levels or more."""
    require.distinct(value.levels, f"{where}.levels")
    if len(value.levels) < 2 or value.reference >= len(value.levels):
        fail(f"{where}.reference", f"is {value.reference} of {len(value.levels)} levels")
    if (value.condition is None) != bool(value.column):
        fail(where, "is neither a column nor a condition")
    if value.condition is not None and (not value.condition.is_condition or len(value.levels) != 2):
        fail(f"{where}.condition", "is not a condition")


def check_formula(value: Any, where: str) -> None:
    """Raise unless a value is a formula that the grammar reads, with factors and target of the tables; or None."""
    require.instance(value, (str, type(None)), where)
    if value is None:
        return
    try:
        parsed = read_formula(value)
        for factor in (factor for term in parsed.terms for factor in term):
            read_factor(factor)
        if parsed.target is not None:
            target_columns(parsed.target)
    except DataError as error:
        fail(where, f"cannot be used: {str(error).removesuffix('.')}")


def formula_coding(value: FormulaCoding, where: str) -> None:
    """Check that factors use the columns, and terms the factors."""
    require.distinct(value.names, f"{where}.columns")
    check_formula(value.formula, f"{where}.formula")
    kinds = {column.name: column.kind for column in value.columns}
    for factor in value.factors:
        computed = factor.expression if isinstance(factor, NumberFactor) else factor.condition
        names = (factor.column,) if computed is None else computed.columns()  # type: ignore[union-attr]
        for name in names:
            if name not in kinds or (computed is not None and kinds[name] == "category"):
                fail(f"{where}.factors", f"use the column {name!r}, which is no such column")
    for product in (product for term in value.terms for product in term.products):
        places = set(product.factors)
        if len(places) > MOST_FACTORS:
            fail(f"{where}.terms", f"have a product of {len(places)} factors, more than {MOST_FACTORS}")
        if not places or not all(0 <= at < len(value.factors) for at in places) or len(places) != len(product.factors):
            fail(f"{where}.terms", "are not products of the factors")
        if not all(at in places and isinstance(value.factors[at], CategoryFactor) for at in product.whole):
            fail(f"{where}.terms", "use a number as a category")
    if not value.size_out[0] and (value.terms or not value.intercept):
        fail(f"{where}.terms", "give no column")
