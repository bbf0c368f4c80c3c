"""Coding of the categories of a formula without redundant columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from posteriori.messages.errors import DataError
from posteriori.storable import storable

#: The most factors of one product.
MOST_FACTORS = 64
#: The most categories of one term: its coding enumerates their subsets.
MOST_CATEGORIES = 8


@storable
@dataclass(frozen=True)
class FormulaProduct:
    """A product of factors of a term; each category is coded with all its levels or without the reference level.

    Parameters
    ----------
    factors : positions of the factors
    whole : those of them that are categories with a column for every level
    """

    factors: tuple[int, ...]
    whole: tuple[int, ...]


def products(terms: Sequence[Sequence[int]], categories: set[int], intercept: bool) -> list[list[FormulaProduct]]:
    """Return the products of each term, such that the columns of all terms are linearly independent.

    A category with all its levels spans the constant and the category without one level. So a term is a sum over the
    subsets of its categories. Subsets of earlier terms are dropped; the others are merged.

    >>> products([(0,), (1,), (0, 1)], {0, 1}, intercept=True)[2]
    [FormulaProduct(factors=(0, 1), whole=())]
    >>> products([(0,)], {0}, intercept=False)
    [[FormulaProduct(factors=(0,), whole=(0,))]]
    """
    spanned: dict[frozenset[int], set[frozenset[int]]] = {frozenset(): {frozenset()} if intercept else set()}
    coded = []
    for term in terms:
        own = [factor for factor in term if factor in categories]
        if len(own) > MOST_CATEGORIES or len(term) > MOST_FACTORS:
            raise DataError(
                f"the formula has a product of {len(term)} factors, {len(own)} of them categories; the limit is "
                f"{MOST_FACTORS} factors and {MOST_CATEGORIES} categories."
            )
        numbers = frozenset(factor for factor in term if factor not in categories)
        earlier = spanned.setdefault(numbers, set())
        subsets = [frozenset(part) for size in range(len(own) + 1) for part in combinations(own, size)]
        new = [part for part in subsets if part not in earlier]
        earlier.update(new)
        coded.append([FormulaProduct(_factors(term, categories, part), tuple(whole)) for part, whole in _merged(new)])
    return coded


def _factors(term: Sequence[int], categories: set[int], part: frozenset[int]) -> tuple[int, ...]:
    """Return the factors of a term without the categories that are not in a subset."""
    return tuple(factor for factor in term if factor not in categories or factor in part)


def _merged(subsets: list[frozenset[int]]) -> list[tuple[frozenset[int], list[int]]]:
    """Merge pairs of subsets that differ in one category into the larger one, with all levels of that category."""
    parts = [(subset, frozenset[int]()) for subset in subsets]
    while pair := _pair(parts):
        small, large = pair
        parts[parts.index(large)] = (large[0], large[1] | (large[0] - small[0]))
        parts.remove(small)
    return [(part, sorted(whole)) for part, whole in parts]


Part = tuple[frozenset[int], frozenset[int]]


def _pair(parts: list[Part]) -> tuple[Part, Part] | None:
    """Return the first pair of subsets that can be merged, the smallest subsets first."""
    for small in sorted(parts, key=lambda part: len(part[0])):
        for large in parts:
            if len(large[0] - small[0]) == 1 and small[0] < large[0] and small[1] == large[1]:
                return small, large
    return None
