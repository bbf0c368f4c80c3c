"""Predictions taken apart: the parts sum to the log odds or scores, in the columns the user knows."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

import posteriori as pt

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame({
    "size": RNG.normal(size=90), "age": RNG.gamma(2.0, size=90), "visits": RNG.poisson(3, 90),
    "color": RNG.choice(["red", "green", "blue"], 90), "tame": RNG.random(90) < 0.4,
    "share": RNG.beta(2, 3, 90),
})  # fmt: skip
FRAME.loc[[3, 9], "size"] = np.nan
FRAME.loc[[4, 9], "color"] = None
THREE = np.array(["a", "b", "c"])[np.digitize(FRAME["age"] + RNG.normal(size=90), [1, 3])]
TWO = np.where(THREE == "a", "no", "yes")
FAMILIES = {
    "auto": "auto",
    "of every kind": {"age": "gamma", "visits": "poisson", "share": "beta"},
    "with a joint Gaussian": {("size", "age"): "gaussian"},
    "counts together": {("visits", "age"): "gaussian", "share": "exponential"},
}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_parts_of_naive_bayes_sum_to_the_log_odds(name):
    model = pt.NaiveBayes(families=FAMILIES[name]).fit(FRAME, TWO)
    told = model.explain(FRAME)
    np.testing.assert_allclose(told.total, model.decision_function(FRAME), rtol=1e-10, atol=1e-10)
    priors = model.class_priors_
    assert float(told.baseline) == pytest.approx(np.log(priors[1] / priors[0]), rel=1e-14)
    assert told.classes == ("no", "yes")


@pytest.mark.parametrize("name", FAMILIES)
def test_the_softmax_of_the_parts_of_naive_bayes_is_the_posterior(name):
    model = pt.NaiveBayes(families=FAMILIES[name]).fit(FRAME, THREE)
    told = model.explain(FRAME)
    assert told.contributions.shape == (90, 3, len(told.names))
    np.testing.assert_allclose(softmax(told.total, axis=1), model.predict_proba(FRAME), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(told.contributions.sum(axis=1), 0.0, atol=1e-9)


def test_a_part_of_naive_bayes_is_the_log_ratio_of_its_column():
    model = pt.NaiveBayes().fit(FRAME, TWO)
    told = model.explain(FRAME)
    table = model.table("color")["probability"]
    at = told.names.index("color")
    red = (FRAME["color"] == "red").to_numpy()
    wanted = np.log(table[1, 2] / table[0, 2])
    np.testing.assert_allclose(told.contributions[red, at], wanted, rtol=1e-12)
    assert told.contributions[4, at] == 0.0
    assert told.contributions[9, told.names.index("size")] == 0.0


def test_a_joint_group_is_one_part_and_a_multinomial_one_for_each_column():
    model = pt.NaiveBayes(families={("size", "age"): "gaussian"}).fit(FRAME, TWO)
    assert model.explain(FRAME).names == ("size, age", "visits", "color", "tame", "share")
    words = RNG.poisson(2.0, size=(60, 4))
    y = words[:, 0] > words[:, 1]
    text = pt.NaiveBayes(families="multinomial").fit(words, y)
    told = text.explain(words)
    assert told.names == ("0", "1", "2", "3")
    probability = np.stack([text.table(j)["probability"] for j in range(4)], axis=1).reshape(2, 4)
    np.testing.assert_allclose(told.contributions, words * np.log(probability[1] / probability[0]), rtol=1e-9)
    np.testing.assert_allclose(told.total, text.decision_function(words), rtol=1e-9, atol=1e-12)


def test_a_value_that_one_class_rules_out_decides_and_says_so():
    frame = pd.DataFrame({"c": list("xxyyxz"), "n": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    model = pt.NaiveBayes(smoothing=0.0).fit(frame, [0, 0, 1, 1, 0, 1])
    told = model.explain(frame)
    assert told.contributions[:, 0].tolist() == [-np.inf, -np.inf, np.inf, np.inf, -np.inf, np.inf]
    assert (told.total > 0).tolist() == model.predict(frame).astype(bool).tolist()


def test_rows_that_naive_bayes_cannot_take_are_refused():
    model = pt.NaiveBayes(families={"visits": "poisson"}).fit(FRAME, TWO)
    with pytest.raises(pt.DataError, match="visits"):
        model.explain(FRAME.assign(visits=-1))
    with pytest.warns(pt.UnseenCategoryWarning, match="color"):
        told = model.explain(FRAME.assign(color="pink"))
    assert not told.contributions[:, told.names.index("color")].any()


def test_a_table_speaks_in_the_columns_of_the_frame():
    whole = FRAME.dropna()
    y = TWO[whole.index]
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0)).fit(whole, y)
    told = model.explain(whole)
    assert told.names == tuple(FRAME.columns)
    np.testing.assert_allclose(told.total, model.decision_function(whole), atol=1e-12)
    inner = model.estimator_.explain(model.coding_.apply(__import__("narwhals").from_native(whole)).to_native())
    levels = [inner.names.index(f"color={level}") for level in ("green", "red")]
    np.testing.assert_allclose(
        told.contributions[:, told.names.index("color")], inner.contributions[:, levels].sum(axis=1), atol=1e-14
    )
    assert told.to_frame().columns.tolist() == ["baseline", *FRAME.columns, "total"]


@pytest.mark.parametrize("estimator", [pt.LogisticRegression(prior=1.0), pt.GaussianClassifier(), pt.NaiveBayes()])
def test_the_positive_class_turns_the_signs(estimator):
    whole = FRAME.dropna()
    y = TWO[whole.index]
    plain = pt.TableClassifier(estimator).fit(whole, y)
    turned = pt.TableClassifier(estimator, positive="no").fit(whole, y)
    np.testing.assert_allclose(turned.explain(whole).contributions, -plain.explain(whole).contributions, rtol=1e-12)
    assert turned.explain(whole).classes == ("yes", "no")
    np.testing.assert_allclose(turned.explain(whole).total, turned.decision_function(whole), rtol=1e-9, atol=1e-9)


def test_more_classes_and_gaps_marked_are_gathered_too():
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0), missing="indicator").fit(FRAME, THREE)
    told = model.explain(FRAME)
    assert told.names == tuple(FRAME.columns)
    np.testing.assert_allclose(softmax(told.total, axis=1), model.predict_proba(FRAME), rtol=1e-9)


def test_what_is_no_sum_over_columns_has_no_explanation():
    whole = FRAME[["age", "share"]]
    model = pt.TableClassifier(pt.GaussianClassifier(shared=False)).fit(whole, TWO)
    with pytest.raises(pt.DataError, match="quadratic"):
        model.explain(whole)
    assert not hasattr(pt.TableClassifier(pt.JointTable()), "explain")


def test_a_class_that_is_none_is_answered_with_those_that_are():
    X = np.arange(9.0)[:, None]
    told = pt.LogisticRegression(prior=1.0).fit(X, ["a", "b", "c"] * 3).explain(X)
    assert told.top(0, "c") == told.top(0)
    with pytest.raises(pt.DataError, match="there is no class 'd'; the classes are 'a', 'b', 'c'"):
        told.top(0, "d")
