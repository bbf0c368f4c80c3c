"""Exact values of the logit and the softmax, tails included."""

import numpy as np
import pytest

from posteriori.estimators.regression.label_links import link_for
from posteriori.links.logit import Logit
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import DataError

#: log(1 / (1 + e^40)) + 40 and its complement, to 17 digits.
E40 = 4.248354255291589e-18


@pytest.mark.parametrize("margin", [40.0, 800.0, 1000.0])
def test_logit_logs_at_a_margin_are_exact(margin):
    small = np.log1p(np.exp(-margin))
    assert Logit().log_probabilities(np.array([[margin], [-margin]])).tolist() == [[-margin, -small], [-small, -margin]]


def test_the_log_of_a_probability_next_to_one_is_not_zero():
    assert Logit().log_probabilities(np.array([[40.0]]))[0, 1] == pytest.approx(-E40, rel=1e-14)
    for link, eta in [
        (Softmax(2), [[0.0, 40.0]]),
        (Softmax(2, reference=0), [[40.0]]),
        (Softmax(3), [[0.0, -700.0, 40.0]]),
    ]:
        assert link.log_probabilities(np.array(eta))[0, -1] == pytest.approx(-E40, rel=1e-14)


def test_softmax_of_two_classes_is_the_logit():
    eta = np.linspace(-900, 900, 61)[:, None]
    counts = np.column_stack([np.arange(61.0), np.full(61, 2.0)])
    two, one = Softmax(2, reference=0).parts(eta, counts, curvature=True), Logit().parts(eta, counts, curvature=True)
    for name in ("loss", "score", "curvature"):
        np.testing.assert_allclose(getattr(two, name), getattr(one, name), rtol=1e-13, atol=1e-300)


def test_softmax_of_the_textbook():
    # [Deuschle] example 3.1
    p = np.exp(Softmax(3).log_probabilities(np.array([[4.0, 1.0, 7.0]])))[0]
    np.testing.assert_allclose(p.round(3), [0.047, 0.002, 0.950])


def test_odds_of_a_certain_row_do_not_overflow_into_a_proof():
    parts = Logit().parts(np.array([[1000.0], [-1000.0]]), np.array([[0.0, 1.0], [0.0, 1.0]]), curvature=False)
    assert parts.odds[0] == 0.0  # certain: nothing is proved
    assert parts.odds[1] > 1e300


def test_link_for_two_classes_is_the_logit_and_for_more_the_softmax():
    assert link_for(np.array(["a", "b"]), "symmetric", None) == Logit()
    assert link_for(np.array([1, 2, 3]), "symmetric", None) == Softmax(3)
    assert link_for(np.array([1, 2, 3]), "reference", None) == Softmax(3, reference=0)
    assert link_for(np.array([1, 2, 3]), "reference", 3) == Softmax(3, reference=2)


@pytest.mark.parametrize(
    ("classes", "parametrization", "reference", "said"),
    [
        ([1, 2, 3], "reference", 7, "reference=7 is not one of the classes 1, 2, 3"),
        ([1, 2, 3], "symmetric", 1, "parametrization='reference'"),
        ([1, 2], "reference", 2, "the reference is 1"),
    ],
)
def test_a_reference_that_cannot_be_is_rejected_by_name(classes, parametrization, reference, said):
    with pytest.raises(DataError, match=said):
        link_for(np.array(classes), parametrization, reference)


def test_an_offset_over_all_classes_becomes_one_over_the_scores():
    offset = np.array([[1.0, 4.0, 9.0]])
    assert Softmax(3).contrast_offset(offset) is offset
    assert Softmax(3, reference=1).contrast_offset(offset).tolist() == [[-3.0, 5.0]]
