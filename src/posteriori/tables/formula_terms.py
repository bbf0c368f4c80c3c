"""Terms of a formula and how their categories are coded so that no column is a sum of others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from keyword import iskeyword
from typing import Any

from posteriori.tables.errors import DataError


@dataclass(frozen=True)
class Written:
    """A formula as it was written.

    Parameters
    ----------
    target : what stands before the tilde, or None
    terms : each a tuple of factors, as text; the intercept is not among them
    intercept : whether there is one
    """

    target: str | None
    terms: tuple[tuple[str, ...], ...]
    intercept: bool


def read_formula(formula: Any, columns: Sequence[str]) -> Written:
    """Split a formula into its terms; `columns` are what a dot stands for.

    >>> read_formula("low ~ age * C(race) - 1", [])
    Written(target='low', terms=(('age',), ('C(race)',), ('age', 'C(race)')), intercept=False)
    """
    if not isinstance(formula, str):
        raise DataError(f"a formula is text such as 'y ~ a + b', not {formula!r}.")
    if "`1`" in formula or ("1" in columns and has_dot(formula)):
        raise DataError(f"the formula {formula!r}: a column called '1' is taken for the intercept; write Q('1').")
    parsed = _parse(formula, columns)
    left, right = (list(getattr(parsed, "lhs", ())), getattr(parsed, "rhs", getattr(parsed, "root", parsed)))
    if isinstance(right, tuple) and right and not hasattr(right[0], "factors"):
        raise DataError(f"the formula {formula!r} has several parts divided by '|'; one is needed.")
    if len(left) > 1:
        raise DataError(f"the formula {formula!r} has {len(left)} targets; one is needed.")
    terms = [tuple(_text(factor) for factor in term.factors) for term in right]
    terms.sort(key=len)  # main effects before interactions, as R has them
    return Written(
        target=":".join(_text(factor) for factor in left[0].factors) if left else None,
        terms=tuple(term for term in terms if term != ("1",)),
        intercept=("1",) in terms,
    )


def has_dot(formula: str) -> bool:
    """Tell whether a formula has a dot for all columns that it does not name, so that nobody has chosen them.

    >>> [has_dot(formula) for formula in ("y ~ . - x", "y ~ dot.name + I(0.5 * x)", "y ~ `a . b`")]
    [True, False, False]
    """
    spoken = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "", formula)
    return re.search(r"(?<![\w.])\.(?![\w.])", spoken) is not None


def _parse(formula: str, columns: Sequence[str]) -> Any:
    try:
        from formulaic.errors import FormulaicError
        from formulaic.parser import DefaultFormulaParser
    except ImportError:
        raise ImportError("formulas need formulaic: pip install 'posteriori[formula]'.") from None
    try:
        return DefaultFormulaParser().get_terms(formula, context={"__formulaic_variables_available__": list(columns)})
    except (FormulaicError, SyntaxError, ValueError, TypeError, KeyError, RecursionError) as error:
        why = str(error).splitlines()[0] if str(error) else "it cannot be read"
        words = [name for name in re.findall(r"`([^`]*)`", formula) if iskeyword(name)]
        if isinstance(error, SyntaxError) and words:
            why = f"{words[0]!r} is a word of Python, which a column inside a function cannot be called; rename it."
        raise DataError(f"the formula {formula!r} cannot be read: {why}") from None


def _text(factor: Any) -> str:
    """Give a factor as text; a column whose name Python would not take for one in backticks."""
    text = str(factor.expr)
    plain = text.isidentifier() and not iskeyword(text)
    return f"`{text}`" if factor.eval_method.value == "lookup" and not plain else text


@dataclass(frozen=True)
class FormulaProduct:
    """A product of factors in a term, some categories with all their levels, others without one.

    Parameters
    ----------
    factors : positions of the factors
    whole : of those, categories that have a column for every level
    """

    factors: tuple[int, ...]
    whole: tuple[int, ...]


def products(terms: Sequence[Sequence[int]], categories: set[int], intercept: bool) -> list[list[FormulaProduct]]:
    """Code each term so that together they span what they say, and no column is a sum of others.

    A category with all its levels is the same as 1 and the category without one level. So a term is a sum over the
    subsets of its categories; subsets that earlier terms have are left out, and what is left is put together again.

    >>> products([(0,), (1,), (0, 1)], {0, 1}, intercept=True)[2]
    [FormulaProduct(factors=(0, 1), whole=())]
    >>> products([(0,)], {0}, intercept=False)
    [[FormulaProduct(factors=(0,), whole=(0,))]]
    """
    have: dict[frozenset[int], set[frozenset[int]]] = {frozenset(): {frozenset()} if intercept else set()}
    coded = []
    for term in terms:
        own = [factor for factor in term if factor in categories]
        numbers = frozenset(factor for factor in term if factor not in categories)
        seen = have.setdefault(numbers, set())
        subsets = [frozenset(part) for size in range(len(own) + 1) for part in combinations(own, size)]
        new = [part for part in subsets if part not in seen]
        seen.update(new)
        kept = _together(new)
        coded.append(
            [
                FormulaProduct(
                    tuple(factor for factor in term if factor not in categories or factor in part),
                    tuple(sorted(whole)),
                )
                for part, whole in kept
            ]
        )
    return coded


def _together(subsets: list[frozenset[int]]) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Join a subset and the one with one factor more into the latter with that factor whole, as often as can be."""
    parts = [(subset, frozenset[int]()) for subset in subsets]
    joined = True
    while joined:
        joined = False
        for small in sorted(parts, key=lambda part: len(part[0])):
            for large in parts:
                more = large[0] - small[0]
                if len(more) == 1 and small[0] < large[0] and small[1] == large[1]:
                    parts[parts.index(large)] = (large[0], large[1] | more)
                    parts.remove(small)
                    joined = True
                    break
            if joined:
                break
    return parts
