"""`Node`: a factor of a formula as an immutable syntax tree, and its canonical text."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword
from typing import Any, Literal

#: Precedence of operators, as in Python.
LEVELS = {
    "not": 1, "<": 2, "<=": 2, ">": 2, ">=": 2, "==": 2, "!=": 2, "|": 3, "&": 4, "+": 5, "-": 5, "*": 6, "/": 6,
    "//": 6, "%": 6, "sign": 7, "**": 8,
}  # fmt: skip
ATOM = 9
#: Prefix of names of contrasts, as in R; other names with a dot are written in backticks.
CONTRASTS = "contr."
BRACKETS = {"list": "[]", "tuple": "()", "dict": "{}"}


@dataclass(frozen=True)
class Node:
    """A part of a factor.

    Parameters
    ----------
    kind : name, constant (a number, a text, True, False or None), operator, call, list, tuple, or dict
    value : the name, the constant, the operator, or the name of the function
    parts : operands, positional arguments or elements; of a dict keys and values in turn
    keywords : keyword arguments of a call
    """

    kind: Literal["name", "constant", "operator", "call", "list", "tuple", "dict"]
    value: Any = None
    parts: tuple["Node", ...] = ()
    keywords: tuple[tuple[str, "Node"], ...] = ()

    @cached_property
    def text(self) -> str:
        """The canonical text of the factor, by which factors are compared.

        >>> Node("operator", "**", (Node("name", "a b"), Node("constant", 2))).text
        '`a b` ** 2'
        """
        return _text(self, 0)

    @cached_property
    def depth(self) -> int:
        """Depth of the tree."""
        return 1 + max((part.depth for part in self.children), default=0)

    @property
    def children(self) -> tuple["Node", ...]:
        """The parts and the keyword arguments."""
        return (*self.parts, *(part for _, part in self.keywords))

    def names(self) -> Iterator[str]:
        """Yield the names of columns, in order, with repetitions."""
        if self.kind == "name":
            yield self.value
        for part in self.children:
            yield from part.names()


def _text(node: Node, floor: int) -> str:
    """Return the text of a node, in parentheses if its precedence is lower than `floor`."""
    if node.kind == "name":
        plain = node.value.isidentifier() and not iskeyword(node.value)
        return node.value if plain or node.value.startswith(CONTRASTS) else f"`{node.value}`"
    if node.kind == "constant":
        return repr(node.value)
    if node.kind == "call":
        arguments = [_text(part, 0) for part in node.parts]
        arguments += [f"{name}={_text(part, 0)}" for name, part in node.keywords]
        return f"{node.value}({', '.join(arguments)})"
    if node.kind != "operator":
        return _bracketed(node)
    level = LEVELS[node.value if len(node.parts) == 2 or node.value == "not" else "sign"]
    text = _operation(node, level)
    return f"({text})" if floor > level else text


def _operation(node: Node, level: int) -> str:
    if len(node.parts) == 1:
        return f"{node.value}{' ' if node.value == 'not' else ''}{_text(node.parts[0], level)}"
    both = level == LEVELS["<"]  # comparisons are not chained
    left, right = (level + (both or node.value == "**"), level + (node.value != "**"))
    return f"{_text(node.parts[0], left)} {node.value} {_text(node.parts[1], right)}"


def _bracketed(node: Node) -> str:
    texts = [_text(part, 0) for part in node.parts]
    if node.kind == "dict":
        texts = [f"{key}: {value}" for key, value in zip(texts[::2], texts[1::2], strict=True)]
    comma = "," if node.kind == "tuple" and len(texts) == 1 else ""
    return f"{BRACKETS[node.kind][0]}{', '.join(texts)}{comma}{BRACKETS[node.kind][1]}"
