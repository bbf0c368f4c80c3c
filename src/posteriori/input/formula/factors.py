"""Factors of a formula: numbers computed from columns, and categories with their contrasts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from posteriori.arrays import Array
from posteriori.input.formula.expression import Expression, called, constant, read_expression, refuse
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.splines import LEARNERS
from posteriori.input.frames.levels import level_text
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.storable import storable

#: Contrasts of a category by their names in formulas, and the letter in the names of their columns.
CONTRASTS = {"treatment": "T", "sum": "S"}
#: Functions that declare a column a category.
CATEGORY = ("C", "factor")


@storable
@dataclass(frozen=True)
class NumberFactor:
    """Numbers computed from columns.

    Parameters
    ----------
    title : its text in the formula
    expression : the computation
    """

    title: str
    expression: Expression

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its columns: one, or as many as a spline or polynomial has."""
        first, width = self._numbering
        return (self.title,) if first is None else tuple(f"{self.title}[{i}]" for i in range(first, first + width))

    def size(self, whole: bool = False) -> tuple[int, int]:
        """Return the number of its columns and a bound on the length of their names."""
        return self._numbering[1], len(self.title) + 16

    @property
    def _numbering(self) -> tuple[int | None, int]:
        """Number of the first column, None for a single column without a number, and number of columns."""
        learner = LEARNERS.get(self.expression.operation)
        first = None if learner is None else learner.first
        return first, 1 if first is None else _width(self.expression)

    def columns(self, cells: Mapping[str, Array]) -> Array:
        """Return its columns, (n, p)."""
        values = self.expression.values(cells)
        return values if values.ndim == 2 else values[:, None]


def _width(expression: Expression) -> int:
    """Return the number of columns of a fitted transform."""
    learned = expression.learned
    if expression.operation == "poly":
        return len(learned["alpha"])
    if expression.operation == "cr":
        return int(learned["turn"].shape[1])
    return len(learned["knots"]) + int(learned["degree"]) + int(learned["whole"])


@storable
@dataclass(frozen=True)
class CategoryFactor:
    """A category: a column of the frame, or a condition on columns.

    Parameters
    ----------
    title : its text in the formula
    column : the column; empty for a condition
    condition : the expression of a condition, otherwise None
    levels : the levels, in order
    reference : the position of the reference level
    contrast : "treatment" (difference from the reference) | "sum" (deviation from the mean of all levels)
    """

    title: str
    column: str
    condition: Expression | None
    levels: tuple[str, ...]
    reference: int
    contrast: Literal["treatment", "sum"]

    def labels(self, whole: bool) -> tuple[str, ...]:
        """Return the names of its columns, one per level, or all but the reference."""
        if whole:
            return tuple(f"{self.title}[{level}]" for level in self.levels)
        mark = CONTRASTS[self.contrast]
        return tuple(f"{self.title}[{mark}.{level}]" for i, level in enumerate(self.levels) if i != self.reference)

    def size(self, whole: bool) -> tuple[int, int]:
        """Return the number of its columns and a bound on the length of their names."""
        return len(self.levels) - (not whole), len(self.title) + 16 + max(map(len, self.levels), default=0)

    def columns(self, codes: Array, whole: bool) -> Array:
        """Return its columns, (n, p), from the positions of its levels."""
        indicators: Array = (codes[:, None] == np.arange(len(self.levels))).astype(np.float64)
        if whole:
            return indicators
        others: Array = np.delete(indicators, self.reference, axis=1)
        if self.contrast == "sum":
            others -= indicators[:, [self.reference]]
        return others


@dataclass(frozen=True)
class FactorSpec:
    """A factor before the fit: an expression, or a category with its contrast and levels."""

    title: str
    expression: Expression
    category: bool = False
    contrast: Literal["treatment", "sum"] = "treatment"
    base: Any = None
    levels: tuple[str, ...] | None = None


def read_factor(node: Node) -> FactorSpec:
    """Return the specification of a factor such as ``age``, ``C(race, Treatment("white"))`` or ``bs(age, df=4)``."""
    if node.kind != "call" or called(node) not in CATEGORY:
        return FactorSpec(str(node.value) if node.kind == "name" else node.text, read_expression(node))
    if not node.parts:
        refuse(node, f"{called(node)} needs a column")
    options = {"contrasts": node.parts[1]} if len(node.parts) == 2 else {}
    if len(node.parts) > 2 or not {*options, *dict(node.keywords)} <= {"contrasts", "levels"}:
        refuse(node, "the arguments of C are a column, a contrast and levels=")
    options |= dict(node.keywords)
    levels = _levels(options["levels"], node) if "levels" in options else None
    spec = FactorSpec(node.text, read_expression(node.parts[0]), category=True, levels=levels)
    return _with_contrast(spec, options["contrasts"], node) if "contrasts" in options else spec


def _levels(argument: Node, node: Node) -> tuple[str, ...]:
    values = constant(argument, node)
    if not isinstance(values, list | tuple) or not all(isinstance(value, str | int | float) for value in values):
        refuse(node, f"levels={values!r:.80} is not a list of levels")
    levels = tuple(map(level_text, values))
    if len(set(levels)) < len(levels):
        refuse(node, "levels= has a level twice")
    return levels


def _with_contrast(spec: FactorSpec, contrast: Node, node: Node) -> FactorSpec:
    """Return a category with its contrast, and the level that the contrast names as its base."""
    name = called(contrast).lower()
    if name not in CONTRASTS:
        refuse(node, f"its contrast is none of {', '.join(f'{known.title()}(...)' for known in CONTRASTS)}")
    keywords = {key for key, _ in contrast.keywords}
    if len(contrast.children) > (name != "sum") or not keywords <= {"base", "reference"}:
        refuse(node, "Treatment has one argument, a level, and Sum has none")
    base = constant(contrast.children[0], node) if contrast.children else None
    if base is not None and not isinstance(base, str | int | float):
        refuse(node, f"the argument of Treatment is a level, not {base!r:.80}")
    return replace(spec, contrast="sum" if name == "sum" else "treatment", base=base)


def reference_of(spec: FactorSpec, levels: tuple[str, ...], default: int) -> int:
    """Return the position of the reference level: that of the formula, of Sum the last, otherwise the default."""
    if spec.base is None:
        return len(levels) - 1 if spec.contrast == "sum" else default
    level = level_text(spec.base)
    if level not in levels:
        raise DataError(
            f"the formula's {spec.title!r} has the reference level {spec.base!r}, but the levels are "
            f"{quote(list(levels))}."
        )
    return levels.index(level)
