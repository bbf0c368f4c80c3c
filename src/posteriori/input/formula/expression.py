"""`Expression`: a computation on columns, as a tree of operations of a fixed table. No text is executed as code.

Every node of a factor must be one of the operations here: names of columns, numbers, arithmetic, comparisons, and calls
of the functions listed.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Never

import numpy as np

from posteriori.arrays import Array
from posteriori.input.formula.arguments import refuse_arguments
from posteriori.input.formula.parser.factors import literal
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.formula.splines import LEARNERS
from posteriori.messages.errors import DataError
from posteriori.storable import storable

#: Functions of numbers, cell by cell; ``np.log`` is ``log``.
FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "exp": np.exp, "exp2": np.exp2,
    "exp10": lambda x: np.power(10.0, x), "expm1": np.expm1, "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil,
    "I": lambda x: x, "minus": np.negative, "not": lambda x: (x == 0).astype(np.float64),
}  # fmt: skip
#: Operations on two numbers, by their names in model files.
OPERATORS: dict[str, Callable[[Array, Array], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Pow": operator.pow,
    "FloorDiv": operator.floordiv, "Mod": operator.mod, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge, "Eq": operator.eq, "NotEq": operator.ne, "BitAnd": np.logical_and, "BitOr": np.logical_or,
}  # fmt: skip
COMPARISONS = frozenset(("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "BitAnd", "BitOr", "not"))
SIGNS = {"-": "minus", "+": "I", "~": "not", "not": "not"}
#: The operations by their symbols in formulas.
SYMBOLS = {
    "+": "Add", "-": "Sub", "*": "Mult", "/": "Div", "**": "Pow", "//": "FloorDiv", "%": "Mod", "<": "Lt", "<=": "LtE",
    ">": "Gt", ">=": "GtE", "==": "Eq", "!=": "NotEq", "&": "BitAnd", "|": "BitOr",
}  # fmt: skip
#: Prefixes of function names in Python and in R.
MODULES = ("np.", "numpy.", "contr.")
#: The most levels of nested calls.
DEEPEST = 8


@storable
@dataclass(frozen=True)
class Expression:
    """A node: a column, a number, or an operation on parts.

    Parameters
    ----------
    operation : "column", "number", a function, an operator, or a transform that learns
    parts : its operands
    name : of a column
    value : of a number
    learned : what a transform learned from the rows of the fit; before, its arguments
    """

    operation: str
    parts: tuple["Expression", ...] = ()
    name: str = ""
    value: float = 0.0
    learned: Mapping[str, Any] = field(default_factory=dict)

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns it uses, once each."""
        own = (self.name,) if self.operation == "column" else ()
        return tuple(dict.fromkeys([*own, *(name for part in self.parts for name in part.columns())]))

    @property
    def is_condition(self) -> bool:
        """Whether its values are booleans."""
        return self.operation in COMPARISONS or (self.operation == "I" and self.parts[0].is_condition)

    def learn(self, cells: Mapping[str, Array]) -> "Expression":
        """Return the expression with its transforms fitted to the cells of some columns."""
        fitted = replace(self, parts=tuple(part.learn(cells) for part in self.parts))
        if self.operation not in LEARNERS:
            return fitted
        argument = fitted._argument(cells)
        with np.errstate(over="ignore", invalid="ignore"):
            learned = LEARNERS[self.operation].learn(argument, **self.learned)
        if not all(np.isfinite(part).all() for part in learned.values() if isinstance(part, float | np.ndarray)):
            raise DataError(
                f"{self.operation} has cells up to {np.abs(argument).max():.3g}, whose powers overflow. Rescale the "
                "column."
            )
        return replace(fitted, learned=learned)

    def values(self, cells: Mapping[str, Array]) -> Array:
        """Return its values on the cells of columns: (n,), or (n, p) for transforms with several columns."""
        if self.operation == "column":
            return cells[self.name]
        if self.operation == "number":
            if not cells:
                raise DataError(f"the formula has the number {self.value:g} as a term: a term needs a column.")
            return np.full(len(next(iter(cells.values()))), self.value)
        if self.operation in LEARNERS:
            argument = self._argument(cells)
            with np.errstate(over="ignore", invalid="ignore"):  # infinite cells raise later, with their column
                columns = LEARNERS[self.operation].apply(dict(self.learned), argument)
            return columns if LEARNERS[self.operation].first is not None else columns[:, 0]
        parts = [part.values(cells) for part in self.parts]
        with np.errstate(all="ignore"):  # the log of zero raises later, with its column
            if self.operation in FUNCTIONS:
                return FUNCTIONS[self.operation](parts[0])
            return np.asarray(OPERATORS[self.operation](parts[0], parts[1]), dtype=np.float64)

    def _argument(self, cells: Mapping[str, Array]) -> Array:
        x = self.parts[0].values(cells)
        if x.ndim != 1:
            raise DataError(f"{self.operation} needs one column.")
        if not np.isfinite(x).all():
            raise DataError(f"{self.operation} has {int((~np.isfinite(x)).sum())} cell(s) that are not finite.")
        return x


def read_expression(node: Node) -> Expression:
    """Convert a factor to an expression; raise for operations that are not in the tables.

    >>> from posteriori.input.formula.parser.factors import FactorParser
    >>> read_expression(FactorParser("log(age + 1)").expression()).columns()
    ('age',)
    >>> read_expression(FactorParser("__import__('os')").expression())
    Traceback (most recent call last):
    ...
    posteriori.messages.errors.DataError: the formula's "__import__('os')" cannot be used: there is no function ...
    """
    return _read(node, node, 0)


def refuse(factor: Node, why: str) -> Never:
    """Raise the error for a factor that cannot be used, with the list of valid ones."""
    raise DataError(
        f"the formula's {shortened(factor.text)} cannot be used: {why}. Factors are columns, numbers, + - * / ** and "
        f"comparisons inside I(...), C(...), and the functions {', '.join([*list(FUNCTIONS)[:-3], *LEARNERS])}."
    )


def called(node: Node) -> str:
    """Return the name of a function: ``log`` of ``np.log(x)``, ``treatment`` of ``contr.treatment``."""
    name = str(node.value) if node.kind in ("call", "name") else ""
    return next((name.removeprefix(module) for module in MODULES if name.startswith(module)), name)


def _read(node: Node, factor: Node, depth: int) -> Expression:
    if depth > DEEPEST:
        refuse(factor, f"it is nested more than {DEEPEST} deep")
    if node.kind == "name":
        return Expression("column", name=node.value)
    if node.kind == "constant" and isinstance(node.value, int | float) and abs(node.value) < 1e300:
        return Expression("number", value=float(node.value))
    if node.kind == "operator":
        operation = (SIGNS if len(node.parts) == 1 else SYMBOLS)[node.value]
        return Expression(operation, tuple(_read(part, factor, depth + 1) for part in node.parts))
    if node.kind == "call":
        return _call(node, factor, depth)
    refuse(factor, f"{shortened(node.text)} is not allowed in it")


def _call(node: Node, factor: Node, depth: int) -> Expression:
    name = called(node)
    if name == "Q" and [(part.kind, type(part.value)) for part in node.children] == [("constant", str)]:
        return Expression("column", name=node.parts[0].value)
    if name not in FUNCTIONS and name not in LEARNERS:
        refuse(factor, f"there is no function {str(node.value)!r}")
    if not node.parts:
        refuse(factor, f"{name} needs a column")
    part = _read(node.parts[0], factor, depth + 1)
    if name in LEARNERS:
        return Expression(name, (part,), learned=_arguments(name, node, factor))
    if len(node.parts) != 1 or node.keywords:
        refuse(factor, f"{name} takes one argument")
    return Expression(name, (part,))


def _arguments(name: str, node: Node, factor: Node) -> dict[str, Any]:
    """Return the arguments of a transform: numbers, booleans, strings, lists of numbers."""
    known = LEARNERS[name].arguments
    if len(node.parts) - 1 > len(known):
        refuse(factor, f"{name} takes {len(known)} arguments besides the column")
    values = {key: constant(value, factor) for key, value in zip(known, node.parts[1:], strict=False)}
    for keyword, value in node.keywords:
        if keyword not in known:
            refuse(factor, f"{name} has no argument {keyword!r}; it has {', '.join(known) or 'none'}")
        if keyword in values:
            refuse(factor, f"{keyword} is set twice")
        values[keyword] = constant(value, factor)
    for argument, value in values.items():
        if why := refuse_arguments(argument, value):
            refuse(factor, why)
    return {**known, **values}


def constant(node: Node, factor: Node) -> Any:
    """Return the value of a constant, or of a list of constants."""
    try:
        return literal(node)
    except (ValueError, TypeError):  # not a constant, or a dict with unhashable keys
        refuse(factor, f"{shortened(node.text)} is not a constant")
