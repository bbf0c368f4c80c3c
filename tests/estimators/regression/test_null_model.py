"""The null model, ``y ~ 1``: an intercept and nothing else."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

RNG = np.random.default_rng(0)
D = pd.DataFrame({"x": RNG.standard_normal(50), "w": RNG.integers(1, 4, 50).astype(float)})
D["y"] = (D.x + RNG.logistic(size=50) > 0).astype(int)
D["k"] = RNG.choice(list("abc"), 50)
LR = pt.LogisticRegression.from_formula


def test_the_null_model_is_the_log_odds_with_their_standard_error():
    model, p = LR("y ~ 1", D), D.y.mean()
    assert model.intercept_[0] == pytest.approx(np.log(p / (1 - p)))
    assert model.coef_.shape == (1, 0)
    assert model.standard_errors()[0] == pytest.approx((50 * p * (1 - p)) ** -0.5)
    assert model.log_likelihood_ == pytest.approx(50 * (p * np.log(p) + (1 - p) * np.log(1 - p)))
    assert model.deviance_ == pytest.approx(model.null_deviance_)
    assert model.aic_ == pytest.approx(2 - 2 * model.log_likelihood_)
    assert (model.fit_status_, model.solution_.overlap, model.pseudo_r2()) == ("ok", True, 0.0)
    assert "(Intercept)" in str(model.summary())
    assert "(Intercept)" in model.summary().to_text("R")
    low, high = model.confidence_interval(method="profile", X=D, y="y")[0]
    assert low < model.intercept_[0] < high


def test_every_frame_gets_the_same_prediction():
    model = LR("y ~ 1", D)
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"other": [1, 2, 3]}))[:, 1], D.y.mean())
    assert len(model.predict_frame(D, 0.9)) == 50
    assert model.explain(D).contributions.shape == (50, 0)


def test_weights_groups_and_three_classes_have_null_models():
    weighted = LR("y ~ 1", D, sample_weight="w")
    assert weighted.predict_proba(D)[0, 1] == pytest.approx(np.average(D.y, weights=D.w))
    groups = pd.DataFrame({"s": [3, 4, 6], "f": [7, 5, 2]})
    assert LR("cbind(s, f) ~ 1", groups).predict_proba(groups)[0, 1] == pytest.approx(13 / 27)
    for parametrization in ("symmetric", "reference"):
        three = LR("k ~ 1", D, parametrization=parametrization)
        np.testing.assert_allclose(three.predict_proba(D)[0], D.k.value_counts(normalize=True).sort_index())
        assert three.log_likelihood_ == pytest.approx(three.null_log_likelihood_)
        assert len(three.standard_errors()) == 2


@pytest.mark.parametrize("link", ["probit", "cloglog", "loglog", "cauchit"])
def test_every_link_has_a_null_model(link):
    model = pt.BinaryRegression.from_formula("y ~ 1", D, link=link)
    assert model.predict_proba(D)[0, 1] == pytest.approx(D.y.mean())
    assert model.log_likelihood_ == pytest.approx(model.null_log_likelihood_)


def test_the_null_model_is_nested_in_every_model_with_an_intercept():
    null, large = LR("y ~ 1", D), LR("y ~ x", D)
    test = pt.likelihood_ratio_test(null, large)
    assert test.statistic == pytest.approx(large.null_deviance_ - large.deviance_)
    assert test.df == 1
    assert null.score_test(D, "y", "x").statistic == pytest.approx(50 * np.corrcoef(D.x, D.y)[0, 1] ** 2)


def test_a_null_model_is_saved_and_loaded(tmp_path):
    model = LR("y ~ 1", D)
    pt.save(model, tmp_path / "null.posteriori")
    again = pt.load(tmp_path / "null.posteriori")
    np.testing.assert_array_equal(again.predict_proba(D), model.predict_proba(D))
    assert str(again.summary()) == str(model.summary())


def test_models_that_need_columns_say_so():
    with pytest.raises(pt.DataError, match="GaussianClassifier needs columns: LogisticRegression"):
        pt.TableClassifier(pt.GaussianClassifier(), formula="y ~ 1").fit(D)
    with pytest.raises(pt.DataError, match="neither a term nor an intercept"):
        LR("y ~ 0", D)
    with pytest.raises(pt.DataError, match="0 feature"):
        pt.LogisticRegression().fit(np.zeros((50, 0)), D.y)
    assert LR("y ~ 0 + x", D).intercept_[0] == 0.0


def test_a_model_without_columns_has_a_report_and_no_marginal_effects(tmp_path):
    frame = pd.DataFrame({"y": [0, 0, 1] * 10, "x": np.arange(30.0), "colour": ["red", "blue", "red"] * 10})
    model = pt.LogisticRegression.from_formula("y ~ 1", frame)
    pt.report(model, frame, "y", tmp_path / "null.html")
    assert (tmp_path / "null.html").stat().st_size > 1000
    assert "std. err." in repr(model.marginal_effects(frame))
    assert len(model.marginal_effects(frame).to_frame("pandas")) == 0


def test_a_model_without_columns_explains_itself_and_has_no_boundary():
    frame = pd.DataFrame({"y": [0, 1, 1, 0, 1]})
    model = pt.LogisticRegression.from_formula("y ~ 1", frame)
    assert model.explain(frame).to_frame().shape == (5, 2)
    assert not model.signed_distance(frame).any()


def test_the_pseudo_r_squared_of_a_null_model_is_printed_without_a_minus():
    frame = pd.DataFrame({"z": np.random.default_rng(0).integers(0, 2, 80)})
    text = str(pt.LogisticRegression.from_formula("z ~ 1", frame).summary())
    assert "-0.0000" not in text
    assert " 0.0000" in text
