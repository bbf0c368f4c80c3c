"""Fit of a formula to the rows of a frame: kinds and levels of columns, knots and means of transforms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.coding.choices import find_reference, learn_kinds, learn_levels, refuse_unknown_columns
from posteriori.input.coding.coding import Coded, Frame
from posteriori.input.coding.faults import refuse_missing_counts
from posteriori.input.coding.survey import CellTotals, CodedCells, ColumnLevels
from posteriori.input.formula.coding import FormulaCoding, FormulaTerm
from posteriori.input.formula.contrasts import products
from posteriori.input.formula.expression import Expression
from posteriori.input.formula.factors import CategoryFactor, FactorSpec, NumberFactor, read_factor, reference_of
from posteriori.input.formula.parser.terms import ParsedFormula
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.formula.splines import LEARNERS
from posteriori.input.formula.survey import FormulaCells, LevelTotals
from posteriori.input.frames.batches import Batches, FrameBatches, all_batches, survey
from posteriori.input.frames.level_sets import LevelSet
from posteriori.input.frames.native import no_column
from posteriori.messages.errors import DataError
from posteriori.messages.options import missing_option

CONDITION = ("False", "True")
#: The most columns of a formula.
MOST_COLUMNS = 2**17
#: The most columns of a formula without a dot, if there are fewer rows.
MOST_WRITTEN = 1000


def learn_formula(
    formula: str, written: ParsedFormula, rows: Frame | Batches, *, types: Any, reference: Any, weights: Any = None
) -> FormulaCoding:
    """Fit a formula to the rows of a frame, or of its batches: the levels of categories, the knots of splines, means.

    Transforms that are fitted need all cells of their columns in memory: a spline's knots are quantiles.
    """
    if not written.terms and not written.intercept:
        raise DataError(
            f"the formula {shortened(formula)} has neither a term nor an intercept: there is nothing to fit."
        )
    source = rows if isinstance(rows, Batches) else FrameBatches(rows, weights)
    specs = factors_of(written)
    used = tuple(dict.fromkeys(name for factor in specs.values() for name in factor.expression.columns()))
    for name in used:
        if name not in source.names:
            raise DataError(f"the formula {shortened(formula)}: {no_column(name, source.names)}")
    refuse_unknown_columns("types", types, source.names)
    refuse_unknown_columns("reference", reference, source.names)
    columns = _columns(source, specs, used, types, reference, written.dot)
    summary = survey(source, FormulaCells(tuple(columns.values()), _transformed(specs, used))).columns
    missing = {name: totals.missing for name, totals in summary["totals"].columns.items()}
    refuse_missing_counts(
        missing, learning=True, remedy=f"Drop their rows ({missing_option('drop')}), or fill in the values."
    )
    n_rows = _n_rows(source) if not used else next(iter(summary["totals"].columns.values())).n
    learner = _Learner(reference, columns, summary["values"].cells, _levels_of_factors(source, specs, columns))
    factors = [learner.factor(factor) for factor in specs.values()]
    places = {text: at for at, text in enumerate(specs)}
    categories = {at for at, factor in enumerate(factors) if isinstance(factor, CategoryFactor)}
    within = [[places[node.text] for node in term] for term in written.terms]
    coded = products(within, categories, written.intercept)
    terms = tuple(
        FormulaTerm(":".join(factors[at].title for at in term), tuple(parts))
        for term, parts in zip(within, coded, strict=True)
    )
    coding = FormulaCoding(formula, tuple(columns.values()), tuple(factors), terms, written.intercept)
    _refuse_too_many(coding, MOST_COLUMNS if written.dot else min(max(MOST_WRITTEN, n_rows), MOST_COLUMNS))
    return coding


def _n_rows(source: Batches) -> int:
    return sum(len(batch.frame) for batch in all_batches(source))


def _columns(
    source: Batches, specs: Mapping[str, FactorSpec], used: Sequence[str], types: Any, reference: Any, dot: bool
) -> dict[str, Coded]:
    """Return the columns that a formula uses, with their kinds, levels and reference levels."""
    declared = () if isinstance(types, str) else types
    bare = [each.expression.name for each in specs.values() if not each.category and each.expression.name]
    kinds = learn_kinds(source, used, types, [name for name in bare if name not in declared] if dot else [])
    numbers = _as_numbers(specs)
    plain = numbers | {factor.expression.name for factor in specs.values() if not factor.category}
    for name, kind in kinds.items():
        if name not in plain and kind == "number":
            kinds[name] = "category"  # only C(name) occurs
        if kind == "ignore":
            raise DataError(f"the formula uses column {name!r}, which is declared 'ignore'.")
        if name in numbers and kind == "category":
            raise DataError(f"the formula uses column {name!r} in a computation, but it is a category, not a number.")
    levels = learn_levels(source, kinds)
    columns = tuple(Coded(name, kind, levels[name]) for name, kind in kinds.items())
    counts = survey(source, CodedCells(columns, totals=False, frequencies=reference == "most-frequent")).columns
    places = {
        name: find_reference(name, levels[name], reference, counts[name].levels if name in counts else None)
        for name in used
    }
    return {column.name: replace(column, reference=places[column.name]) for column in columns}


def _transformed(specs: Mapping[str, FactorSpec], used: Sequence[str]) -> tuple[str, ...]:
    """Return the columns in transforms that are fitted to the rows."""
    transforms = [part for spec in specs.values() for part in _transforms(spec.expression)]
    names = [name for part in transforms for name in part.columns() or used[:1]]
    return tuple(dict.fromkeys(names))


def _transforms(expression: Expression) -> list[Expression]:
    if expression.operation in LEARNERS:
        return [expression]
    return [transform for part in expression.parts for transform in _transforms(part)]


def _levels_of_factors(
    source: Batches, specs: Mapping[str, FactorSpec], columns: Mapping[str, Coded]
) -> dict[str, tuple[tuple[str, ...], CellTotals]]:
    """Return the levels of each factor that is a column of categories, and the number and weight of their cells."""
    plain = [spec for spec in specs.values() if spec.expression.operation == "column"]
    factors = [spec for spec in plain if spec.category or columns[spec.expression.name].kind == "category"]
    if not factors:
        return {}
    own = {spec.expression.name for spec in factors if spec.levels is None}
    others = [name for name in own if columns[name].kind != "category"]
    level_sets = survey(source, ColumnLevels(others)).columns if others else {}
    levels = {
        spec.title: (spec.expression.name, spec.levels or _known_levels(columns[spec.expression.name], level_sets))
        for spec in factors
    }
    totals = survey(source, LevelTotals(levels)).columns
    return {title: (known, totals[title]) for title, (_, known) in levels.items()}


def _known_levels(column: Coded, level_sets: Mapping[str, LevelSet]) -> tuple[str, ...]:
    return column.levels if column.kind == "category" else level_sets[column.name].order


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
    """What the factors of a formula are fitted to: columns, cells of transforms, levels and their weights by factor."""

    reference: Any
    columns: Mapping[str, Coded]
    cells: Mapping[str, Array]
    levels: Mapping[str, tuple[tuple[str, ...], CellTotals]]

    def factor(self, spec: FactorSpec) -> Any:
        """Fit a factor: its transforms, or its levels."""
        expression = spec.expression
        plain = expression.operation == "column"
        if not spec.category and not (plain and self.columns[expression.name].kind == "category"):
            return NumberFactor(spec.title, self._learned(spec, expression))
        if plain:
            return self._category(spec, expression.name)
        if not expression.is_condition:
            raise DataError(f"the formula's {spec.title!r}: the argument of C must be a column or a condition.")
        return CategoryFactor(spec.title, "", expression, CONDITION, reference_of(spec, CONDITION, 0), spec.contrast)

    def _learned(self, spec: FactorSpec, expression: Expression) -> Expression:
        try:
            return expression.learn(self.cells)
        except DataError as error:
            raise DataError(f"the formula's {spec.title!r}: {error}") from None

    def _category(self, spec: FactorSpec, name: str) -> CategoryFactor:
        levels, totals = self.levels[spec.title]
        if totals.unknown:
            raise DataError(f"the formula's {spec.title!r} has levels=, but {totals.unknown} row(s) have other levels.")
        if len(levels) < 2:
            raise DataError(f"the formula's {spec.title!r} has only one level: {levels[0] if levels else None!r}.")
        at = find_reference(name, levels, self.reference, totals.levels)
        return CategoryFactor(spec.title, name, None, levels, reference_of(spec, levels, at), spec.contrast)


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
