"""Series of pandas beside a frame: put into the order of its index, or refused, and never taken by position."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.plots.planes.line import read_plane_rows

RNG = np.random.default_rng(4)
X = pd.DataFrame({"x": RNG.standard_normal(80), "z": RNG.standard_normal(80)}, index=np.arange(80) + 100)
Y = pd.Series((X.x + RNG.logistic(size=80) > 0).astype(int), index=X.index)
W = pd.Series(RNG.integers(1, 5, 80).astype(float), index=X.index)
OFFSET = pd.Series(RNG.standard_normal(80), index=X.index)
G = pd.Series(np.arange(80) // 4, index=X.index)
ORDER = RNG.permutation(80)
MODELS = {
    "regression": pt.LogisticRegression(),
    "frame": pt.TableClassifier(pt.LogisticRegression()),
    "formula": pt.TableClassifier(pt.LogisticRegression(), formula="x + z"),
}
NAMES = {"regression": "LogisticRegression", "frame": "TableClassifier", "formula": "with a formula"}


def shuffled(series):
    return series.iloc[ORDER]


@pytest.fixture(params=MODELS.values(), ids=NAMES.values())
def model(request):
    from sklearn.base import clone

    return clone(request.param)


def test_a_fit_depends_on_labels_and_not_on_the_order_of_series(model):
    expected = model.fit(X, Y, sample_weight=W, offset=OFFSET).coef_
    for given in ({"y": shuffled(Y)}, {"sample_weight": shuffled(W)}, {"offset": shuffled(OFFSET)}):
        found = model.fit(X, **{"y": Y, "sample_weight": W, "offset": OFFSET, **given}).coef_
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(model.fit(X, Y.to_numpy(), W.to_numpy(), OFFSET.to_numpy()).coef_, expected)


def test_inference_and_prediction_depend_on_labels_and_not_on_the_order_of_series(model):
    model.fit(X, Y, sample_weight=W, offset=OFFSET)
    rows = {"X": X, "y": Y, "sample_weight": W, "offset": OFFSET}
    mixed = {name: shuffled(value) if name != "X" else value for name, value in rows.items()}
    for one, other in (
        (model.covariance("cluster", groups=G, **rows), model.covariance("cluster", groups=shuffled(G), **mixed)),
        (model.residuals(**rows), model.residuals(**mixed)),
        (model.influence(**rows).cooks_distance, model.influence(**mixed).cooks_distance),
        (model.score_test(extra=G, **rows).statistic, model.score_test(extra=shuffled(G), **mixed).statistic),
        (model.predict_proba(X, offset=OFFSET), model.predict_proba(X, offset=shuffled(OFFSET))),
        (model.marginal_effects(X, offset=OFFSET, sample_weight=W).effects,
         model.marginal_effects(X, offset=shuffled(OFFSET), sample_weight=shuffled(W)).effects),
    ):  # fmt: skip
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_groups_of_a_shuffled_frame_give_the_same_clusters():
    model = MODELS["regression"].fit(X, Y)
    errors = model.standard_errors("cluster", X=X, y=Y, groups=G)
    np.testing.assert_allclose(model.standard_errors("cluster", X=X.iloc[ORDER], y=Y, groups=G), errors, rtol=1e-12)


@pytest.mark.parametrize("name", ["y", "sample_weight", "offset"])
def test_a_series_with_other_labels_is_refused_with_what_to_do(model, name):
    given = {"y": Y, "sample_weight": W, "offset": OFFSET}
    given[name] = given[name].reset_index(drop=True)
    with pytest.raises(pt.DataError, match=rf"{name} has another index than X: 80 of 80 labels .*{name}.to_numpy\(\)"):
        model.fit(X, **given)


def test_labels_that_occur_twice_are_refused_unless_both_have_them_in_the_same_order():
    twice = X.set_axis([*range(79), 0])
    y = Y.set_axis(twice.index)
    np.testing.assert_array_equal(pt.LogisticRegression().fit(twice, y).coef_, pt.LogisticRegression().fit(X, Y).coef_)
    with pytest.raises(pt.DataError, match="y has another index than X: labels occur more than once"):
        pt.LogisticRegression().fit(twice, y.iloc[::-1])


@pytest.mark.parametrize(
    "classifier",
    [pt.GaussianClassifier(), pt.NaiveBayes(), pt.FisherDiscriminant(), pt.LSPC(),
     pt.OneVsRest(pt.LogisticRegression()), pt.BayesianLogisticRegression(), pt.NoisyOr()],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_every_classifier_puts_y_into_the_order_of_x(classifier):
    rows = X.abs()
    expected = classifier.fit(rows, Y.to_numpy()).predict(rows)
    np.testing.assert_array_equal(classifier.fit(rows, shuffled(Y)).predict(rows), expected)


def test_comparisons_and_reports_put_series_into_the_order_of_x():
    model = pt.LogisticRegression()
    one, other = (pt.compare([model], X, y, cv=3, random_state=0).to_frame() for y in (Y, shuffled(Y)))
    assert one["log_loss"].tolist() == other["log_loss"].tolist()
    from posteriori.reports.rows import read_scored_rows

    fitted = model.fit(X, Y)
    np.testing.assert_array_equal(
        read_scored_rows(fitted, X, shuffled(Y), shuffled(W)).weights, read_scored_rows(fitted, X, Y, W).weights
    )


PLOTTED = {
    "projection": (pt.ProjectionDisplay.from_estimator, lambda display: display.projected.codes),
    "density": (pt.DensityDisplay.computed, lambda display: display.panels[0].codes),
    "plane": (read_plane_rows, lambda rows: rows.labels.codes),
}


@pytest.mark.parametrize("name", PLOTTED)
def test_figures_put_labels_into_the_order_of_x(name):
    draw, codes = PLOTTED[name]
    fitted = pt.GaussianClassifier().fit(X, Y)
    np.testing.assert_array_equal(codes(draw(fitted, X, shuffled(Y))), codes(draw(fitted, X, Y)))
    with pytest.raises(pt.DataError, match="y has another index than X"):
        draw(fitted, X, Y.reset_index(drop=True))


SCORED = {
    **MODELS,
    "rest": pt.OneVsRest(pt.LogisticRegression()),
    "average": pt.ModelAverage([pt.LogisticRegression(), pt.GaussianClassifier()], weights=[0.5, 0.5]),
    "reject": pt.RejectOption(pt.LogisticRegression()),
}


@pytest.mark.parametrize("name", SCORED)
def test_score_goes_by_labels_and_checks_its_arguments_as_fit_does(name):
    fitted = SCORED[name].fit(X, Y)
    assert fitted.score(X, shuffled(Y), shuffled(W)) == fitted.score(X, Y, W) == pytest.approx(
        np.average(fitted.predict(X) == Y, weights=W)
    )  # fmt: skip
    masked = np.ma.array(Y, mask=np.arange(80) == 3)
    for y, weight, words in (
        (masked, None, "1 of 80 values of y are masked, the first is row 3"),
        (Y, np.ma.array(W, mask=masked.mask), "1 of 80 values of sample_weight are masked"),
        (Y.where(Y.index > 101), None, "2 label"),
        (Y, -W, "80 of 80 weights are negative"),
        (Y[:5], None, "X has 80 rows and y has 5"),
        (Y.astype(str), None, "y holds '.', and the classes of the model are 0, 1"),
        (pt.counts(successes=Y, trials=np.ones(80)), None, "not None or class counts"),
    ):
        with pytest.raises(pt.DataError, match=words):
            fitted.score(X, y, weight)
