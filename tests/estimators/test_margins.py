"""Classification margins: their definition, and their second name."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 2))
BINARY = np.where(X[:, 0] + RNG.normal(size=60) > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[(X @ RNG.normal(size=(2, 3)) + RNG.normal(size=(60, 3))).argmax(axis=1)]
MODELS = [
    pt.LogisticRegression(),
    pt.BayesianLogisticRegression(prior=1.0),
    pt.GaussianClassifier(),
    pt.GaussianClassifier(shared=False),
    pt.NaiveBayes(),
    pt.KernelLogisticRegression(),
    pt.LSPC(),
    pt.LeastSquaresClassifier(),
    pt.FisherDiscriminant(),
    pt.Perceptron(keep="average", max_iter=5),
]


@pytest.mark.filterwarnings("ignore:the classes were not separated")
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_margin_is_the_score_of_the_own_class_minus_the_largest_other(model):
    model.fit(X, THREE)
    scores, own = model.decision_function(X), THREE[:, None] == model.classes_
    expected = scores[own] - np.where(own, -np.inf, scores).max(axis=1)
    np.testing.assert_array_equal(model.classification_margins(X, THREE), expected)
    np.testing.assert_array_equal(expected > 0, model.predict(X) == THREE)


@pytest.mark.filterwarnings("ignore:the classes were not separated")
@pytest.mark.parametrize("model", [*MODELS, pt.BinaryRegression()], ids=repr)
def test_a_margin_of_two_classes_is_the_score_with_the_sign_of_the_class(model):
    scores = model.fit(X, BINARY).decision_function(X)
    expected = np.where(BINARY == "yes", scores, -scores)
    np.testing.assert_array_equal(model.classification_margins(X, BINARY), expected)
    np.testing.assert_array_equal(model.margins(X, BINARY), expected)


@pytest.mark.parametrize("positive", [None, "no"])
def test_a_table_classifier_has_both_names(positive):
    frame = pd.DataFrame(X, columns=["u", "v"]).assign(color=np.where(X[:, 1] > 0, "red", "blue"), y=BINARY)
    model = pt.TableClassifier(pt.LogisticRegression(), positive=positive).fit(frame, "y")
    margins = model.classification_margins(frame, "y")
    np.testing.assert_array_equal(margins > 0, model.predict(frame) == BINARY)
    np.testing.assert_array_equal(model.margins(frame, "y"), margins)


def test_margins_are_in_the_order_of_the_index_of_the_rows():
    frame = pd.DataFrame(X, columns=["u", "v"])
    model = pt.LogisticRegression().fit(frame, BINARY)
    labels = pd.Series(BINARY, index=frame.index).sample(frac=1.0, random_state=0)
    np.testing.assert_array_equal(
        model.classification_margins(frame, labels), model.classification_margins(frame, BINARY)
    )
