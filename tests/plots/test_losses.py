"""The losses and the figures that show them, drawn without a screen."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt

import posteriori as pt
from posteriori.plots.curves.losses import LossDisplay
from posteriori.plots.curves.margin_losses import LOSSES, logistic, perceptron, squared, zero_one

# --- the losses


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_not_negative_and_falls_towards_the_boundary(name):
    m = np.linspace(-50, 50, 1001)
    loss = LOSSES[name](m)
    assert loss.shape == m.shape
    assert (loss >= 0).all()
    assert (np.diff(loss[m <= 0]) <= 0).all()


def test_the_logistic_loss_in_bits_and_the_squared_one_bound_the_mistakes():
    m = np.linspace(-5, 5, 2001)
    assert (logistic(m) / np.log(2.0) >= zero_one(m) - 1e-15).all()
    assert (squared(m) >= zero_one(m)).all()
    assert (logistic(m) >= perceptron(m)).all()


def test_the_logistic_loss_keeps_its_digits_in_both_tails():
    np.testing.assert_allclose(logistic(np.array([-1e6, -40.0, 40.0, 700.0])), [1e6, 40.0, np.exp(-40), np.exp(-700)])


def test_the_logistic_loss_of_a_fit_is_minus_its_log_likelihood():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 2))
    y = (X[:, 0] + rng.logistic(size=80) > 0).astype(int)
    model = pt.LogisticRegression().fit(X, y)
    assert logistic(model.margins(X, y)).sum() == pytest.approx(-model.log_likelihood_)


# --- the display


def test_it_draws_a_line_for_each_loss_and_a_tick_for_each_row():
    display = LossDisplay.from_losses(rows=[0.5, -1.0]).plot()
    assert list(display.lines_) == list(LOSSES)
    for name, line in display.lines_.items():
        np.testing.assert_array_equal(line.get_ydata(), LOSSES[name](display.margins))
    assert display.rug_.get_xdata().tolist() == [0.5, -1.0]
    assert display.ax_.get_xlabel() == "margin $m$"
    assert len(display.ax_.get_legend().get_texts()) == 5


def test_it_draws_on_given_axes_and_only_when_plotted():
    assert not hasattr(LossDisplay.from_losses(["logistic"]), "ax_")
    _, ax = plt.subplots()
    display = LossDisplay.from_losses(["logistic"], margins=[2.0, -1.0], ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert display.margins.tolist() == [-1.0, 2.0]
    assert display.rug_ is None


def test_the_ticks_of_an_estimator_are_its_margins_and_all_are_in_sight():
    X, y = np.array([[-9.0], [-1.0], [1.0], [2.0]]), np.array(["a", "a", "b", "b"])
    model = pt.LeastSquaresClassifier().fit(X, y)
    display = LossDisplay.from_estimator(model, X, y)
    np.testing.assert_array_equal(display.rows, model.margins(X, y))
    wide = LossDisplay.from_estimator(pt.LogisticRegression(prior=1e-3).fit(X, y), X, y)
    assert wide.margins[-1] == wide.rows.max()


def test_an_unknown_loss_raises_with_the_list():
    with pytest.raises(pt.DataError, match="'zero-one', 'squared', 'perceptron', 'logistic'"):
        LossDisplay.from_losses(["hinge"])


# --- the figures


def test_every_figure_listed_is_drawn_documented_and_cites_its_book():
    assert pt.figures.__all__
    for name in pt.figures.__all__:
        figure = getattr(pt.figures, name)
        assert figure.__name__ == name
        assert "It teaches" in figure.__doc__
        assert f"[{name.split('_')[0].capitalize()}] Fig." in figure.__doc__
        assert name in dir(pt.figures)


@pytest.mark.parametrize("name", ["sugiyama_28_4", "deuschle_3_7"])
def test_a_figure_is_drawn_on_given_axes_from_its_own_rows(name):
    _, ax = plt.subplots()
    first = getattr(pt.figures, name)(ax)
    assert first.ax_ is ax
    first.figure_.canvas.draw()
    again, other = getattr(pt.figures, name)(), getattr(pt.figures, name)(random_state=5)
    np.testing.assert_array_equal(again.rows, first.rows)
    assert not np.array_equal(other.rows, first.rows)
    assert len(first.rows) in (40, 60)


@pytest.mark.parametrize("seed", range(5))
def test_the_perceptron_of_deuschle_s_figure_makes_no_mistake(seed):
    assert (pt.figures.deuschle_3_7(random_state=seed).rows > 0).all()


def test_sugiyama_s_figure_shows_all_four_losses():
    assert list(pt.figures.sugiyama_28_4().lines_) == ["zero-one", "squared", "perceptron", "logistic"]


def test_an_unknown_figure_raises_with_the_list():
    with pytest.raises(AttributeError, match="sugiyama_28_4"):
        _ = pt.figures.sugiyama_99


@pytest.mark.slow
def test_matplotlib_is_imported_only_when_something_is_drawn():
    code = (
        "import sys, posteriori as pt; pt.figures.sugiyama_28_4; "
        "from posteriori.plots.curves.losses import LossDisplay; LossDisplay.from_losses(); "
        "X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]; "
        "pt.PosteriorDisplay.computed({'': pt.LogisticRegression().fit(X, y)}, X, y); "
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "False"
