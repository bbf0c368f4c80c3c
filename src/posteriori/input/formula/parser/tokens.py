"""Tokens of a formula: names, numbers, strings and operators."""

import re
from dataclasses import dataclass
from typing import Literal, Never

from posteriori.messages.errors import DataError

#: The most characters of a formula.
LONGEST = 2**20
#: The most digits of an integer.
MOST_DIGITS = 18

_PATTERN = re.compile(
    r"""(?P<space>\s+)
    |`(?P<quoted>[^`]+)`
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])
    |(?P<word>[\w.]+)
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<operator>%\s*in\s*%|\*\*|//|<=|>=|==|!=|[-+*/^:~|&()\[\]{},<>=%])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|\n|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "\n": ""}


@dataclass(frozen=True)
class Token:
    """A token of a formula.

    Parameters
    ----------
    kind : name, quoted (a name in backticks), number, text, operator, or end
    value : the name, the number, the text without its quotes, the operator
    at : its position
    """

    kind: Literal["name", "quoted", "number", "text", "operator", "end"]
    value: str | float
    at: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.value)


def tokenize(formula: str) -> list[Token]:
    """Split a formula into tokens; the last one is the end.

    >>> [token.value for token in tokenize("y ~ log(`a b`) + x.1^2 + C(g, 'b')")][5:-1]
    [')', '+', 'x.1', '**', 2, '+', 'C', '(', 'g', ',', 'b', ')']
    """
    if len(formula) > LONGEST:
        raise DataError(f"the formula has {len(formula)} characters; the limit is {LONGEST}.")
    tokens, at = [], 0
    while at < len(formula):
        match = _PATTERN.match(formula, at)
        if match is None:
            unreadable(formula, f"{formula[at]!r} (character {at + 1}) is not allowed, or is an unclosed quote")
        kind = str(match.lastgroup)
        if kind != "space":
            tokens.append(_token(kind, match[kind], at, formula))
        at = match.end()
    return [*tokens, Token("end", "", at)]


def _token(kind: str, text: str, at: int, formula: str) -> Token:
    if kind == "number":
        whole = text.isdigit() and text.isascii()
        if whole and len(text) > MOST_DIGITS:
            unreadable(formula, f"the number at character {at + 1} has {len(text)} digits")
        return Token("number", int(text) if whole else float(text), at)
    if kind == "text":
        return Token("text", _ESCAPE.sub(lambda match: _unescaped(match[1]), text[1:-1]), at)
    if kind == "operator":
        return Token("operator", "%in%" if "in" in text else "**" if text == "^" else text, at)
    return Token("quoted" if kind == "quoted" else "name", text, at)


def _unescaped(code: str) -> str:
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return _SIMPLE.get(code, f"\\{code}")


def shortened(formula: str) -> str:
    """Return a formula in quotes for a message, a long one without its middle."""
    text = formula if len(formula) <= 200 else f"{formula[:120]} … {formula[-60:]}"
    return repr(text)


def unreadable(formula: str, why: str) -> Never:
    """Raise the error for a formula with a syntax error."""
    raise DataError(f"the formula {shortened(formula)} cannot be parsed: {why}.")
