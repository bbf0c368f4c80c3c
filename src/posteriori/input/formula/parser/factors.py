"""Parser of factors: names, numbers, calls and arithmetic, by recursive descent."""

from typing import Any, Never

from posteriori.input.formula.parser.nodes import LEVELS, Node
from posteriori.input.formula.parser.tokens import Token, tokenize, unreadable

#: The most levels of nested parentheses, calls and operations.
DEEPEST = 50
CONSTANTS = {"True": True, "False": False, "None": None}
CLOSERS = {"(": ")", "[": "]", "{": "}"}
SIGNS = ("+", "-", "~")


class FactorParser:
    """Parser of the factors of a formula; `terms.TermParser` parses the terms."""

    def __init__(self, formula: str) -> None:
        self.formula = formula
        self.tokens = tokenize(formula)
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def sees(self, *operators: str) -> bool:
        """Return whether the next token is one of some operators."""
        return self.next.kind == "operator" and self.next.value in operators

    def take(self, *operators: str) -> str | None:
        """Consume one of some operators and return it; return None if the next token is another."""
        if not self.sees(*operators):
            return None
        self.at += 1
        return str(self.tokens[self.at - 1].value)

    def expect(self, operator: str) -> None:
        """Consume an operator, or raise."""
        if self.take(operator) is None:
            self.fail(f"expected {operator!r}, not {self.next}")

    def fail(self, why: str) -> Never:
        """Raise the error for a syntax error at the next token."""
        unreadable(self.formula, f"{why} (character {self.next.at + 1})")

    def enter(self) -> None:
        """Increase the level of nesting."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"it is nested more than {DEEPEST} deep")

    def expression(self, floor: int = 0) -> Node:
        """Parse arithmetic, comparisons and conditions with operators of precedence `floor` or higher."""
        self.enter()
        left, compared = self._prefixed(), False
        while self.next.kind == "operator" and (level := LEVELS.get(str(self.next.value), -1)) >= floor:
            comparison = level == LEVELS["<"]
            if comparison and compared:
                self.fail("comparisons cannot be chained")
            compared = compared or comparison
            operator = str(self.take(str(self.next.value)))
            right = self.expression(LEVELS["sign"] if operator == "**" else level + 1)
            left = self._checked(Node("operator", operator, (left, right)))
        self.depth -= 1
        return left

    def _prefixed(self) -> Node:
        if sign := self.take(*SIGNS):
            return self._checked(Node("operator", sign, (self.expression(LEVELS["sign"]),)))
        if self.next == Token("name", "not", self.next.at):
            self.at += 1
            return self._checked(Node("operator", "not", (self.expression(LEVELS["not"]),)))
        return self.atom()

    def atom(self) -> Node:
        """Parse a name, a constant, a call, or an expression in brackets."""
        token = self.next
        if bracket := self.take(*CLOSERS):
            return self._bracketed(bracket)
        if token.kind in ("operator", "end"):
            self.fail(f"expected a column, a number or a function, not {token}")
        self.at += 1
        if token.kind == "name" and self.sees("("):
            return self._call(str(token.value))
        if token.kind == "name" and token.value in CONSTANTS:
            return Node("constant", CONSTANTS[str(token.value)])
        return Node("name" if token.kind in ("name", "quoted") else "constant", token.value)

    def _checked(self, node: Node) -> Node:
        if node.depth > DEEPEST:
            self.fail(f"it is nested more than {DEEPEST} deep")
        return node

    def _call(self, name: str) -> Node:
        self.expect("(")
        self.enter()
        parts: list[Node] = []
        keywords: dict[str, Node] = {}
        while not self.take(")"):
            if parts or keywords:
                self.expect(",")
                if self.take(")"):
                    break
            following = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
            if self.next.kind == "name" and (following.kind, following.value) == ("operator", "="):
                keyword = str(self.next.value)
                if keyword in keywords:
                    self.fail(f"{keyword}= is set twice")
                self.at += 2
                keywords[keyword] = self.expression()
            elif keywords:
                self.fail("a positional argument follows a keyword argument")
            else:
                parts.append(self.expression())
        self.depth -= 1
        return self._checked(Node("call", name, tuple(parts), tuple(keywords.items())))

    def _bracketed(self, bracket: str) -> Node:
        """Parse what follows an opening bracket: an expression in parentheses, a tuple, a list or a dict."""
        parts: list[Node] = []
        commas = 0
        while not self.take(CLOSERS[bracket]):
            if parts:
                self.expect(",")
                commas += 1
                if self.take(CLOSERS[bracket]):
                    break
            parts.append(self.expression())
            if bracket == "{":
                self.expect(":")
                parts.append(self.expression())
        if bracket == "(" and parts and not commas:
            return parts[0]
        kinds: dict[str, Any] = {"(": "tuple", "[": "list", "{": "dict"}
        return self._checked(Node(kinds[bracket], None, tuple(parts)))


def literal(node: Node) -> Any:
    """Return the value of a constant, or of a list, tuple or dict of constants; raise a ValueError for other nodes."""
    if node.kind == "constant":
        return node.value
    if node.kind in ("list", "tuple"):
        values = [literal(part) for part in node.parts]
        return values if node.kind == "list" else tuple(values)
    if node.kind == "dict":
        return dict(zip(map(literal, node.parts[::2]), map(literal, node.parts[1::2]), strict=True))
    if node.kind == "operator" and node.value in ("-", "+") and len(node.parts) == 1:
        value = literal(node.parts[0])
        if isinstance(value, int | float) and not isinstance(value, bool):
            return -value if node.value == "-" else value
    raise ValueError(node.text)
