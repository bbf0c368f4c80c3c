"""The laws of families: densities sum to one, sampling then fitting recovers, weights are copies, gaps say nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from posteriori.backends.backend import ARRAYS, COMPILED
from tests.laws.statistics_laws import assert_same

#: Both kernels of one signature are tried.
BACKENDS = (ARRAYS, COMPILED)


@dataclass(frozen=True)
class Example:
    """A family, rows to fit it to, and the points of one cell over which its density is summed.

    Parameters
    ----------
    family : the family
    columns, codes : (n, d) rows and (n,) their classes, none of them missing
    cells : (m,) evenly spaced points that cover the mass of a column, or all values of a discrete one
    estimands : what besides `describe` must be recovered from a sample
    widths : (m,) what each cell stands for in an integral, where cells are not evenly spaced
    space : of a family over a group, rows (m, d) and their volumes (m,) to sum over
    """

    family: Any
    columns: np.ndarray
    codes: np.ndarray
    cells: np.ndarray
    estimands: Callable[[Any], np.ndarray] | None = None
    widths: np.ndarray | None = None
    space: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def n_classes(self):
        return int(self.codes.max()) + 1

    @property
    def volumes(self):
        """Give the volume each cell stands for: 1 for a discrete cell."""
        if self.widths is not None:
            return self.widths
        return np.full(len(self.cells), 1.0 if discrete(self.family) else self.cells[1] - self.cells[0])

    def statistics(self, columns=None, codes=None, weights=None, backend=ARRAYS):
        columns = self.columns if columns is None else columns
        codes = self.codes if codes is None else codes
        weights = np.ones(len(columns)) if weights is None else weights
        return self.family.summarize(columns, codes, weights, self.n_classes, backend)

    def parameters(self):
        return self.family.estimate(self.statistics())


def discrete(family):
    """Say whether a family's cells are few whole numbers: halves are refused or outside its dictionary."""
    return family.takes_levels or bool(family.invalid(np.array([[0.5]])).all())


def check_family(example, seed=0):
    """Check every law of a family on one example."""
    rng = np.random.default_rng(seed)
    for backend in BACKENDS:
        check_density_sums_to_one(example, backend)
        check_discriminant(example, backend)
        if takes_gaps(example.family):
            check_missing_cells_add_nothing(example, rng, backend)
    check_weights_are_copies(example, rng)
    check_merging(example, rng)
    check_linear_form(example)
    check_sampling_recovers(example, rng)
    check_domain(example)


def takes_gaps(family):
    """Say whether a missing cell is allowed."""
    return not family.invalid(np.array([[np.nan]])).any()


def points(example):
    """Give every combination of the cells of the columns, (m^d, d), and the volume each stands for."""
    if example.space is not None:
        return example.space
    d = example.columns.shape[1]
    rows = np.array(list(product(example.cells, repeat=d)))
    return rows, np.array(list(product(example.volumes, repeat=d))).prod(axis=1)


def check_density_sums_to_one(example, backend):
    """The density of every class sums, or integrates, to one."""
    parameters = example.parameters()
    rows, volumes = points(example)
    log_p = example.family.log_density(parameters, rows, backend)
    np.testing.assert_allclose(volumes @ np.exp(log_p), 1.0, rtol=1e-9)


def check_discriminant(example, backend):
    """The discriminant differs from the log density by a term common to the classes."""
    parameters = example.parameters()
    gap = example.family.log_density(parameters, example.columns, backend) - example.family.discriminant(
        parameters, example.columns, backend
    )
    np.testing.assert_allclose(gap - gap[:, :1], 0.0, atol=1e-9)


def check_missing_cells_add_nothing(example, rng, backend):
    """A row of gaps adds nothing to fit or predict; a single gap is summed out exactly."""
    family, parameters, X = example.family, example.parameters(), example.columns
    n, d = X.shape
    gap = np.full((3, d), np.nan)
    with_gaps = example.statistics(
        np.vstack([X, gap]), np.concatenate([example.codes, np.arange(3) % example.n_classes]), backend=backend
    )
    assert_same(with_gaps, example.statistics(backend=backend))
    assert not family.log_density(parameters, gap, backend).any()
    rows = X[rng.choice(n, 5)]
    if example.space is not None:  # parts of a whole: without one of them a row says nothing
        rows[:, 0] = np.nan
        assert not family.log_density(parameters, rows, backend).any()
        assert not family.discriminant(parameters, rows, backend).any()
        return
    for j in range(d):
        holed = rows.copy()
        holed[:, j] = np.nan
        total = 0.0
        for cell, volume in zip(example.cells, example.volumes, strict=True):
            rows[:, j] = cell
            total = total + np.exp(family.log_density(parameters, rows, backend)) * volume
        np.testing.assert_allclose(np.exp(family.log_density(parameters, holed, backend)), total, rtol=1e-9)


def check_weights_are_copies(example, rng):
    """A row of weight 2 is two copies of it; a row of weight zero is none."""
    n = len(example.columns)
    repeats = rng.integers(0, 4, n)
    repeats[: example.n_classes] = 1
    for backend in BACKENDS:
        weighted = example.statistics(weights=repeats.astype(float), backend=backend)
        copied = example.statistics(
            np.repeat(example.columns, repeats, axis=0), np.repeat(example.codes, repeats), backend=backend
        )
        mine, yours = example.family.estimate(weighted), example.family.estimate(copied)
        rows = example.columns[:20]
        np.testing.assert_allclose(
            example.family.log_density(mine, rows, ARRAYS),
            example.family.log_density(yours, rows, ARRAYS),
            rtol=1e-10,
            atol=1e-10,
        )


def check_merging(example, rng):
    """The statistics of two halves merge into those of all rows, whichever kernel made them."""
    half = rng.random(len(example.columns)) < 0.5
    for backend in BACKENDS:
        first, second = (
            example.statistics(example.columns[m], example.codes[m], backend=backend) for m in (half, ~half)
        )
        assert_same(first.merge(second), example.statistics(backend=ARRAYS))


def check_linear_form(example):
    """Where there is a linear form, weights over T(x) give the discriminant up to a common term."""
    family, parameters = example.family, example.parameters()
    names = tuple(f"x{j}" for j in range(example.columns.shape[1]))
    levels = tuple(example.cells if family.takes_levels else () for _ in names)
    part = family.linear(parameters, names, levels)
    if part is None:
        return
    T = family.statistic(example.columns)
    assert part.coef.shape == (example.n_classes, T.shape[1])
    assert len(part.names) == T.shape[1]
    gap = T @ part.coef.T + part.intercept - family.log_density(parameters, example.columns, ARRAYS)
    np.testing.assert_allclose(gap - gap[:, :1], 0.0, atol=1e-8)


def check_sampling_recovers(example, rng, n=100_000, batches=20):
    """Of 100,000 rows drawn, the estimates are within 5 standard errors of the truth, found from 20 batches."""
    family, truth = example.family, example.parameters()
    codes = rng.integers(0, example.n_classes, n)
    drawn = family.sample(truth, codes, rng)
    assert drawn.shape == (n, example.columns.shape[1])
    assert not family.invalid(drawn).any()
    parts = [example.statistics(drawn[b::batches], codes[b::batches]) for b in range(batches)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    each = np.stack([_estimands(example, family.estimate(part)) for part in parts])
    error = each.std(axis=0, ddof=1) / np.sqrt(batches)
    off = np.abs(_estimands(example, family.estimate(whole)) - _estimands(example, truth))
    assert (off <= 5 * error + 1e-12).all(), off / np.maximum(error, 1e-300)
    assert (error > 0).any()


def _estimands(example, parameters):
    """Lay out all that is to be recovered in one vector."""
    d = example.columns.shape[1]
    shown = [values.ravel() for j in range(d) for values in example.family.describe(parameters, j).values()]
    if example.estimands is not None:
        shown.append(example.estimands(parameters).ravel())
    return np.concatenate(shown)


def check_domain(example):
    """No cell of the example is refused, infinite ones are, and the family can say what it takes."""
    family = example.family
    assert not family.invalid(example.columns).any()
    assert family.invalid(np.array([[np.inf], [-np.inf]])).all()
    assert family.domain()
    assert family.n_parameters(example.parameters()) > 0
