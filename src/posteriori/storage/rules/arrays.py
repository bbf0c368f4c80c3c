"""The shapes and ranges of the arrays, and the ranges of the numbers, of each storable class.

A shape is a list of sizes, one letter each; a letter stands for the same size in all arrays of a value, and letters
side by side are multiplied. Of a value with units p (coefficients per score) is known beforehand.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from posteriori.checks.requirements import (
    ANY,
    CODE,
    FINITE,
    FINITE_NOT_NEGATIVE,
    FINITE_POSITIVE,
    LARGEST,
    NOT_NEGATIVE,
    PROBABILITY,
    SMALLEST,
    WEIGHT,
    Numbers,
    bounded,
    integer,
    number,
)
from posteriori.designs.units import Units

#: The largest sum over rows: weights are at most 2^200, and their squares are summed.
SUM = bounded(1e250)
#: The largest entry of a root of a covariance in the units of a fit, and the largest third cumulant in units of it.
ROOT, CUMULANT = bounded(1e140), bounded(1e100)
#: The smallest scale of a column: its inverse is a float.
SCALE = Numbers(
    float(np.finfo(np.float64).tiny), FINITE.most, "a scale that is not positive, or too small to divide by"
)

#: Names of arrays, their range and their shape, by the name of the class; those of a class hold for its subclasses.
ARRAYS: Mapping[str, tuple[tuple[str, Numbers, str], ...]] = {
    # bases and priors
    "PolynomialPhi": (("parents factors", ANY, "m"),),
    "ColumnwisePhi": (("centers", FINITE, "m"), ("widths", FINITE_POSITIVE, "m")),
    "GaussianPhi": (("centers", FINITE, "m d"), ("widths", FINITE_POSITIVE, "m")),
    "Weights": (("coef", FINITE, "k d"), ("intercept", FINITE, "k")),
    "Quadratic": (("mean", FINITE, "n"),),
    # linear predictors and their inference
    "Units": (("scale", SCALE, "d"), ("centre", FINITE, "d")),
    "LinearScores": (("w", FINITE, "s p"),),
    "Information": (
        ("infinite", CODE, "m"),
        ("totals", FINITE_NOT_NEGATIVE, "k"),
        ("aliased", FINITE, "m a"),
        ("vanished", FINITE, "m b"),
        ("triangle", FINITE, "p p"),
        ("pairs", CODE, "o p"),
        ("directions", FINITE, "m g"),
    ),
    "Sums": (("observed expected meat by_rows", SUM, "m m"),),
    "Trace": (("objective gradient_norm rate", ANY, "n"),),
    "OnlineState": (("w average", FINITE, "s p"),),
    "GaussianPosterior": (("w", FINITE, "s p"), ("root", ROOT, "r sp")),
    "CorrectedPosterior": (("third", CUMULANT, "t"),),
    "ChosenPrecision": (
        ("precision most_probable", FINITE_POSITIVE, "d"),
        ("precision_data", NOT_NEGATIVE, "d"),
        ("bound", ANY, "d"),
    ),
    "Adaptation": (("priors", PROBABILITY, "k"),),
    # statistics
    "Moments": (("mean", FINITE, "k d"), ("scale", NOT_NEGATIVE, "d"), ("weight", WEIGHT, "k d"),
              ("scatter", NOT_NEGATIVE, "k d")),
    "Gram": (("mean", FINITE, "k d"), ("scale", NOT_NEGATIVE, "d"), ("weight", WEIGHT, "k"),
           ("scatter", FINITE, "m d d")),
    "FourthGram": (("scatter third", FINITE, "k d d"), ("fourth", FINITE_NOT_NEGATIVE, "k d d")),
    "WithinScatter": (("mean", FINITE, "k d"), ("scale", NOT_NEGATIVE, "d"), ("weight", WEIGHT, "k"),
                    ("factor", FINITE, "r d")),
    "Means": (("mean", FINITE, "k d"), ("weight", WEIGHT, "k d")),
    "LogMeans": (("mean lag", FINITE_NOT_NEGATIVE, "k d"), ("weight", WEIGHT, "k d")),
    "JointCounts": (("codes", NOT_NEGATIVE, "m d"), ("counts", FINITE_NOT_NEGATIVE, "k m")),
    # densities
    "FullParameters": (("mean centre", FINITE, "k d"), ("scale", FINITE, "d"), ("covariance", ANY, "m d d"),
                     ("whiten colour", FINITE, "m d d"), ("log_norm", FINITE, "m")),
    "LowRankParameters": (("noise", NOT_NEGATIVE, "m d"), ("precision_root", FINITE, "m d"), ("sizes", FINITE, "m q"),
                        ("loadings", ANY, "m d q"), ("directions", FINITE, "m d q")),
    # perceptrons
    "PerceptronState": (("w lagged best", FINITE, "s q"), ("tally", NOT_NEGATIVE, "t")),
    "PerceptronTrace": (("row", NOT_NEGATIVE, "n"),),
}  # fmt: skip

#: Numbers and the least that they may be, by the name of the class; they are finite, and integers exact as floats.
NUMBERS: Mapping[str, dict[str, float]] = {
    "ColumnwisePhi": {"n_inputs": 1},
    "Coded": {"reference": 0},
    "CategoryFactor": {"reference": 0},
    "Expression": {"value": -LARGEST},
    "Information": {"n_rows": 1, "n_free": 0, "loss": -LARGEST, "scale": SMALLEST, "n_copies": SMALLEST},
    "OnlineState": {"rows": 0, "rate": SMALLEST},
    "GaussianPosterior": {"log_evidence": -LARGEST},
    "CorrectedPosterior": {"log_evidence": -LARGEST},
    "ChosenPrecision": {"intercept_precision": SMALLEST, "excess": -LARGEST, "evaluations": 0, "sweeps": 0},
    "Adaptation": {"log_likelihood": -LARGEST, "gap": -LARGEST, "iterations": 0},
    "PerceptronState": {"updates": 0},
    "InputColumns": {"number": 0},
    "TableClassifier": {"n_rows_": 1, "n_features_in_": 0, "n_dropped_": 0},
}


def check_numbers(value: Any, where: str) -> None:
    """Raise unless each number of a value is finite and not below its least; one that may be absent is skipped."""
    for kind in type(value).__mro__:
        for name, least in NUMBERS.get(kind.__name__, {}).items():
            size = vars(value).get(name)
            if isinstance(size, int | np.integer):
                integer(size, f"{where}.{name}", int(least))
            elif size is not None:
                number(size, f"{where}.{name}", least)


def check_arrays(value: Any, where: str) -> None:
    """Raise unless each array of a value has its shape and range; one that may be absent is skipped."""
    sizes = _known_sizes(value)
    for kind in reversed(type(value).__mro__):
        for names, numbers, letters in ARRAYS.get(kind.__name__, ()):
            for name in names.split():
                array = getattr(value, name, None)
                if array is not None:
                    numbers.check(array, _shape(array, letters.split(), sizes), f"{where}.{name}")


def _known_sizes(value: Any) -> dict[str, int]:
    units = getattr(value, "units", None)
    return {"p": units.n_coefficients} if isinstance(units, Units) else {}


def _shape(array: Any, letters: list[str], sizes: dict[str, int]) -> tuple[int, ...]:
    """Return the shape that an array must have; a letter that occurs first here takes the size of the array."""
    own = (*np.shape(array), *[0] * len(letters))
    for letter, size in zip(letters, own, strict=False):
        if len(letter) == 1:
            sizes.setdefault(letter, size)
    return tuple(math.prod(sizes[each] for each in letter) for letter in letters)
