"""Fit of a formula to the rows of a frame: kinds and levels of columns, knots and means of transforms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.coding.choices import find_reference, kind_of, levels_of, refuse_unknown_columns
from posteriori.input.coding.coding import Coded, Frame
from posteriori.input.coding.faults import refuse_missing
from posteriori.input.formula.coding import FormulaCoding, FormulaTerm
from posteriori.input.formula.contrasts import products
from posteriori.input.formula.expression import Expression
from posteriori.input.formula.factors import CategoryFactor, FactorSpec, NumberFactor, read_factor, reference_of
from posteriori.input.formula.parser.terms import ParsedFormula
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.frames.cells import category_cells, level_order
from posteriori.input.frames.identifiers import refuse_no_features
from posteriori.input.frames.native import no_column
from posteriori.messages.errors import DataError
from posteriori.messages.options import missing_option

CONDITION = ("False", "True")
#: The most columns of a formula.
MOST_COLUMNS = 2**17
#: The most columns of a formula without a dot, if there are fewer rows.
MOST_WRITTEN = 1000


def learn_formula(
    formula: str, written: ParsedFormula, frame: Frame, *, types: Any, reference: Any, weights: Any
) -> FormulaCoding:
    """Fit a formula to the rows of a frame: the levels of categories, the knots of splines, the means of transforms."""
    if not written.terms and not written.intercept:
        raise DataError(
            f"the formula {shortened(formula)} has neither a term nor an intercept: there is nothing to fit."
        )
    specs = factors_of(written)
    used = tuple(dict.fromkeys(name for factor in specs.values() for name in factor.expression.columns()))
    for name in used:
        if name not in frame.columns:
            raise DataError(f"the formula {shortened(formula)}: {no_column(name, frame.columns)}")
    refuse_unknown_columns("types", types, frame.columns)
    refuse_unknown_columns("reference", reference, frame.columns)
    if written.dot:
        bare = [each.expression.name for each in specs.values() if not each.category and each.expression.name]
        refuse_no_features(frame.select(bare), () if isinstance(types, str) else types)
    numbers = _as_numbers(specs)
    plain = numbers | {factor.expression.name for factor in specs.values() if not factor.category}
    learner = _Learner(frame, types, reference, weights, numbers, plain)
    columns = {name: learner.column(name) for name in used}
    cells = {name: column.cells(frame[name]) for name, column in columns.items()}
    refuse_missing(
        cells, used, learning=True, remedy=f"Drop their rows ({missing_option('drop')}), or fill in the values."
    )
    factors = [learner.factor(factor, columns, cells) for factor in specs.values()]
    places = {text: at for at, text in enumerate(specs)}
    categories = {at for at, factor in enumerate(factors) if isinstance(factor, CategoryFactor)}
    within = [[places[node.text] for node in term] for term in written.terms]
    coded = products(within, categories, written.intercept)
    terms = tuple(
        FormulaTerm(":".join(factors[at].title for at in term), tuple(parts))
        for term, parts in zip(within, coded, strict=True)
    )
    coding = FormulaCoding(formula, tuple(columns.values()), tuple(factors), terms, written.intercept)
    _refuse_too_many(coding, MOST_COLUMNS if written.dot else min(max(MOST_WRITTEN, len(frame)), MOST_COLUMNS))
    return coding


def _refuse_too_many(coding: FormulaCoding, most: int) -> None:
    """Raise if a formula has too many columns, before any of them is computed."""
    n_columns = coding.size_out[0]
    if n_columns > most:
        raise DataError(
            f"the formula {shortened(coding.formula)} has {n_columns} columns; the limit is {most}: {MOST_WRITTEN} or "
            f"the number of rows, whichever is larger, and {MOST_COLUMNS} with a dot."
        )


def factors_of(written: ParsedFormula) -> dict[str, FactorSpec]:
    """Return the specifications of the factors of a formula, by their texts."""
    return {
        text: read_factor(node) for text, node in {node.text: node for term in written.terms for node in term}.items()
    }


def _as_numbers(specs: Mapping[str, FactorSpec]) -> set[str]:
    """Return the columns that are used in a computation, so that they must be numbers."""
    plain = (factor.expression for factor in specs.values() if factor.expression.operation != "column")
    return {name for expression in plain for name in expression.columns()}


@dataclass(frozen=True)
class _Learner:
    """The frame and options of a fit; `numbers` are columns in computations, `plain` those outside ``C(...)``."""

    frame: Frame
    types: Any
    reference: Any
    weights: Any
    numbers: set[str]
    plain: set[str]

    def column(self, name: str) -> Coded:
        """Return a column with its kind, declared or inferred, and its levels."""
        series = self.frame[name]
        kind = kind_of(series, self.types)
        if name not in self.plain and kind == "number":
            kind = "category"  # only C(name) occurs
        if kind == "ignore":
            raise DataError(f"the formula uses column {name!r}, which is declared 'ignore'.")
        if name in self.numbers and kind == "category":
            raise DataError(f"the formula uses column {name!r} in a computation, but it is a category, not a number.")
        levels = levels_of(series, kind)
        at = find_reference(name, levels, Coded(name, kind, levels).cells(series), self.reference, self.weights)
        return Coded(name, kind, levels, at)

    def factor(self, spec: FactorSpec, columns: Mapping[str, Coded], cells: Mapping[str, Array]) -> Any:
        """Fit a factor: its transforms, or its levels."""
        expression = spec.expression
        plain = expression.operation == "column"
        if not spec.category and not (plain and columns[expression.name].kind == "category"):
            return NumberFactor(spec.title, self._learned(spec, expression, cells))
        if plain:
            return self._category(spec, columns[expression.name])
        if not expression.is_condition:
            raise DataError(f"the formula's {spec.title!r}: the argument of C must be a column or a condition.")
        return CategoryFactor(spec.title, "", expression, CONDITION, reference_of(spec, CONDITION, 0), spec.contrast)

    def _learned(self, spec: FactorSpec, expression: Expression, cells: Mapping[str, Array]) -> Expression:
        try:
            return expression.learn(cells)
        except DataError as error:
            raise DataError(f"the formula's {spec.title!r}: {error}") from None

    def _category(self, spec: FactorSpec, column: Coded) -> CategoryFactor:
        series = self.frame[column.name]
        levels = spec.levels or (column.levels if column.kind == "category" else level_order(series))
        codes = category_cells(series, levels)
        if np.isinf(codes).any():
            raise DataError(
                f"the formula's {spec.title!r} has levels=, but {int(np.isinf(codes).sum())} row(s) have other levels."
            )
        if len(levels) < 2:
            raise DataError(f"the formula's {spec.title!r} has only one level: {levels[0] if levels else None!r}.")
        at = find_reference(column.name, levels, codes, self.reference, self.weights)
        return CategoryFactor(spec.title, column.name, None, levels, reference_of(spec, levels, at), spec.contrast)


def missing_rows(written: ParsedFormula, frame: Frame) -> NDArray[np.bool_]:
    """Return a mask of the rows with a missing value in a column of the formula."""
    used = {name for factor in factors_of(written).values() for name in factor.expression.columns()}
    missing = np.zeros(len(frame), np.bool_)
    for name in used & set(frame.columns):
        series = frame[name]
        missing |= series.is_null().to_numpy().astype(np.bool_)
        if series.dtype.is_float():
            missing |= np.isnan(series.to_numpy().astype(np.float64))
    return missing
