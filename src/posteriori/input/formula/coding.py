"""`FormulaCoding`: how a formula turns the columns of a frame into the columns of a model."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from posteriori.arrays import Array
from posteriori.input.coding.coding import Coded, Frame
from posteriori.input.coding.faults import refuse_missing, refuse_unseen
from posteriori.input.coding.sizes import refuse_large
from posteriori.input.formula.contrasts import FormulaProduct
from posteriori.input.formula.factors import CategoryFactor, NumberFactor
from posteriori.input.frames.cells import category_cells
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class FormulaTerm:
    """A term of the formula: its name and the products that code it."""

    title: str
    products: tuple[FormulaProduct, ...]


@storable
@dataclass(frozen=True)
class FormulaCoding:
    """The terms of a formula, fitted to the columns of a frame: with levels, knots and means.

    Parameters
    ----------
    formula : its text
    columns : the columns of the frame that it uses
    factors : the factors of its terms
    terms : in order, without the intercept
    intercept : whether there is one; it belongs to the model and is no column
    """

    formula: str
    columns: tuple[Coded, ...]
    factors: tuple[NumberFactor | CategoryFactor, ...]
    terms: tuple[FormulaTerm, ...]
    intercept: bool

    #: Categories become indicators; missing values are not allowed.
    treatment = True
    allows_missing = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of the frame."""
        return tuple(column.name for column in self.columns)

    @property
    def names_out(self) -> tuple[str, ...]:
        """Names of the columns of the model."""
        return tuple(name for product in self._products for name in self._labels(product))

    @property
    def size_out(self) -> tuple[int, int]:
        """Number of columns of the model and a bound on the length of their names, without computing the names."""
        sizes = {whole: [factor.size(whole) for factor in self.factors] for whole in (False, True)}
        count, longest = 0, 0
        for product in self._products:
            own = [sizes[at in product.whole][at] for at in product.factors]
            count += math.prod(number for number, _ in own)
            longest = max(longest, sum(length for _, length in own))
        return count, longest

    @property
    def sources(self) -> tuple[str, ...]:
        """Name of the term that each column of the model comes from."""
        return tuple(term.title for term in self.terms for product in term.products for _ in self._labels(product))

    @property
    def derived(self) -> tuple[str, ...]:
        """Names of the terms other than numeric columns: interactions, functions, splines, categories."""
        return tuple(term.title for term in self.terms if not self._is_column(term))

    @property
    def _products(self) -> list[FormulaProduct]:
        return [product for term in self.terms for product in term.products]

    def _is_column(self, term: FormulaTerm) -> bool:
        if len(term.products) != 1 or len(term.products[0].factors) != 1:
            return False
        factor = self.factors[term.products[0].factors[0]]
        return isinstance(factor, NumberFactor) and factor.expression.operation == "column"

    def apply(self, frame: Frame, *, learning: bool = False) -> Frame:
        """Return the columns of the model for the rows of a frame, with the levels, knots and means of the fit."""
        refuse_large(self.columns, len(frame), self.size_out[0])
        cells = self.cells(frame)
        refuse_missing(cells, self.names, learning)
        codes = {factor.title: self._codes(factor, frame, cells) for factor in self._categories()}
        refuse_unseen(frame, [
            (factor.column, factor.levels, codes[factor.title]) for factor in self._categories() if factor.column
        ])  # fmt: skip
        numbers = [factor.columns(cells) if isinstance(factor, NumberFactor) else None for factor in self.factors]
        out: dict[str, Any] = {}
        for product in self._products:
            out |= dict(zip(self._labels(product), self._values(product, numbers, codes).T, strict=True))
        return nw.from_dict(out, backend=frame.implementation)

    def cells(self, frame: Frame) -> dict[str, Array]:
        """Return the cells of each column as numbers or codes: missing values are NaN, unknown levels infinite."""
        return {column.name: column.cells(frame[column.name]) for column in self.columns}

    def _categories(self) -> list[CategoryFactor]:
        return [factor for factor in self.factors if isinstance(factor, CategoryFactor)]

    def _codes(self, factor: CategoryFactor, frame: Frame, cells: Mapping[str, Array]) -> Array:
        if factor.condition is not None:
            holds: Array = (factor.condition.values(cells) != 0).astype(np.float64)
            return holds
        return category_cells(frame[factor.column], factor.levels)

    def _labels(self, product: FormulaProduct) -> list[str]:
        """Return the names of the columns of a product; the first factor varies fastest."""
        names = [""]
        for at in product.factors:
            factor = self.factors[at]
            own = factor.labels if isinstance(factor, NumberFactor) else factor.labels(at in product.whole)
            names = [f"{before}:{label}" if before else label for label in own for before in names]
        return names

    def _values(self, product: FormulaProduct, numbers: list[Any], codes: Mapping[str, Array]) -> Array:
        values: Any = None
        for at in product.factors:
            factor = self.factors[at]
            own = numbers[at]
            if isinstance(factor, CategoryFactor):
                own = factor.columns(codes[factor.title], at in product.whole)
            values = own if values is None else (own[:, :, None] * values[:, None, :]).reshape(len(own), -1)
        columns: Array = values
        return columns
