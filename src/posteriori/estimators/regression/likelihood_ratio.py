"""Likelihood-ratio tests of nested fits, penalised under Jeffreys' prior."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from posteriori.estimators.wrappers.layers import innermost
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.tests import TestResult
from posteriori.inference.coefficients.validity import refuse_likelihood
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote, select
from posteriori.models.sketch import Sketch

NAME = "likelihood-ratio test"


@dataclass(frozen=True)
class TestSequence:
    """Likelihood-ratio tests of each model of a sequence against the one before it.

    Parameters
    ----------
    tests : one per pair of neighbours
    n_coefficients, log_likelihoods : of each model
    """

    __test__ = False  # not a test case, though pytest would take it for one by its name

    tests: tuple[TestResult, ...]
    n_coefficients: tuple[int, ...]
    log_likelihoods: tuple[float, ...]
    native: str | None = field(default=None, repr=False, compare=False)

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame with one row per model; the first has no test."""
        none = (np.nan,)
        return frame_of(
            {
                "model": np.arange(1, len(self.n_coefficients) + 1),
                "n_coefficients": np.array(self.n_coefficients),
                "log_likelihood": np.array(self.log_likelihoods),
                "df": np.array([*none, *(test.df for test in self.tests)]),
                "statistic": np.array([*none, *(test.statistic for test in self.tests)]),
                "p_value": np.array([*none, *(test.p_value for test in self.tests)]),
            },
            native=native or self.native,
        )

    def __repr__(self) -> str:
        lines = [f"model {number} against {number - 1}: {test}" for number, test in enumerate(self.tests, start=2)]
        return "\n".join(lines)


def likelihood_ratio_test(
    small: Any, large: Any, *larger: Any, X: Any = None, y: Any = None, sample_weight: Any = None, offset: Any = None
) -> TestResult | TestSequence:
    """Test nested models by the likelihood ratio 2 (log L_large - log L_small).

    All models must be fits of the same rows and classes, each nested in the next: the columns of the smaller are linear
    combinations of those of the larger, whatever their names (linear in polynomial, spline or factor; other reference
    levels). This is decided from a random projection of the columns that fit keeps in memory; for models from a file or
    of many rows give `X`, or the smaller model's columns must be among the larger's by name. For a separated model the
    supremum of its likelihood is compared.

    With ``prior="jeffreys"`` both likelihoods have the penalty of the larger model: the smaller model is the larger one
    with its coefficients restricted (R's ``logistftest``), because the penalties of two models differ by a
    constant that depends on the units of the columns. This needs `X` and `y`.

    Parameters
    ----------
    small, large, larger : fitted `LogisticRegression` (or another regression through a link), the smallest first
    X, y, sample_weight, offset : the rows of the fits, where needed; raises if X and y are not those rows

    Returns
    -------
    TestResult : ``statistic``, ``df``, ``p_value``; of more than two models a `TestSequence` of them

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 0.0]], [0, 1, 0, 1, 1]
    >>> rows = [row[:1] for row in X]
    >>> with_prior = pt.LogisticRegression(prior=1.0).fit(rows, y)
    >>> pt.likelihood_ratio_test(with_prior, with_prior)
    Traceback (most recent call last):
    posteriori.messages.errors.DataError: a likelihood-ratio test is refused: the coefficients are penalised ...
    """
    models = (small, large, *larger)
    rows = {"X": X, "y": y, "sample_weight": sample_weight, "offset": offset}
    _check_rows(models, rows)
    tests = tuple(_test(*pair, rows) for pair in pairwise(models))
    if len(tests) == 1:
        return tests[0]
    sizes = tuple(model._fitted().information.n_free for model in models)
    return TestSequence(tests, sizes, tuple(model.log_likelihood_ for model in models))


def _check_rows(models: tuple[Any, ...], rows: dict[str, Any]) -> None:
    """Raise if rows are not those of every fit, or are passed in part."""
    names = [f"{name}=" for name, value in rows.items() if name != "X" and value is not None]
    if names and (rows["X"] is None or rows["y"] is None):
        raise DataError(f"{' and '.join(names)} would not be used without X= and y=: pass all rows of the fits.")
    if names:
        for model in models:
            model._refuse_other_rows(**rows)


def _test(small: Any, large: Any, rows: dict[str, Any]) -> TestResult:
    first, second = small._fitted(), large._fitted()
    for fitted in (first, second):
        refuse_likelihood(fitted, "a likelihood-ratio test", or_times_jeffreys=first.prior == second.prior)
    _refuse_different(small, large, first, second)
    df = second.information.n_free - first.information.n_free
    if df < 1:
        raise DataError(
            f"the second model must have more coefficients than the first: they have {second.information.n_free} and "
            f"{first.information.n_free}. Pass the smaller model first."
        )
    sketches = _sketches(small, large, first, second, rows["X"])
    if first.prior == "jeffreys":
        return TestResult(f"penalised {NAME}", _penalised(large, sketches, rows), df)
    gain = first.information.loss - second.information.loss
    if gain < -1e-6 * max(1.0, abs(first.information.loss)):
        raise DataError("the larger model fits worse than the smaller one, so the smaller is not nested in it.")
    return TestResult(NAME, max(2.0 * gain, 0.0), df)


def _penalised(large: Any, sketches: tuple[Sketch, Sketch] | None, rows: dict[str, Any]) -> float:
    """Compute twice the fall of the penalised likelihood of `large` within the space of the smaller model."""
    if sketches is None or rows["X"] is None or rows["y"] is None:
        raise DataError(
            "a penalised likelihood-ratio test fits the smaller model again, with the penalty of the larger one: give "
            "X= and y= of the fits (and sample_weight=, offset= if they had)."
        )
    own, other = sketches
    statistic: float = large._restricted_statistic(own.embedding(other), **rows)
    return statistic


def _sketches(small: Any, large: Any, first: Fitted, second: Fitted, X: Any) -> tuple[Sketch, Sketch] | None:
    """Return the sketches of two fits, checked to be of nested models; None where there are no sketches."""
    one, two = first.information.known_sketch, second.information.known_sketch
    if one is not None and two is not None and not one.same_rows(two):
        raise DataError(
            "the models were fitted to different rows, targets, weights or offsets, or to rows in another order: fit "
            "both to the same rows."
        )
    if (one is None or two is None) and X is not None:
        one, two = small._sketch(X), large._sketch(X)
    if one is None or two is None:
        named = all(innermost(model).model_.columns.names is not None for model in (small, large))
        extra: Any = [name for name in first.terms if name not in second.terms]
        if named and extra:
            _refuse_unnested(extra, "; if other columns add up to it, give X=")
        return None
    if extra := select(first.terms, one.outside(two)):
        _refuse_unnested(extra, ", nor columns that add up to it")
    return one, two


def _refuse_unnested(terms: Any, more: str) -> None:
    """Raise for terms of the small model that are not in the large one."""
    others = f" (nor {quote(list(terms[1:]))})" if len(terms) > 1 else ""
    raise DataError(f"the small model is not nested in the large one, which has no {terms[0]!r}{others}{more}.")


def _refuse_different(small: Any, large: Any, first: Fitted, second: Fitted) -> None:
    """Raise if two models were not fitted to the same rows and classes with the same link."""
    if first.classes != second.classes:
        raise DataError(f"the models have different classes: {first.classes} and {second.classes}.")
    one, two = first.information, second.information
    if one.n_rows != two.n_rows or not np.allclose(one.totals, two.totals, rtol=1e-10, atol=0):
        raise DataError(
            f"the models were fitted to different rows ({one.n_rows} and {two.n_rows}, with weights by class "
            f"{one.totals.tolist()} and {two.totals.tolist()}): their likelihoods cannot be compared."
        )
    same = first.units.intercept == second.units.intercept
    if same and not np.isclose(small.null_deviance_, large.null_deviance_, rtol=1e-8, atol=0):
        raise DataError(
            "the models were fitted with different offsets or to different rows: fit both to the same rows and offsets."
        )
    if first.link.name != second.link.name:
        raise DataError(f"the models have different links, {first.link.name} and {second.link.name}.")
    if not first.link.is_canonical and first.link != second.link:
        raise DataError(f"the models have different links, {first.link!r} and {second.link!r}.")
