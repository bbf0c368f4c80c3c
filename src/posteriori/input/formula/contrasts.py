"""How the categories in the terms of a formula are coded so that no column is a sum of others."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from posteriori.messages.errors import DataError
from posteriori.storable import storable

#: Factors of one product.
MOST_FACTORS = 64
#: Categories of one term: its coding looks at each of their subsets.
MOST_CATEGORIES = 8


@storable
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
        if len(own) > MOST_CATEGORIES or len(term) > MOST_FACTORS:
            raise DataError(
                f"the formula has a product of {len(term)} factors, {len(own)} of them categories; the most are "
                f"{MOST_FACTORS} factors and {MOST_CATEGORIES} categories."
            )
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
