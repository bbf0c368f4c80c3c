"""Names are drawn as text: nothing in a column, a level, a class, an action or a label is read as mathematics."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

M = r"$\frac{$"
RNG = np.random.default_rng(0)
X = pd.DataFrame({f"{M}a": RNG.normal(size=80), f"{M}b": RNG.normal(size=80)})
Y = np.array([f"{M}0", f"{M}1", f"{M}2"])[np.digitize(X.iloc[:, 0] + RNG.normal(size=80), [-0.5, 0.5])]
LEVELS = pd.DataFrame({f"g{M}": np.array([f"{M}u", f"{M}\x1bv"])[np.arange(80) % 2]})


def rejecting():
    return pt.RejectOption(pt.LogisticRegression(prior=1.0), threshold=0.8, reject_label=f"{M}?").fit(X, Y)


def acting():
    costs = {f"{M}act": {f"{M}0": 1, f"{M}1": 2, f"{M}2": 0}, f"{M}no": {f"{M}0": 0, f"{M}1": 2, f"{M}2": 5}}
    return pt.CostSensitive(pt.LogisticRegression(prior=1.0), costs=costs).fit(X, Y)


def bars():
    model = pt.TableClassifier(pt.NaiveBayes()).fit(LEVELS, Y)
    return pt.DensityDisplay.from_estimator(model, LEVELS, Y, features=[f"g{M}"])


def compared():
    models = {f"{M}x": pt.LogisticRegression(prior=1.0), f"{M}z": pt.GaussianClassifier()}
    return pt.compare(models, X, Y, cv=2).plot()


@pytest.mark.parametrize(
    "display",
    [
        lambda: pt.PosteriorDisplay.from_estimators({M: rejecting()}, X, Y, resolution=40),
        lambda: pt.PosteriorDisplay.from_estimator(acting(), X, Y, resolution=40),
        bars,
        compared,
        lambda: pt.LinkDisplay.from_links({M: "logit"}),
    ],
    ids=["rejections", "actions", "levels", "models", "links"],
)
def test_a_figure_shows_every_name_as_it_is(display):
    figure = display().figure_
    figure.canvas.draw()  # where mathematics would be read


@pytest.mark.parametrize("model", [rejecting, acting], ids=["rejections", "actions"])
@pytest.mark.slow
def test_a_report_shows_the_names_of_decisions_as_they_are(model, tmp_path):
    pt.report(model(), X, Y, tmp_path / "r.html", title=M, cv=None)
    assert "frac{$" in (tmp_path / "r.html").read_text(encoding="utf-8")
