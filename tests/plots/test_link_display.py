"""Links as curves: what is drawn is F and its density, for every link and both ways of naming one."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.stats import cauchy, gumbel_l, gumbel_r, logistic, norm

import posteriori as pt
from posteriori.links.catalogue import LINKS
from posteriori.links.noisy_or import NoisyOrLink

#: The distributions that the links are distribution functions of.
DISTRIBUTIONS = {"logit": logistic, "probit": norm, "cloglog": gumbel_l, "loglog": gumbel_r, "cauchit": cauchy}
MIXTURE = pt.GaussianMixtureLink(means=[-2.0, 2.0], sds=[0.5, 1.0], weights=[0.3, 0.7])


def test_every_named_link_is_drawn_by_default_with_its_name_in_the_legend():
    display = pt.LinkDisplay.from_links()
    assert list(display.lines_) == list(LINKS)
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == list(LINKS)
    assert len({line.get_color() for line in display.lines_.values()}) == len(LINKS)
    assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in display.lines_.values()}) == len(LINKS)


@pytest.mark.parametrize("name", LINKS)
def test_a_curve_is_the_distribution_function_and_the_thin_one_its_density(name):
    display = pt.LinkDisplay.from_links(name, density=True)
    at = display.lines_[name].get_xdata()
    np.testing.assert_allclose(display.lines_[name].get_ydata(), DISTRIBUTIONS[name].cdf(at), rtol=1e-12)
    np.testing.assert_allclose(display.densities_[name].get_ydata(), DISTRIBUTIONS[name].pdf(at), rtol=1e-11)
    assert display.densities_[name].get_linewidth() < display.lines_[name].get_linewidth()


def test_the_density_keeps_its_digits_far_out_on_both_sides():
    display = pt.LinkDisplay.from_links(["logit", "probit"], eta=[-30.0, 30.0], density=True)
    np.testing.assert_allclose(display.densities["logit"], np.exp(-30.0), rtol=1e-12)
    np.testing.assert_allclose(display.densities["probit"], norm.pdf(30.0), rtol=1e-12)


@pytest.mark.parametrize("link", [*LINKS, MIXTURE], ids=lambda link: link if isinstance(link, str) else link.name)
def test_the_default_predictors_show_where_the_link_rises(link):
    (F,) = pt.LinkDisplay.from_links([link]).responses.values()
    assert F[0] < 0.08
    assert F[-1] > 0.92


def test_the_default_predictors_follow_a_link_of_other_size_and_place():
    far = pt.GaussianMixtureLink(means=[1e6], sds=[100.0], weights=[1.0])
    display = pt.LinkDisplay.from_links([far])
    assert display.eta[0] > 1e6 - 1000
    assert display.eta[-1] < 1e6 + 1000


def test_custom_links_are_labelled_by_kind_and_number_or_by_name():
    own = pt.Link(cdf=norm.cdf, density=norm.pdf)
    display = pt.LinkDisplay.from_links([own, own, MIXTURE, "probit"])
    assert list(display.lines_) == ["custom", "custom (2)", "gaussian-mixture", "probit"]
    np.testing.assert_allclose(display.responses["custom (2)"], display.responses["probit"], rtol=1e-12)
    assert list(pt.LinkDisplay.from_links({"mine": own, "Gaussian": "probit"}).lines_) == ["mine", "Gaussian"]


def test_a_link_is_drawn_inside_its_domain_alone():
    display = pt.LinkDisplay.from_links([NoisyOrLink()], eta=[-1.0, 0.0, np.log(2.0)], density=True)
    np.testing.assert_allclose(display.responses["noisy-or"], [np.nan, 0.0, 0.5], atol=1e-15)
    np.testing.assert_allclose(display.densities["noisy-or"], [np.nan, 1.0, 0.5], atol=1e-15)
    assert pt.LinkDisplay.from_links([NoisyOrLink()]).eta[0] == 0.0
    outside = pt.LinkDisplay.from_links([NoisyOrLink()], at=[-1.0, 1.0], density=True)
    assert len(outside.tangents_["noisy-or"]) == len(outside.ax_.texts) == 1


def test_at_a_point_the_tangent_has_the_density_as_slope_and_the_area_is_the_probability():
    display = pt.LinkDisplay.from_links([MIXTURE], eta=np.linspace(-8.0, 8.0, 4001), density=True, at=1.3)
    F, f = 0.3 * norm.cdf(6.6) + 0.7 * norm.cdf(-0.7), 0.6 * norm.pdf(6.6) + 0.7 * norm.pdf(-0.7)
    name = "gaussian-mixture"
    np.testing.assert_allclose(display.points_[name].get_xydata(), [[1.3, F]], rtol=1e-12)
    (left, low), (right, high) = display.tangents_[name][0].get_xydata()
    assert (high - low) / (right - left) == pytest.approx(f)
    assert np.interp(1.3, [left, right], [low, high]) == pytest.approx(F)
    corners = display.areas_[name][0].get_paths()[0].vertices
    x, y = corners[:-1].T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area == pytest.approx(F, abs=1e-5)
    assert corners[:, 0].max() == 1.3


def test_points_without_densities_are_marks_alone():
    display = pt.LinkDisplay.from_links(["logit", "probit"], at=[0.0, 1.0])
    assert display.points_["probit"].get_ydata() == pytest.approx(norm.cdf([0.0, 1.0]))
    assert display.tangents_ == {"logit": [], "probit": []}
    assert display.densities_ == {}


def test_it_is_drawn_on_given_axes_and_again_on_others():
    first, second = plt.subplots(1, 2)[1]
    display = pt.LinkDisplay.from_links("logit", eta=[2.0, -2.0], ax=first)
    assert display.ax_ is first
    assert display.figure_ is first.figure
    assert display.eta.tolist() == [-2.0, 2.0]
    drawn = display.lines_["logit"].get_ydata()
    assert display.plot(second).ax_ is second
    np.testing.assert_array_equal(display.lines_["logit"].get_ydata(), drawn)


@pytest.mark.parametrize(
    ("links", "options", "message"),
    [
        (["logistic"], {}, "'logit', 'probit', 'cloglog', 'loglog', 'cauchit'"),
        ([3], {}, "link must be one of"),
        ([], {}, "no link to draw"),
        (["logit"], {"eta": []}, "eta must be finite numbers"),
        (["logit"], {"eta": [0.0, np.nan]}, "eta must be finite numbers"),
        (["logit"], {"at": np.inf}, "at must be finite numbers"),
        (["logit"], {"eta": ["a"]}, "eta must be finite numbers"),
    ],
)
def test_what_cannot_be_drawn_raises(links, options, message):
    with pytest.raises(pt.DataError, match=message):
        pt.LinkDisplay.from_links(links, **options)
