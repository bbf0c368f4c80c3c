"""`FormulaCoding`: how a formula turns the columns of a frame into columns that a model takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.tables.cells import category_cells, infer_kind, level_order
from posteriori.tables.coding import Coded, Frame, find_reference, refuse_gaps, refuse_strangers, refuse_unseen
from posteriori.tables.errors import DataError
from posteriori.tables.formula_expression import Expression
from posteriori.tables.formula_factors import CategoryFactor, NumberFactor, Sought, read_factor, reference_of
from posteriori.tables.formula_terms import FormulaProduct, Written, products
from posteriori.tables.frames import no_column

Array = NDArray[np.float64]
CONDITION = ("False", "True")


@dataclass(frozen=True)
class FormulaTerm:
    """A term of the formula: its name and the products it is coded as."""

    title: str
    products: tuple[FormulaProduct, ...]


@dataclass(frozen=True)
class FormulaCoding:
    """The terms of a formula over the columns of a frame, fitted: levels, knots, means are those of the fit.

    Parameters
    ----------
    formula : as it was written
    columns : the columns of the frame that it uses
    factors : what its terms are products of
    terms : in order, without the intercept
    intercept : whether there is one; it is the model's, not a column
    """

    formula: str
    columns: tuple[Coded, ...]
    factors: tuple[NumberFactor | CategoryFactor, ...]
    terms: tuple[FormulaTerm, ...]
    intercept: bool

    #: Categories are coded; gaps are not taken.
    treatment = True
    passes_gaps = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of the frame."""
        return tuple(column.name for column in self.columns)

    @property
    def names_out(self) -> tuple[str, ...]:
        """Names of the columns that the model takes."""
        return tuple(name for term in self.terms for product in term.products for name in self._labels(product))

    @property
    def sources(self) -> tuple[str, ...]:
        """Name the term that each of the columns comes from."""
        return tuple(term.title for term in self.terms for product in term.products for _ in self._labels(product))

    def apply(self, frame: Frame, *, learning: bool = False) -> Frame:
        """Compute the columns for the rows of a frame, with the levels, knots and means of the fit."""
        cells = {column.name: column.cells(frame[column.name]) for column in self.columns}
        refuse_gaps(cells, self.names, learning)
        codes = {factor.title: self._codes(factor, frame, cells) for factor in self._categories()}
        refuse_unseen(frame, [
            (factor.column, factor.levels, codes[factor.title]) for factor in self._categories() if factor.column
        ])  # fmt: skip
        wide = [factor.columns(cells) if isinstance(factor, NumberFactor) else None for factor in self.factors]
        out: dict[str, Any] = {}
        for product in (product for term in self.terms for product in term.products):
            out |= dict(zip(self._labels(product), self._values(product, wide, codes).T, strict=True))
        return nw.from_dict(out, backend=frame.implementation)

    def _categories(self) -> list[CategoryFactor]:
        return [factor for factor in self.factors if isinstance(factor, CategoryFactor)]

    def _codes(self, factor: CategoryFactor, frame: Frame, cells: Mapping[str, Array]) -> Array:
        if factor.condition is not None:
            holds: Array = (factor.condition.values(cells) != 0).astype(np.float64)
            return holds
        return category_cells(frame[factor.column], factor.levels)

    def _labels(self, product: FormulaProduct) -> list[str]:
        """Name the columns of a product, those of its first factor in turn before those of the next."""
        names = [""]
        for at in product.factors:
            factor = self.factors[at]
            own = factor.labels if isinstance(factor, NumberFactor) else factor.labels(at in product.whole)
            names = [f"{before}:{label}" if before else label for label in own for before in names]
        return names

    def _values(self, product: FormulaProduct, wide: list[Any], codes: Mapping[str, Array]) -> Array:
        values: Any = None
        for at in product.factors:
            factor = self.factors[at]
            own = wide[at]
            if isinstance(factor, CategoryFactor):
                own = factor.columns(codes[factor.title], at in product.whole)
            values = own if values is None else (own[:, :, None] * values[:, None, :]).reshape(len(own), -1)
        whole: Array = values
        return whole


def learn_formula(
    formula: str, written: Written, frame: Frame, *, types: Any, reference: Any, weights: Any
) -> FormulaCoding:
    """Fit a formula to the rows of a frame: the levels of categories, the knots of splines, the means of centring."""
    if not written.terms:
        raise DataError(f"the formula {formula!r} has no term but the intercept: there is nothing to learn from.")
    sought = {text: read_factor(text) for term in written.terms for text in term}
    used = tuple(dict.fromkeys(name for factor in sought.values() for name in factor.expression.columns()))
    for name in used:
        if name not in frame.columns:
            raise DataError(f"the formula {formula!r}: {no_column(name, frame.columns)}")
    refuse_strangers("types", types, frame.columns)
    refuse_strangers("reference", reference, frame.columns)
    numbers = _as_numbers(sought)
    plain = numbers | {factor.expression.name for factor in sought.values() if not factor.category}
    learner = _Learner(frame, types, reference, weights, numbers, plain)
    columns = {name: learner.column(name) for name in used}
    cells = {name: column.cells(frame[name]) for name, column in columns.items()}
    refuse_gaps(cells, used, learning=True)
    factors = [learner.factor(factor, columns, cells) for factor in sought.values()]
    places = {text: at for at, text in enumerate(sought)}
    categories = {at for at, factor in enumerate(factors) if isinstance(factor, CategoryFactor)}
    coded = products([[places[text] for text in term] for term in written.terms], categories, written.intercept)
    terms = tuple(
        FormulaTerm(":".join(sought[text].title for text in term), tuple(parts))
        for term, parts in zip(written.terms, coded, strict=True)
    )
    return FormulaCoding(formula, tuple(columns.values()), tuple(factors), terms, written.intercept)


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
    used = {name for term in written.terms for text in term for name in read_factor(text).expression.columns()}
    missing = np.zeros(len(frame), np.bool_)
    for name in used & set(frame.columns):
        series = frame[name]
        missing |= series.is_null().to_numpy().astype(np.bool_)
        if series.dtype.is_float():
            missing |= np.isnan(series.to_numpy().astype(np.float64))
    return missing


def target_of(target: str, frame: Frame) -> tuple[str, Any]:
    """Find the target of a formula: a column, or ``cbind(successes, failures)`` for grouped data as in R.

    Gives its name and, for a column, its name once more, for groups the class counts.
    """
    import ast

    from posteriori.tables.formula_expression import called, syntax
    from posteriori.tables.targets import counts

    tree, quoted = syntax(target)
    names = tree.args if isinstance(tree, ast.Call) and called(tree.func) == "cbind" and len(tree.args) == 2 else [tree]
    if not all(isinstance(name, ast.Name) for name in names):
        raise DataError(f"the target of a formula is a column or cbind(successes, failures), not {target!r}.")
    columns = [quoted.get(name.id, name.id) for name in names if isinstance(name, ast.Name)]
    for name in columns:
        if name not in frame.columns:
            raise DataError(f"the formula's target: {no_column(name, frame.columns)}")
    if len(columns) == 1:
        return columns[0], columns[0]
    successes, failures = (frame[name].to_numpy() for name in columns)
    return target, counts(successes=successes, failures=failures)
