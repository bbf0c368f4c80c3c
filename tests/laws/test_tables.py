"""Every estimator needs nothing of a table but its contract, and nothing of an engine but its own."""

import numpy as np
import pytest
from sklearn.base import clone

import posteriori as pt
from posteriori.estimators.base import Classifier
from posteriori.input.training import read_training
from tests.laws.discovery import members
from tests.laws.tables import StreamedTable, ships
from tests.laws.test_estimators import CASES, Case

#: Cases besides those of the other laws: classifiers without probabilities, and paths of their own.
MORE = [
    Case(pt.LeastSquaresClassifier()),
    Case(pt.LeastSquaresClassifier(), classes=2),
    Case(pt.FisherDiscriminant(), classes=2),
    Case(pt.FisherDiscriminant(threshold="least-error"), classes=2),
    Case(pt.FisherDiscriminant(n_components=1)),
    Case(pt.Perceptron(max_iter=5)),
    Case(pt.Perceptron(max_iter=5, keep="pocket"), classes=2),
    Case(pt.Perceptron(max_iter=5, order="shuffled", random_state=0), classes=2),
    Case(pt.LogisticRegression(prior="jeffreys"), classes=2),
    Case(pt.LogisticRegression(basis=pt.PolynomialBasis(2)), classes=2),
    Case(pt.LogisticRegression(basis=pt.KernelBasis("median", 10)), classes=2),
    Case(pt.KernelLogisticRegression(centers=20)),
    Case(pt.LSPC(centers=20)),
]
EVERY = [*CASES, *MORE]
#: Those that visit the rows in random order, which only a table in memory can do.
SHUFFLED = [
    case
    for case in EVERY
    if getattr(case.model, "solver", None) == "online" or getattr(case.model, "order", None) == "shuffled"
]
STREAMED = [case for case in EVERY if case not in SHUFFLED]


pytestmark = pytest.mark.filterwarnings("ignore:the classes were not separated within 5 passes")


def names(case):
    return repr(case).replace("\n", "")


def answers(model, X):
    """Return what a fit predicts, as an array."""
    logs = [model.predict_log_proba(X), model.predict_proba(X)] if hasattr(model, "predict_proba") else []
    scores = model.decision_function(X)
    return np.column_stack([*logs, scores[:, None] if scores.ndim == 1 else scores, model.predict(X)])


def test_every_classifier_of_the_package_is_tried():
    public = {kind for kind in members(Classifier) if kind.__name__ in pt.__all__}
    assert public == {type(case.model) for case in EVERY}


@pytest.mark.parametrize("case", STREAMED, ids=names)
def test_a_table_that_can_only_be_read_in_order_gives_the_answer_of_memory(case):
    X, y = case.data(seed=3, n=200)
    expected = clone(case.model).fit(X, y)
    table = StreamedTable(read_training(case.model, X, y))
    model = clone(case.model).fit(table, None)
    name = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    np.testing.assert_allclose(getattr(model, name)(X), getattr(expected, name)(X), rtol=0, atol=1e-10)
    np.testing.assert_allclose(answers(model, table), answers(model, X), rtol=1e-11, atol=1e-11)
    assert model.classes_.tolist() == expected.classes_.tolist()


@pytest.mark.parametrize("case", SHUFFLED, ids=names)
def test_rows_in_random_order_need_a_table_in_memory(case):
    X, y = case.data(seed=3)
    with pytest.raises(pt.DataError, match="a StreamedTable can be read in order only"):
        clone(case.model).fit(StreamedTable(read_training(case.model, X, y)), None)


@pytest.mark.parametrize("case", EVERY, ids=names)
def test_functions_and_statistics_that_travel_by_pickle_give_the_same_bits(case, monkeypatch):
    X, y = case.data(seed=5, n=200)
    expected = clone(case.model).fit(X, y)
    before = answers(expected, X)
    ships(monkeypatch)
    np.testing.assert_array_equal(answers(clone(case.model).fit(X, y), X), before)


def test_separated_classes_are_named_the_same_by_a_table_read_in_order():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    table = StreamedTable(read_training(pt.LogisticRegression(), X, y))
    expected, model = pt.separation(X, y), pt.separation(table, None)
    assert (model.kind, model.classes, model.columns, len(model.rows)) == (
        expected.kind, expected.classes, expected.columns, len(expected.rows),
    )  # fmt: skip


def test_an_invalid_cell_of_a_table_is_named_by_its_column():
    X = np.ones((50, 2))
    X[:, 1] = np.arange(50.0)
    table = StreamedTable(read_training(pt.LogisticRegression(), X, np.arange(50) % 2))
    table.parts[2].features[4, 1] = np.nan
    with pytest.raises(pt.DataError, match=r"column 1: 1 cell\(s\)"):
        pt.LogisticRegression().fit(table, None)


def test_a_table_has_its_own_target():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    table = StreamedTable(read_training(pt.LogisticRegression(), X, y))
    with pytest.raises(pt.DataError, match="has its own target"):
        pt.LogisticRegression().fit(table, y)
