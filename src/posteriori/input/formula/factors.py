"""Factors of a formula: numbers computed from columns, and categories with their contrasts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from posteriori.arrays import Array
from posteriori.input.formula.expression import Expression, called, constant, read_expression, refuse
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.splines import LEARNERS
from posteriori.input.frames.levels import word
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.storable import storable

#: How a category is coded, by the names that formulas use, and the letter that marks its columns.
CONTRASTS = {"treatment": "T", "sum": "S"}
#: What makes a category of a column, here and in R.
CATEGORY = ("C", "factor")


@storable
@dataclass(frozen=True)
class NumberFactor:
    """Numbers computed from columns.

    Parameters
    ----------
    title : as the formula has it
    expression : the computation
    """

    title: str
    expression: Expression

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its columns: one, or as many as a spline or polynomial has."""
        learner = LEARNERS.get(self.expression.operation)
        if learner is None or learner.first is None:
            return (self.title,)
        width = _width(self.expression)
        return tuple(f"{self.title}[{i}]" for i in range(learner.first, learner.first + width))

    def size(self, whole: bool = False) -> tuple[int, int]:
        """Return the number of its columns and a bound on the length of their names, without listing them."""
        learner = LEARNERS.get(self.expression.operation)
        several = learner is not None and learner.first is not None
        return _width(self.expression) if several else 1, len(self.title) + 16

    def columns(self, cells: Mapping[str, Array]) -> Array:
        """Give its columns, (n, p)."""
        values = self.expression.values(cells)
        return values if values.ndim == 2 else values[:, None]


def _width(expression: Expression) -> int:
    """Count the columns of a transform from what it kept."""
    kept = expression.kept
    if expression.operation == "poly":
        return len(kept["alpha"])
    if expression.operation == "cr":
        return int(kept["turn"].shape[1])
    return len(kept["knots"]) + int(kept["degree"]) + int(kept["whole"])


@storable
@dataclass(frozen=True)
class CategoryFactor:
    """A category: a column of the frame, or a condition on columns.

    Parameters
    ----------
    title : as the formula has it
    column : the column; empty for a condition
    condition : what is computed, where it is not a column
    levels : the levels, in order
    reference : the position of the level without a column of its own
    contrast : "treatment" (against the reference) | "sum" (against the mean of all, the reference being minus the rest)
    """

    title: str
    column: str
    condition: Expression | None
    levels: tuple[str, ...]
    reference: int
    contrast: Literal["treatment", "sum"]

    def labels(self, whole: bool) -> tuple[str, ...]:
        """Name its columns: one a level, or without the reference's."""
        if whole:
            return tuple(f"{self.title}[{level}]" for level in self.levels)
        mark = CONTRASTS[self.contrast]
        return tuple(f"{self.title}[{mark}.{level}]" for i, level in enumerate(self.levels) if i != self.reference)

    def size(self, whole: bool) -> tuple[int, int]:
        """Return the number of its columns and a bound on the length of their names, without listing them."""
        return len(self.levels) - (not whole), len(self.title) + 16 + max(map(len, self.levels), default=0)

    def columns(self, codes: Array, whole: bool) -> Array:
        """Give its columns, (n, p), from the positions of its levels."""
        indicators: Array = (codes[:, None] == np.arange(len(self.levels))).astype(np.float64)
        if whole:
            return indicators
        others: Array = np.delete(indicators, self.reference, axis=1)
        if self.contrast == "sum":
            others -= indicators[:, [self.reference]]
        return others


@dataclass(frozen=True)
class Sought:
    """A factor as it was written: a computation, or a category with what was said of its levels."""

    title: str
    expression: Expression
    category: bool = False
    contrast: Literal["treatment", "sum"] = "treatment"
    base: Any = None
    levels: tuple[str, ...] | None = None


def read_factor(node: Node) -> Sought:
    """Read a factor: ``age``, ``log(age)``, ``C(race)``, ``C(race, Treatment("white"))``, ``bs(age, df=4)``."""
    if node.kind != "call" or called(node) not in CATEGORY:
        return Sought(str(node.value) if node.kind == "name" else node.text, read_expression(node))
    if not node.parts:
        refuse(node, f"{called(node)} needs a column")
    options = {"contrasts": node.parts[1]} if len(node.parts) == 2 else {}
    if len(node.parts) > 2 or not {*options, *dict(node.keywords)} <= {"contrasts", "levels"}:
        refuse(node, "C takes a column, a contrast and levels=")
    options |= dict(node.keywords)
    levels = _levels(options["levels"], node) if "levels" in options else None
    sought = Sought(node.text, read_expression(node.parts[0]), category=True, levels=levels)
    return _contrasted(sought, options["contrasts"], node) if "contrasts" in options else sought


def _levels(listed: Node, node: Node) -> tuple[str, ...]:
    values = constant(listed, node)
    if not isinstance(values, list | tuple) or not all(isinstance(value, str | int | float) for value in values):
        refuse(node, f"levels={values!r:.80} is not a list of levels")
    levels = tuple(map(word, values))
    if len(set(levels)) < len(levels):
        refuse(node, "levels= lists a level twice")
    return levels


def _contrasted(sought: Sought, contrast: Node, node: Node) -> Sought:
    """Return a category with its contrast, and the level that is named as its base."""
    name = called(contrast).lower()
    if name not in CONTRASTS:
        refuse(node, f"its contrast is none of {', '.join(f'{known.title()}(...)' for known in CONTRASTS)}")
    given = [*contrast.parts, *(value for _, value in contrast.keywords)]
    if (
        len(given) > 1
        or not {key for key, _ in contrast.keywords} <= {"base", "reference"}
        or (given and name == "sum")
    ):
        refuse(node, "Treatment takes one level, and Sum none")
    base = constant(given[0], node) if given else None
    if base is not None and not isinstance(base, str | int | float):
        refuse(node, f"Treatment takes one level, not {base!r:.80}")
    return replace(sought, contrast="sum" if name == "sum" else "treatment", base=base)


def reference_of(sought: Sought, levels: tuple[str, ...], default: int) -> int:
    """Find the level without a column: the one the formula names, else the one given; of Sum the last."""
    if sought.base is not None:
        if word(sought.base) not in levels:
            raise DataError(
                f"the formula's {sought.title!r} refers to the level {sought.base!r}, and the levels are "
                f"{quote(list(levels))}."
            )
        return levels.index(word(sought.base))
    return len(levels) - 1 if sought.contrast == "sum" else default
