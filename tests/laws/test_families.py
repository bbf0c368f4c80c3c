"""Every family found in the package obeys the laws of families."""

import numpy as np
import pytest

from posteriori.families.base import Family
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.categorical import Categorical
from posteriori.families.gaussian_diagonal import DiagonalGaussian
from posteriori.families.gaussian_full import FullGaussian
from posteriori.families.gaussian_spherical import SphericalGaussian
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


def covariances(parameters):
    return parameters.covariance


#: Examples of each family; a family without an entry fails the test below.
FAMILIES = {
    DiagonalGaussian: [
        Example(DiagonalGaussian(shared, estimate), *numbers())
        for shared in (False, True, "all")
        for estimate in ("ml", "unbiased")
    ],
    SphericalGaussian: [
        Example(SphericalGaussian(shared, estimate), *numbers())
        for shared in (False, True)
        for estimate in ("ml", "unbiased")
    ],
    FullGaussian: [
        Example(FullGaussian(shared, estimate), *numbers(), covariances)
        for shared in (False, True)
        for estimate in ("ml", "unbiased")
    ],
    Bernoulli: [Example(Bernoulli(), *table(2)), Example(Bernoulli(0.5), *table(2, d=3, K=2))],
    Categorical: [
        Example(Categorical(1.0, (4, 4)), *table(4)),
        Example(Categorical(0.0, (3,)), *table(3, d=1, n=300)),
    ],
}
ALL = [example for examples in FAMILIES.values() for example in examples]


def test_every_family_found_in_the_package_is_under_the_laws():
    assert set(members(Family)) == set(FAMILIES)


@pytest.mark.parametrize("example", ALL, ids=lambda example: repr(example.family))
def test_a_family_obeys_the_laws(example):
    check_family(example)


def test_the_laws_notice_a_sampler_with_the_wrong_spread():
    class Wide(DiagonalGaussian):
        def sample(self, parameters, codes, rng):
            return parameters.mean[codes] + 1.02 * (super().sample(parameters, codes, rng) - parameters.mean[codes])

    with pytest.raises(AssertionError):
        check_sampling_recovers(Example(Wide(), *numbers()), np.random.default_rng(0))


def test_the_laws_notice_a_density_that_is_not_normalised():
    class Off(DiagonalGaussian):
        def log_density(self, parameters, columns, size):
            return super().log_density(parameters, columns, size) + 1e-6

    with pytest.raises(AssertionError):
        check_family(Example(Off(), *numbers()))
