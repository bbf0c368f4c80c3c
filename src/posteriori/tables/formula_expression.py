"""`Expression`: a computation on columns, as a tree of operations out of a fixed table. Nothing is ever run as code.

A formula's factors are read by Python's own parser into its syntax tree, and every node of that must be one of the
operations here: names of columns, numbers, arithmetic, comparisons, and calls of the functions listed.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.errors import DataError
from posteriori.tables.formula_splines import LEARNERS

Array = NDArray[np.float64]

#: Functions of numbers, cell by cell; ``np.log`` is ``log``.
FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "exp": np.exp, "exp2": np.exp2,
    "exp10": lambda x: np.power(10.0, x), "expm1": np.expm1, "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil,
    "I": lambda x: x, "minus": np.negative, "not": lambda x: (x == 0).astype(np.float64),
}  # fmt: skip
#: Operations on two numbers, by how Python names their nodes.
OPERATORS: dict[str, Callable[[Array, Array], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Pow": operator.pow,
    "FloorDiv": operator.floordiv, "Mod": operator.mod, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge, "Eq": operator.eq, "NotEq": operator.ne, "BitAnd": np.logical_and, "BitOr": np.logical_or,
}  # fmt: skip
COMPARISONS = frozenset(("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "BitAnd", "BitOr", "not"))
SIGNS = {"USub": "minus", "UAdd": "I", "Invert": "not", "Not": "not"}
#: Levels of calls within calls.
DEEPEST = 8


@dataclass(frozen=True)
class Expression:
    """A node: a column, a number, or an operation on parts.

    Parameters
    ----------
    operation : "column", "number", a function, an operator, or a transform that learns
    parts : what it is applied to
    name : of a column
    value : of a number
    kept : what a transform learned from the rows of the fit, or the arguments written before it has
    """

    operation: str
    parts: tuple["Expression", ...] = ()
    name: str = ""
    value: float = 0.0
    kept: Mapping[str, Any] = field(default_factory=dict)

    def columns(self) -> tuple[str, ...]:
        """Name the columns it uses, each once."""
        own = (self.name,) if self.operation == "column" else ()
        return tuple(dict.fromkeys([*own, *(name for part in self.parts for name in part.columns())]))

    @property
    def is_condition(self) -> bool:
        """Whether its values are truth values."""
        return self.operation in COMPARISONS or (self.operation == "I" and self.parts[0].is_condition)

    def learn(self, cells: Mapping[str, Array]) -> "Expression":
        """Give the same computation with its transforms fitted to the cells of some columns."""
        known = replace(self, parts=tuple(part.learn(cells) for part in self.parts))
        if self.operation not in LEARNERS:
            return known
        return replace(known, kept=LEARNERS[self.operation].learn(known._argument(cells), **self.kept))

    def values(self, cells: Mapping[str, Array]) -> Array:
        """Compute it on the cells of columns: (n,), or (n, p) for transforms that give several."""
        if self.operation == "column":
            return cells[self.name]
        if self.operation == "number":
            if not cells:
                raise DataError(f"the formula's {self.value:g} stands alone: a term needs a column to learn from.")
            return np.full(len(next(iter(cells.values()))), self.value)
        if self.operation in LEARNERS:
            columns = LEARNERS[self.operation].apply(dict(self.kept), self._argument(cells))
            return columns if LEARNERS[self.operation].first is not None else columns[:, 0]
        parts = [part.values(cells) for part in self.parts]
        with np.errstate(all="ignore"):  # the log of zero is refused as a cell that is not finite, by name
            if self.operation in FUNCTIONS:
                return FUNCTIONS[self.operation](parts[0])
            return np.asarray(OPERATORS[self.operation](parts[0], parts[1]), dtype=np.float64)

    def _argument(self, cells: Mapping[str, Array]) -> Array:
        x = self.parts[0].values(cells)
        if x.ndim != 1:
            raise DataError(f"{self.operation} takes one column.")
        if not np.isfinite(x).all():
            raise DataError(f"{self.operation} was given {int((~np.isfinite(x)).sum())} cell(s) that are not finite.")
        return x


def read_expression(text: str) -> Expression:
    """Read a factor of a formula; anything that is not in the tables is refused by name.

    >>> read_expression("log(age + 1)").columns()
    ('age',)
    >>> read_expression("__import__('os').system('true')")
    Traceback (most recent call last):
    ...
    posteriori.tables.errors.DataError: the formula's "__import__('os').system('true')" cannot be used: ...
    """
    tree, quoted = syntax(text)
    return _read(tree, quoted, text, 0)


def syntax(text: str) -> tuple[ast.expr, dict[str, str]]:
    """Parse a factor; names in backticks are replaced, and given with what they stand for."""
    quoted: dict[str, str] = {}

    def stand_in(found: re.Match[str]) -> str:
        quoted[f"quoted_{len(quoted)}__"] = found[1]
        return f"quoted_{len(quoted) - 1}__"

    try:
        return ast.parse(re.sub(r"`([^`]+)`", stand_in, text.strip()), mode="eval").body, quoted
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        refuse(text, "it is not an expression")


def refuse(text: str, why: str) -> Never:
    """Raise the error for a factor that cannot be used, with what can."""
    raise DataError(
        f'the formula\'s "{text}" cannot be used: {why}. Factors are columns, numbers, + - * / ** and comparisons '
        f"inside I(...), C(...), and the functions {', '.join([*list(FUNCTIONS)[:-3], *LEARNERS])}."
    )


def _read(node: ast.expr, quoted: dict[str, str], text: str, depth: int) -> Expression:
    if depth > DEEPEST:
        refuse(text, f"it is nested more than {DEEPEST} deep")
    if isinstance(node, ast.Name):
        return Expression("column", name=quoted.get(node.id, node.id))
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) < 1e300:
        return Expression("number", value=float(node.value))
    if isinstance(node, ast.UnaryOp) and type(node.op).__name__ in SIGNS:
        return Expression(SIGNS[type(node.op).__name__], (_read(node.operand, quoted, text, depth + 1),))
    if isinstance(node, ast.BinOp) and type(node.op).__name__ in OPERATORS:
        sides = tuple(_read(side, quoted, text, depth + 1) for side in (node.left, node.right))
        return Expression(type(node.op).__name__, sides)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]).__name__ in OPERATORS:
        sides = tuple(_read(side, quoted, text, depth + 1) for side in (node.left, node.comparators[0]))
        return Expression(type(node.ops[0]).__name__, sides)
    if isinstance(node, ast.Call):
        return _call(node, quoted, text, depth)
    refuse(text, f"{ast.unparse(node)!r} is not allowed in it")


def _call(node: ast.Call, quoted: dict[str, str], text: str, depth: int) -> Expression:
    name = called(node.func)
    if name == "Q" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        return Expression("column", name=str(node.args[0].value))
    if name not in FUNCTIONS and name not in LEARNERS:
        refuse(text, f"there is no function {ast.unparse(node.func)!r}")
    if not node.args:
        refuse(text, f"{name} needs a column")
    part = _read(node.args[0], quoted, text, depth + 1)
    if name in LEARNERS:
        return Expression(name, (part,), kept=_arguments(name, node, text))
    if len(node.args) != 1 or node.keywords:
        refuse(text, f"{name} takes one argument")
    return Expression(name, (part,))


def called(function: ast.expr) -> str:
    """Name the function of a call: ``log``, ``np.log``, ``contr.treatment``; nothing where it is something else."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.attr if function.value.id in ("np", "numpy", "contr") else ""
    return ""


def _arguments(name: str, node: ast.Call, text: str) -> dict[str, Any]:
    """Read the arguments of a transform: plain numbers, truth values, words, lists of numbers."""
    known = LEARNERS[name].arguments
    given: dict[str, Any] = dict(zip(known, (literal(value, text) for value in node.args[1:]), strict=False))
    if len(node.args) - 1 > len(known):
        refuse(text, f"{name} takes {len(known)} arguments besides the column")
    for keyword in node.keywords:
        if keyword.arg not in known:
            refuse(text, f"{name} has no argument {keyword.arg!r}; it has {', '.join(known) or 'none'}")
        given[str(keyword.arg)] = literal(keyword.value, text)
    for argument in ("df", "degree", "ddof"):
        value = given.get(argument)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1000):
            refuse(text, f"{argument}={value!r} is not a whole number up to 1000")
    return {**known, **given}


def literal(node: ast.expr, text: str) -> Any:
    """Read a constant, or a list of constants."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        refuse(text, f"{ast.unparse(node)!r} is not a constant")
