"""The figure of traces: a line a fit, on a log scale."""

import matplotlib
import numpy as np
import pytest

import posteriori as pt

X = np.random.default_rng(0).standard_normal((80, 2))
Y = (X[:, 0] + np.random.default_rng(1).logistic(size=80) > 0).astype(int)


def fits():
    return {
        name: pt.LogisticRegression(solver=name, trace=True, random_state=0).fit(X, Y)
        for name in ("irls", "gradient", "online")
    }


def test_lines_show_the_objective_above_the_least_of_all():
    models = fits()
    display = pt.TraceDisplay.from_estimators(models)
    assert display.least == min(model.trace_.objective.min() for model in models.values())
    assert [line.get_label() for line in display.lines_] == list(models)
    for line, model in zip(display.lines_, models.values(), strict=True):
        gap = model.trace_.objective - display.least
        np.testing.assert_array_equal(line.get_ydata()[gap > 0], gap[gap > 0])
        assert np.isnan(line.get_ydata()[gap <= 0]).all()
    assert display.ax_.get_yscale() == "log"
    assert display.figure_ is display.ax_.figure


def test_one_fit_is_drawn_on_given_axes():
    figure = matplotlib.figure.Figure()
    ax = figure.subplots()
    display = pt.TraceDisplay.from_estimator(fits()["gradient"], ax=ax, least=0.0)
    assert display.ax_ is ax
    assert display.lines_[0].get_label() == "gradient"
    assert display.lines_[0].get_ydata()[0] == fits()["gradient"].trace_.objective[0]


def test_a_fit_without_a_trace_raises():
    with pytest.raises(pt.DataError, match="fit it with trace=True"):
        pt.TraceDisplay.from_estimator(pt.LogisticRegression().fit(X, Y))
    with pytest.raises(pt.DataError, match="no estimator"):
        pt.TraceDisplay.from_estimators({})
