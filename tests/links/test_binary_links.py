"""Links of two classes in both tails against arbitrary precision, and a user's own functions, checked when given."""

import copy
import pickle

import mpmath as mp
import numpy as np
import pytest
from scipy.special import expit, log_ndtr, ndtr

import posteriori as pt
from posteriori.links.catalogue import LINKS, read_link
from posteriori.links.cloglog import CLogLog
from posteriori.links.probit import Probit
from tests.links.exact_links import EXACT, mixed
from tests.links.own_links import BUMPS, LOGISTIC, NORMAL, PLAIN_NORMAL, STUDENT, TAILS, logistic_density

NAMES = ["probit", "cloglog", "loglog", "cauchit"]
NEAR = np.concatenate([np.linspace(-6.0, 6.0, 25), [-1e-9, 1e-9, -4.99, -5.01, 4.99, 5.01]])
FAR = np.array([8.3, 12.0, 20.0, 37.6, 40.0, 100.0, 300.0, 1000.0])
#: Numbers below this are as good as zero, or lose digits on the way to it.
LEAST = 1e-300


def compare(link, exact, etas, digits, rtol):
    """Compare logs, hazards and bends with those of `digits` digits, wherever these are floats."""
    hazards = link.hazards(etas)
    found = (link.logs(etas), hazards, link.second_derivatives(etas, hazards))
    with mp.workdps(digits):
        for i, eta in enumerate(etas):
            for name, values, wanted in zip(
                ("log", "hazard", "bend"), found, exact.terms(mp.mpf(float(eta))), strict=True
            ):
                for k in range(2):
                    if abs(wanted[k]) < LEAST:
                        assert abs(values[i, k]) < 2 * LEAST
                    else:
                        off = abs(mp.mpf(float(values[i, k])) / wanted[k] - 1)
                        assert off < rtol, (name, eta, k, values[i, k], mp.nstr(wanted[k], 17))


@pytest.mark.parametrize("name", NAMES)
def test_logs_slopes_and_curvatures_are_right_to_thirteen_digits(name):
    compare(LINKS[name], EXACT[name], NEAR, digits=250, rtol=1e-13)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("name", ["probit", "cauchit"])
def test_tails_are_right_as_far_as_there_are_floats(name, sign):
    compare(LINKS[name], EXACT[name], sign * FAR[:5], digits=400, rtol=1e-13)
    compare(LINKS[name], EXACT[name], sign * FAR[5:], digits=50, rtol=1e-13)


@pytest.mark.parametrize("name", ["cloglog", "loglog"])
def test_the_slow_tails_of_extreme_values_are_right(name):
    sign = -1.0 if name == "cloglog" else 1.0
    compare(LINKS[name], EXACT[name], sign * FAR, digits=900, rtol=1e-13)


@pytest.mark.parametrize("link", [BUMPS, TAILS], ids=repr)
def test_mixtures_are_right_in_both_tails(link):
    compare(link, mixed(link), np.linspace(-12.0, 12.0, 17), digits=400, rtol=1e-12)


def test_one_component_is_the_probit():
    eta = np.linspace(-50.0, 50.0, 41)
    one = pt.GaussianMixtureLink([1.0], [2.0], [5.0])
    np.testing.assert_allclose(one.logs(2.0 * eta + 1.0), Probit().logs(eta), rtol=1e-13)
    np.testing.assert_allclose(2.0 * one.hazards(2.0 * eta + 1.0), Probit().hazards(eta), rtol=1e-12, atol=1e-300)


def test_n15_the_probit_tail_at_minus_forty_has_its_slope():
    parts = Probit().parts(np.array([[-40.0]]), np.array([[0.0, 1.0]]), curvature=True)
    with mp.workdps(50):
        z = mp.mpf(-40)
        slope = mp.npdf(z) / normal_tail(z)
        bend = slope * (slope + z)
        loss = -mp.log(normal_tail(z))
    assert parts.loss[0] == pytest.approx(float(loss), rel=1e-14)
    assert parts.score[0, 0] == pytest.approx(-float(slope), rel=1e-14)
    assert parts.curvature[0, 0, 0] == pytest.approx(float(bend), rel=1e-14)


def normal_tail(z):
    """Give Phi(z) of a z below zero."""
    return mp.erfc(-z / mp.sqrt(2)) / 2


def test_n16_the_complementary_log_log_never_overflows():
    eta = np.array([[-1e4], [-745.0], [5.0], [7.0], [300.0], [690.0], [710.0], [1e4], [1e300]])
    for counts in ([1.0, 0.0], [0.0, 1.0], [2.0, 3.0]):
        parts = CLogLog().parts(eta, np.tile(counts, (len(eta), 1)), curvature=True)
        for values in (parts.loss, parts.score, parts.curvature):
            assert np.isfinite(values).all()
    logs = CLogLog().log_probabilities(eta)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(logs[:2, 1], eta[:2, 0], rtol=1e-15)
    np.testing.assert_allclose(logs[2:6, 0], -np.exp(eta[2:6, 0]), rtol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_predictors_however_far_give_no_nan(name):
    eta = np.array([[-1e300], [-1e200], [1e200], [1e300]])
    counts = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    parts = LINKS[name].parts(eta, counts, curvature=True)
    for values in (parts.loss, parts.score, parts.curvature, parts.odds):
        assert not np.isnan(values).any()


def test_boundaries_are_where_both_classes_are_as_probable():
    assert CLogLog().boundary == pytest.approx(np.log(np.log(2.0)), rel=1e-15)
    for link in (*LINKS.values(), BUMPS, TAILS, NORMAL, STUDENT, LOGISTIC):
        logs = link.log_probabilities(np.array([[link.boundary]]))
        np.testing.assert_allclose(logs, np.log(0.5), rtol=1e-14)


def test_starts_are_right_for_rare_classes():
    for link in (*LINKS.values(), TAILS, NORMAL):
        for rare in (1e-12, 1e-100):
            for priors in ([rare, 1.0], [1.0, rare]):
                logs = link.log_probabilities(link.start(np.array(priors))[None])[0]
                np.testing.assert_allclose(logs[int(np.argmin(priors))], np.log(rare), rtol=1e-13)


def test_links_are_read_by_name_or_returned_unchanged():
    assert read_link("cloglog") == CLogLog()
    assert read_link(TAILS) is TAILS
    with pytest.raises(pt.DataError, match="'logit', 'probit', 'cloglog', 'loglog', 'cauchit'"):
        read_link("probbit")
    with pytest.raises(pt.DataTypeError, match="a Link or a GaussianMixtureLink, not 3"):
        read_link(3)


# --- a user's own


def test_a_link_of_ones_own_is_as_good_as_the_one_in_the_package():
    eta = np.concatenate([NEAR, -FAR[:5], FAR[:5]])
    known, own = Probit(), NORMAL
    np.testing.assert_allclose(own.logs(eta), known.logs(eta), rtol=1e-14)
    np.testing.assert_allclose(own.hazards(eta), known.hazards(eta), rtol=1e-9, atol=1e-290)
    second_derivatives = known.second_derivatives(eta, known.hazards(eta))
    np.testing.assert_allclose(own.second_derivatives(eta, own.hazards(eta)), second_derivatives, rtol=1e-8, atol=1e-12)


def test_without_logs_the_upper_tail_ends_where_f_rounds_to_one():
    assert PLAIN_NORMAL.logs(np.array([-30.0]))[0, 1] == pytest.approx(log_ndtr(-30.0), rel=1e-13)
    assert PLAIN_NORMAL.logs(np.array([9.0]))[0, 0] == -np.inf
    parts = PLAIN_NORMAL.parts(np.array([[9.0], [9.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]), curvature=True)
    assert parts.loss.tolist()[0] == np.inf
    assert parts.loss[1] == pytest.approx(0.0, abs=1e-15)
    assert np.isfinite(parts.score).all()
    assert np.isfinite(parts.curvature).all()


def test_one_log_helps_the_other():
    half = pt.Link(ndtr, NORMAL.density, log_sf=NORMAL.log_sf)
    logs = half.logs(np.array([9.0, 40.0]))
    np.testing.assert_allclose(logs, Probit().logs(np.array([9.0, 40.0])), rtol=1e-13)


def test_a_link_is_copied_pickled_compared_and_shown():
    for link in (NORMAL, STUDENT, TAILS):
        assert pickle.loads(pickle.dumps(link)) == link
        assert copy.deepcopy(link) == link
    assert repr(STUDENT).startswith("Link(cdf=student_cdf, density=student_density")
    assert NORMAL != STUDENT


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cdf": 3, "density": logistic_density}, "cdf must be a function of an array, not 3"),
        ({"cdf": expit, "density": None}, "density must be a function"),
        ({"cdf": lambda eta: expit(-eta), "density": logistic_density}, r"rises from 0 to 1"),
        ({"cdf": lambda eta: 0.5 + 0.0 * eta, "density": logistic_density}, r"cdf\(-1e\+12\) is 0.5"),
        (
            {"cdf": expit, "density": lambda eta: 2.0 * logistic_density(eta)},
            r"density\(.*\) is 0.5, but the slope of cdf there is 0.25",
        ),
        ({"cdf": expit, "density": lambda eta: -logistic_density(eta)}, "never negative"),
        ({"cdf": expit, "density": logistic_density, "log_cdf": log_ndtr}, r"log_cdf\(.*but the log of cdf"),
        ({"cdf": expit, "density": logistic_density, "log_sf": log_ndtr}, r"log_sf\(.*but the log of 1 - cdf"),
        ({"cdf": lambda eta: 0.5, "density": logistic_density}, r"returned shape \(\)"),
        (
            {"cdf": lambda eta: 1.0 if eta > 0 else 0.0, "density": logistic_density},
            "must accept an array .* it raised ValueError",
        ),
        (
            {"cdf": lambda eta: expit(eta) + 0.2 * np.sin(3 * eta) * np.exp(-(eta**2)), "density": logistic_density},
            "cdf decreases from",
        ),
        (
            {"cdf": lambda eta: 1.5 * expit(eta), "density": lambda eta: 1.5 * logistic_density(eta)},
            "not a probability",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_functions_that_do_not_belong_together_are_rejected_with_the_place(given, message):
    with pytest.raises(pt.DataError, match=message):
        pt.Link(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([0.0], [1.0, 2.0], [1.0]), "one number for each component"),
        (([], [], []), "one number for each component"),
        (([0.0], [0.0], [1.0]), "sds=.* must be positive"),
        (([0.0], [1.0], [-1.0]), "weights=.* must be positive"),
        (([np.nan], [1.0], [1.0]), "finite numbers"),
        ((["a"], [1.0], [1.0]), "means must be numbers"),
    ],
)
def test_components_of_a_mixture_are_checked(given, message):
    with pytest.raises(pt.DataError, match=message):
        pt.GaussianMixtureLink(*given)
