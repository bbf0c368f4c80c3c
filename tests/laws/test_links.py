"""Every link found in the package obeys the laws of links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posteriori.links.base import LinkFunction
from posteriori.links.cauchit import Cauchit
from posteriori.links.cloglog import CLogLog
from posteriori.links.custom import Link
from posteriori.links.gaussian_mixture import GaussianMixtureLink
from posteriori.links.logit import Logit
from posteriori.links.loglog import LogLog
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.links.probit import Probit
from posteriori.links.softmax import Softmax
from tests.laws.discovery import members
from tests.laws.link_laws import brute_force_odds, check_link, inside
from tests.links.own_links import BUMPS, LOGISTIC, NORMAL, STUDENT, TAILS

#: Examples of each link; a link without an entry fails the test below.
LINKS = {
    Logit: [Logit()],
    NoisyOrLink: [NoisyOrLink()],
    Probit: [Probit()],
    CLogLog: [CLogLog()],
    LogLog: [LogLog()],
    Cauchit: [Cauchit()],
    GaussianMixtureLink: [BUMPS, TAILS],
    Link: [NORMAL, LOGISTIC, STUDENT],
    Softmax: [Softmax(3), Softmax(2), Softmax(5, reference=0), Softmax(3, reference=2), Softmax(4, reference=1)],
}
ALL = [link for examples in LINKS.values() for link in examples]


def test_every_link_of_the_package_is_tested_by_the_laws():
    assert set(members(LinkFunction)) == set(LINKS)


@pytest.mark.parametrize("link", ALL, ids=repr)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_link_obeys_the_laws(link, seed):
    check_link(link, seed, tails=link is not LOGISTIC)  # whose 1 - F is a difference, known to 1e-16


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_expand_returns_a_predictor_for_every_class(link):
    eta = np.random.default_rng(0).standard_normal((7, link.n_scores))
    full = link.expand(eta)
    assert full.shape == (7, link.n_classes)
    if link.is_canonical:
        log_p = link.log_probabilities(eta)
        np.testing.assert_allclose(full - full[:, :1], log_p - log_p[:, :1], atol=1e-14)


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_the_expected_curvature_is_that_of_the_mean_counts(link):
    rng = np.random.default_rng(0)
    eta, total = inside(link, rng.standard_normal((40, link.n_scores))), rng.uniform(0.5, 3.0, 40)
    mean = total[:, None] * np.exp(link.log_probabilities(eta))
    wanted = link.parts(eta, mean, curvature=True).curvature
    np.testing.assert_allclose(link.expected(eta, total), wanted, rtol=1e-8, atol=1e-10)


def test_the_laws_notice_a_wrong_derivative():
    class Wrong(Logit):
        def parts(self, eta, counts, *, curvature):
            from dataclasses import replace

            parts = super().parts(eta, counts, curvature=curvature)
            return replace(parts, score=parts.score * (1 + 1e-6))

    with pytest.raises(AssertionError):
        check_link(Wrong())


def test_the_laws_notice_a_tail_that_was_clipped():
    class Clipped(Logit):
        def log_probabilities(self, eta):
            return np.maximum(super().log_probabilities(eta), np.log(1e-15))

    with pytest.raises(AssertionError):
        check_link(Clipped())


def test_brute_force_odds_are_those_of_a_hand_calculation():
    low, high = brute_force_odds(Logit(), np.array([[0.0], [np.log(3.0)]]), np.array([[2.0, 0.0], [1.0, 4.0]]))
    np.testing.assert_allclose(low, [2.0, 4.0 / 3.0])
    np.testing.assert_allclose(high, [2.0, 5.0 / 3.0])
