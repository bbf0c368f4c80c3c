"""Parser of terms: sums and products of factors, expanded as in R, with a limit on their number."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from posteriori.input.formula.parser.factors import FactorParser
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.parser.tokens import shortened
from posteriori.messages.errors import DataError

#: The most products of two terms in the expansion of a formula.
MOST_PRODUCTS = 2**16

Term = tuple[Node, ...]
#: Terms by the texts of their factors, in order; the intercept is the product of no factor.
Terms = dict[frozenset[str], Term]
INTERCEPT: Terms = {frozenset(): ()}


@dataclass(frozen=True)
class ParsedFormula:
    """A formula after parsing.

    Parameters
    ----------
    target : the left-hand side, or None
    terms : tuples of factors, main effects first, without the intercept
    intercept : whether there is one
    dot : whether a dot represents all other columns
    """

    target: Node | None
    terms: tuple[Term, ...]
    intercept: bool
    dot: bool


def read_formula(formula: Any, columns: Sequence[str] = ()) -> ParsedFormula:
    """Parse a formula; `columns` are those that a dot represents.

    >>> written = read_formula("low ~ age * C(race) - 1")
    >>> written.target.text, [[factor.text for factor in term] for term in written.terms], written.intercept
    ('low', [['age'], ['C(race)'], ['age', 'C(race)']], False)
    """
    if not isinstance(formula, str):
        raise DataError(f"a formula must be a string such as 'y ~ a + b', not {formula!r}.")
    return TermParser(formula, columns).whole()


def without_target(formula: str) -> str:
    """Return the right-hand side of a formula, with its tilde.

    >>> without_target("`a~b` ~ x"), without_target("x")
    ('~ x', '~ x')
    """
    tildes = [token.at for token in FactorParser(formula).tokens if token.kind == "operator" and token.value == "~"]
    return formula[tildes[0] :] if tildes else f"~ {formula}"


class TermParser(FactorParser):
    """Parser of a formula: a target, a tilde, and terms."""

    def __init__(self, formula: str, columns: Sequence[str]) -> None:
        super().__init__(formula)
        self.columns = columns
        self.products = 0
        self.dot = False
        self.target: Node | None = None

    def whole(self) -> ParsedFormula:
        """Parse the formula."""
        if any(token.kind == "operator" and token.value == "~" for token in self.tokens):
            if not self.sees("~"):
                self.target = self._only(self._sum({}))
            self.expect("~")
        terms = dict(INTERCEPT)
        if self.next.kind != "end":
            terms = self._sum(INTERCEPT)
        if self.next.kind != "end":
            self.fail(f"{self.next} is not expected here")
        for term in terms.values():
            if term and all(factor.kind == "constant" for factor in term):
                self.fail(
                    f"the number {term[0].text} is a term; only 0 and 1 can be, other numbers scale a term as in 2:x"
                )
        ordered = sorted((term for term in terms.values() if term), key=len)  # main effects first, as in R
        return ParsedFormula(self.target, tuple(ordered), frozenset() in terms, self.dot)

    def _only(self, terms: Terms) -> Node:
        """Return the single factor of a target."""
        if len(terms) != 1:
            raise DataError(f"the formula {shortened(self.formula)} has {len(terms)} targets; one is needed.")
        ((*factors,),) = terms.values()
        if len(factors) != 1:
            self.fail("the target must be a column or cbind(successes, failures), not a product or a number")
        return factors[0]

    def _sum(self, start: Terms) -> Terms:
        self.enter()
        terms, signed = dict(start), True
        while signed:
            minus = False
            while sign := self.take("+", "-"):
                minus ^= sign == "-"
            if self._zero():
                minus, operand = not minus, INTERCEPT
            else:
                operand = self._crossed()
            if not minus:
                terms |= {key: term for key, term in operand.items() if key not in terms}
            elif operand == INTERCEPT and self.depth > 1 and frozenset() not in terms:
                self.fail("the intercept is removed by 0 or - 1 outside parentheses only")
            else:
                terms = {key: term for key, term in terms.items() if key not in operand}
            signed = self.sees("+", "-")
        if self.sees("|"):
            raise DataError(f"the formula {shortened(self.formula)} has several parts separated by '|'; one is needed.")
        self.depth -= 1
        return terms

    def _zero(self) -> bool:
        """Consume a 0 that is a term of its own: it removes the intercept."""
        if self.next.kind != "number" or self.next.value != 0:
            return False
        self.at += 1
        if self.sees("*", "/", ":", "**", "%in%"):
            self.fail("0 removes the intercept and cannot be a factor of a term")
        return True

    def _crossed(self) -> Terms:
        """Parse factors with the operators ``*``, ``/`` and ``%in%``."""
        left = self._interacting()
        while operator := self.take("*", "/", "%in%"):
            right = self._interacting()
            if operator == "*":
                left = _merged(_merged(left, right), self._times(left, right))
            else:
                outer, inner = (left, right) if operator == "/" else (right, left)
                common = {factor.text: factor for term in outer.values() for factor in term}
                left = _merged(outer, self._times(_terms([tuple(common.values())]), inner))
        return left

    def _interacting(self) -> Terms:
        left = self._powered()
        while self.take(":"):
            left = self._times(left, self._powered())
        return left

    def _powered(self) -> Terms:
        left = self._operand()
        while self.take("**"):
            power = self.next.value
            if self.next.kind != "number" or not isinstance(power, int) or power < 1:
                self.fail("a power of terms must be an integer of 1 or more; powers of numbers are inside I(...)")
            self.at += 1
            once, before = left, None
            for _ in range(power - 1):
                if list(left) == before:  # further factors add no term
                    break
                before, left = list(left), self._times(left, once)
        return left

    def _operand(self) -> Terms:
        """Parse an operand of sums and products: a factor, a dot, a 1, or terms in parentheses."""
        if self.take("("):
            terms = self._sum({})
            self.expect(")")
            return terms
        if self.take("{"):
            factor = self.expression()
            self.expect("}")
            return _terms([(factor,)])
        if self.next.kind == "name" and self.next.value == ".":
            self.at += 1
            self.dot = True
            used = set() if self.target is None else set(self.target.names())
            return _terms((Node("name", name),) for name in self.columns if name not in used)
        if self.next.kind == "text":
            self.fail("a string cannot be a term")
        factor = self.atom()
        return INTERCEPT if factor.kind == "constant" and repr(factor.value) == "1" else _terms([(factor,)])

    def _times(self, left: Terms, right: Terms) -> Terms:
        self.products += len(left) * len(right)
        if self.products > MOST_PRODUCTS:
            raise DataError(
                f"the formula {shortened(self.formula)} expands to too many terms: it needs more than {MOST_PRODUCTS} "
                "products of two terms."
            )
        products: Terms = {}
        for key, term in left.items():
            for other_key, other in right.items():
                if (both := key | other_key) not in products:
                    products[both] = term + tuple(factor for factor in other if factor.text not in key)
        return products


def _terms(terms: Iterable[Term]) -> Terms:
    """Return terms by the texts of their factors, once each."""
    unique: Terms = {}
    for term in terms:
        unique.setdefault(frozenset(factor.text for factor in term), term)
    return unique


def _merged(first: Terms, second: Terms) -> Terms:
    return first | {key: term for key, term in second.items() if key not in first}
