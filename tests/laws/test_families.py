"""Every family found in the package obeys the laws of families."""

import numpy as np
import pytest

from posteriori.backends.backend import ARRAYS
from posteriori.families.base import Family
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.beta import Beta
from posteriori.families.binomial import Binomial
from posteriori.families.categorical import Categorical
from posteriori.families.dirichlet import Dirichlet
from posteriori.families.exponential import Exponential
from posteriori.families.gamma import Gamma
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.joint import JointGaussian
from posteriori.families.gaussian.low_rank import LowRankGaussian
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.gaussian.shrinkage import ShrunkGaussian
from posteriori.families.gaussian.spherical import SphericalGaussian
from posteriori.families.joint_table import JointTableFamily
from posteriori.families.multinomial import Multinomial
from posteriori.families.poisson import Poisson
from tests.laws.discovery import members
from tests.laws.family_laws import Example, check_family, check_sampling_recovers


def numbers(n=90, d=2, K=3, seed=1):
    """Give rows of K Gaussian classes, and cells that cover their mass."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % K
    mix = np.eye(d) + 0.4 * rng.standard_normal((d, d))
    return rng.standard_normal((n, d)) @ mix + rng.standard_normal((K, d))[codes], codes, np.linspace(-18, 18, 601)


def table(J, n=90, d=2, K=3, seed=1):
    """Give rows of categories 0 … J - 1, and those."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % K
    return np.minimum(rng.poisson(0.4 + 0.5 * codes[:, None], (n, d)), J - 1).astype(float), codes, np.arange(float(J))


def drawn(draw, n=90, K=3, seed=1):
    """Give rows of K classes, ``draw(rng, codes)``."""
    codes = np.arange(n) % K
    return draw(np.random.default_rng(seed), codes), codes


def positive(t):
    """Give points on the positive axis, evenly spaced in their logarithms, and the width of each."""
    return np.exp(t), np.exp(t) * (t[1] - t[0])


def shares(t):
    """Give points between zero and one, evenly spaced in their log odds, and the width of each."""
    x = 1 / (1 + np.exp(-t))
    return x, np.exp(-np.logaddexp(0, t) - np.logaddexp(0, -t)) * (t[1] - t[0])


def with_widths(cells):
    """Lay cells and widths out as an example takes them."""
    return cells[0], None, cells[1]


def simplex(t):
    """Give points (x, y, 1 - x - y) by breaking a stick twice, and the volumes of each in x and y."""
    (x, dx), (b, db) = shares(t), shares(t)
    x, b = (part.ravel() for part in np.meshgrid(x, b))
    rest = 1 / (1 + np.exp(np.repeat(t[None], len(t), axis=0).ravel()))
    rows = np.column_stack([x, rest * b, rest / (1 + np.exp(np.log(b / (1 - b))))])
    dx, db = (part.ravel() for part in np.meshgrid(dx, db))
    return rows, dx * rest * db


def deals(total, d):
    """Give all counts (d,) with this total."""
    from itertools import product

    rows = np.array([row for row in product(range(total + 1), repeat=d) if sum(row) == total], float)
    return rows, np.ones(len(rows))


COUNTS = drawn(lambda rng, codes: rng.poisson(1.0 + codes[:, None], (90, 2)).astype(float))
SUCCESSES = drawn(lambda rng, codes: rng.binomial(6, 0.2 + 0.2 * codes[:, None], (90, 2)).astype(float))
WAITS = drawn(lambda rng, codes: rng.exponential(1.0 + codes[:, None], (90, 1)))
POSITIVE = drawn(lambda rng, codes: rng.gamma(2.0 + codes[:, None], 1.5, (90, 2)))
SHARES = drawn(lambda rng, codes: rng.beta(2.0 + codes[:, None], 3.0, (90, 2)))
DEALS = drawn(
    lambda rng, codes: np.stack([rng.multinomial(4, np.roll([0.5, 0.3, 0.2], k)) for k in codes]).astype(float)
)
PARTS = drawn(lambda rng, codes: np.stack([rng.dirichlet(np.roll([4.0, 2.0, 3.0], k)) for k in codes]))


def covariances(parameters):
    return parameters.covariance


def cell_probabilities(parameters):
    """Give the probabilities of all cells of a joint table."""
    cells = np.array(list(np.ndindex(parameters.sizes)), float)
    return np.exp(JointTableFamily().log_density(parameters, cells, ARRAYS))


#: Examples of each family; a family without an entry fails the test below.
FAMILIES = {
    DiagonalGaussian: [
        Example(DiagonalGaussian(shared, estimate), *numbers())
        for shared in (False, True, "all")
        for estimate in ("ml", "unbiased", "map", NormalInverseGamma(0.5, 0.1, 1.0, (0.5, 2.0)))
    ],
    SphericalGaussian: [
        Example(SphericalGaussian(shared, estimate), *numbers())
        for shared in (False, True)
        for estimate in ("ml", "unbiased", "map")
    ],
    ShrunkGaussian: [  # an amount found from the data goes to nothing with many rows; a given one stays
        Example(ShrunkGaussian(shared, "ml", amount), *numbers(), covariances)
        for shared in (False, True)
        for amount in ("ledoit-wolf", "oas")
    ],
    LowRankGaussian: [
        Example(LowRankGaussian(shared, estimate), *numbers(), covariances)
        for shared in (False, True)
        for estimate in ("ml", "unbiased")
    ],
    FullGaussian: [
        Example(FullGaussian(shared, estimate), *numbers(), covariances)
        for shared in (False, True)
        for estimate in ("ml", "unbiased")
    ],
    JointGaussian: [Example(JointGaussian(shared), *numbers(), covariances) for shared in (False, True)],
    Poisson: [Example(Poisson(), *COUNTS, np.arange(60.0))],
    Binomial: [Example(Binomial(6), *SUCCESSES, np.arange(7.0))],
    Exponential: [Example(Exponential(), *WAITS, *with_widths(positive(np.linspace(-24, 6, 800))))],
    Gamma: [Example(Gamma(), *POSITIVE, *with_widths(positive(np.linspace(-20, 6, 500))))],
    Beta: [Example(Beta(), *SHARES, *with_widths(shares(np.linspace(-30, 30, 500))))],
    Multinomial: [
        Example(Multinomial(smoothing), *DEALS, np.arange(5.0), space=deals(4, 3)) for smoothing in (0.0, 1.0)
    ],
    Dirichlet: [Example(Dirichlet(), *PARTS, np.empty(0), space=simplex(np.linspace(-25, 25, 300)))],
    Bernoulli: [Example(Bernoulli(), *table(2)), Example(Bernoulli(0.5), *table(2, d=3, K=2))],
    Categorical: [
        Example(Categorical(1.0, (4, 4)), *table(4)),
        Example(Categorical(0.0, (3,)), *table(3, d=1, n=300)),
    ],
    JointTableFamily: [
        Example(JointTableFamily(0.5, (3, 3)), *table(3, n=300), estimands=cell_probabilities),
        Example(JointTableFamily(0.0, (2, 2)), *table(2, n=300), estimands=cell_probabilities),
    ],
}
ALL = [example for examples in FAMILIES.values() for example in examples]


def test_every_family_of_the_package_is_tested_by_the_laws():
    assert set(members(Family)) == set(FAMILIES)


@pytest.mark.parametrize("example", ALL, ids=lambda example: repr(example.family))
def test_a_family_obeys_the_laws(example):
    check_family(example)


def test_the_laws_notice_a_sampler_with_the_wrong_variance():
    class Wide(DiagonalGaussian):
        def sample(self, parameters, codes, rng):
            return parameters.mean[codes] + 1.02 * (super().sample(parameters, codes, rng) - parameters.mean[codes])

    with pytest.raises(AssertionError):
        check_sampling_recovers(Example(Wide(), *numbers()), np.random.default_rng(0))


def test_the_laws_notice_a_density_that_is_not_normalised():
    class Off(DiagonalGaussian):
        def log_density(self, parameters, columns, backend):
            return super().log_density(parameters, columns, backend) + 1e-6

    with pytest.raises(AssertionError):
        check_family(Example(Off(), *numbers()))
