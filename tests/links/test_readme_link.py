"""A link of one's own in ten lines, as the README shows it."""

import numpy as np
import pytest

import posteriori as pt
from tests.laws.link_laws import check_link


def secant():
    return pt.Link(
        cdf=lambda eta: 2 / np.pi * np.arctan(np.exp(eta)),
        density=lambda eta: 1 / (np.pi * np.cosh(eta)),
        log_sf=lambda eta: np.log(2 / np.pi * np.arctan(np.exp(-eta))),
    )


def test_ten_lines_give_coefficients_and_standard_errors():
    dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    killed = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    model = pt.BinaryRegression(link=secant()).fit(dose, killed)
    assert model.coef_.round(4).item() == 28.8396  # which the guide's link, written out in full, has too
    for kind in ("observed", "expected"):
        logit = pt.BinaryRegression(link="logit").fit(dose, killed).standard_errors(kind)
        assert model.standard_errors(kind) / logit == pytest.approx(model.coef_.item() / 34.27, rel=0.1)
    assert "Custom Regression Results" in str(model.summary())


def test_it_obeys_the_laws_of_links():
    check_link(secant(), margins=(40.0, 300.0, 700.0))
