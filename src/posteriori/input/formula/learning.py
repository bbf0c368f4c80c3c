"""How a formula is fitted to the rows of a frame: kinds and levels of columns, knots and means of transforms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.coding.choices import find_reference, refuse_strangers
from posteriori.input.coding.coding import Coded, Frame
from posteriori.input.coding.faults import refuse_gaps
from posteriori.input.formula.coding import FormulaCoding, FormulaTerm
from posteriori.input.formula.contrasts import products
from posteriori.input.formula.expression import Expression, called
from posteriori.input.formula.factors import CategoryFactor, NumberFactor, Sought, read_factor, reference_of
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.parser.terms import Written
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.frames.cells import category_cells, infer_kind, level_order
from posteriori.input.frames.identifiers import refuse_no_features
from posteriori.input.frames.native import no_column
from posteriori.input.targets import counts
from posteriori.messages.errors import DataError
from posteriori.messages.options import missing_option

CONDITION = ("False", "True")
#: Columns that a formula may give.
MOST_COLUMNS = 2**17
#: Columns that it may give beyond the number of rows where it names every one.
MOST_WRITTEN = 1000


def learn_formula(
    formula: str, written: Written, frame: Frame, *, types: Any, reference: Any, weights: Any
) -> FormulaCoding:
    """Fit a formula to the rows of a frame: the levels of categories, the knots of splines, the means of centring."""
    if not written.terms and not written.intercept:
        raise DataError(
            f"the formula {shortened(formula)} has neither a term nor an intercept: there is nothing to learn."
        )
    sought = factors_of(written)
    used = tuple(dict.fromkeys(name for factor in sought.values() for name in factor.expression.columns()))
    for name in used:
        if name not in frame.columns:
            raise DataError(f"the formula {shortened(formula)}: {no_column(name, frame.columns)}")
    refuse_strangers("types", types, frame.columns)
    refuse_strangers("reference", reference, frame.columns)
    if written.dot:
        bare = [each.expression.name for each in sought.values() if not each.category and each.expression.name]
        refuse_no_features(frame.select(bare), () if isinstance(types, str) else types)
    numbers = _as_numbers(sought)
    plain = numbers | {factor.expression.name for factor in sought.values() if not factor.category}
    learner = _Learner(frame, types, reference, weights, numbers, plain)
    columns = {name: learner.column(name) for name in used}
    cells = {name: column.cells(frame[name]) for name, column in columns.items()}
    refuse_gaps(cells, used, learning=True, remedy=f"Drop their rows ({missing_option('drop')}), or fill them.")
    factors = [learner.factor(factor, columns, cells) for factor in sought.values()]
    places = {text: at for at, text in enumerate(sought)}
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
    """Raise if a formula gives too many columns, before any of them is made."""
    n_columns = coding.size_out[0]
    if n_columns > most:
        raise DataError(
            f"the formula {shortened(coding.formula)} gives {n_columns} columns; the most here are {most}: "
            f"{MOST_WRITTEN}, or as many as there are rows, and {MOST_COLUMNS} where a dot stands for columns."
        )


def factors_of(written: Written) -> dict[str, Sought]:
    """Read the factors of a formula, by their texts."""
    return {
        text: read_factor(node) for text, node in {node.text: node for term in written.terms for node in term}.items()
    }


def _as_numbers(sought: Mapping[str, Sought]) -> set[str]:
    """Name the columns that some factor computes with, so that they must be numbers."""
    plain = (factor.expression for factor in sought.values() if factor.expression.operation != "column")
    return {name for expression in plain for name in expression.columns()}


@dataclass(frozen=True)
class _Learner:
    frame: Frame
    types: Any
    reference: Any
    weights: Any
    numbers: set[str]
    plain: set[str]

    def column(self, name: str) -> Coded:
        """Tell a column's kind: declared, or by its type in the frame."""
        series = self.frame[name]
        declared = isinstance(self.types, Mapping) and name in self.types
        kind = self.types[name] if declared else infer_kind(series)
        if name not in self.plain and kind == "number":
            kind = "category"  # it occurs as C(name) only
        if kind == "ignore":
            raise DataError(f"the formula uses column {name!r}, which types says to ignore.")
        if name in self.numbers and kind == "category":
            raise DataError(f"the formula computes with column {name!r}, which is a category, not a number.")
        levels = CONDITION if kind == "boolean" else level_order(series) if kind == "category" else ()
        at = find_reference(name, levels, Coded(name, kind, levels).cells(series), self.reference, self.weights)
        return Coded(name, kind, levels, at)

    def factor(self, sought: Sought, columns: Mapping[str, Coded], cells: Mapping[str, Array]) -> Any:
        """Fit a factor: its transforms, or its levels."""
        expression = sought.expression
        plain = expression.operation == "column"
        if not sought.category and not (plain and columns[expression.name].kind == "category"):
            return NumberFactor(sought.title, self._learned(sought, expression, cells))
        if plain:
            return self._category(sought, columns[expression.name])
        if not expression.is_condition:
            raise DataError(f"the formula's {sought.title!r}: C takes a column or a condition, not a number computed.")
        return CategoryFactor(
            sought.title, "", expression, CONDITION, reference_of(sought, CONDITION, 0), sought.contrast
        )

    def _learned(self, sought: Sought, expression: Expression, cells: Mapping[str, Array]) -> Expression:
        try:
            return expression.learn(cells)
        except DataError as error:
            raise DataError(f"the formula's {sought.title!r}: {error}") from None

    def _category(self, sought: Sought, column: Coded) -> CategoryFactor:
        series = self.frame[column.name]
        levels = sought.levels or (column.levels if column.kind == "category" else level_order(series))
        codes = category_cells(series, levels)
        if np.isinf(codes).any():
            raise DataError(
                f"the formula's {sought.title!r} lists levels, and {int(np.isinf(codes).sum())} row(s) have others."
            )
        if len(levels) < 2:
            raise DataError(f"the formula's {sought.title!r} has one level only: {levels[0] if levels else None!r}.")
        at = find_reference(column.name, levels, codes, self.reference, self.weights)
        return CategoryFactor(
            sought.title, column.name, None, levels, reference_of(sought, levels, at), sought.contrast
        )


def gaps_of(written: Written, frame: Frame) -> NDArray[np.bool_]:
    """Mark the rows with a gap in a column that the formula uses."""
    used = {name for factor in factors_of(written).values() for name in factor.expression.columns()}
    missing = np.zeros(len(frame), np.bool_)
    for name in used & set(frame.columns):
        series = frame[name]
        missing |= series.is_null().to_numpy().astype(np.bool_)
        if series.dtype.is_float():
            missing |= np.isnan(series.to_numpy().astype(np.float64))
    return missing


def target_of(target: Node, frame: Frame) -> tuple[str, Any]:
    """Find the target of a formula: a column, or ``cbind(successes, failures)`` for grouped data as in R.

    Gives its name and, for a column, its name once more, for groups the class counts.
    """
    columns = target_columns(target)
    for name in columns:
        if name not in frame.columns:
            raise DataError(f"the formula's target: {no_column(name, frame.columns)}")
    if len(columns) == 1:
        return columns[0], columns[0]
    successes, failures = (frame[name].to_numpy() for name in columns)
    return target.text, counts(successes=successes, failures=failures)


def target_columns(target: Node) -> tuple[str, ...]:
    """Return the one or two columns of a target; raise where it is neither a column nor ``cbind(a, b)``."""
    is_pair = target.kind == "call" and called(target) == "cbind" and len(target.parts) == 2 and not target.keywords
    nodes = target.parts if is_pair else (target,)
    if not all(node.kind == "name" for node in nodes):
        raise DataError(
            f"the target of a formula is a column or cbind(successes, failures), not {shortened(target.text)}."
        )
    return tuple(str(node.value) for node in nodes)
