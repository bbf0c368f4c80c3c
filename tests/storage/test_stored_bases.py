"""Bases in model files: damage is reported by the name of the field, before anything is predicted."""

from dataclasses import replace

import numpy as np
import pytest

import posteriori as pt
from posteriori.priors.weights import Weights
from tests.storage.test_hostile_files import write_unchecked

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = X[:, 0] + RNG.normal(size=80) > 0


def with_phi(model, phi):
    model.model_ = replace(model.model_, columns=replace(model.model_.columns, phi=phi))
    return model


def broken(basis, **changes):
    model = pt.LogisticRegression(basis=basis, prior=1.0).fit(X, Y)
    return with_phi(model, replace(model.phi_, **changes))


def other_columns():
    model = pt.LogisticRegression(basis=pt.PolynomialBasis(2), prior=1.0).fit(X, Y)
    return with_phi(model, pt.PolynomialBasis(1).fit(np.zeros((1, 5))).phi_)


def no_phi():
    model = pt.LogisticRegression(basis=pt.PolynomialBasis(1)).fit(X, Y)
    return with_phi(model, None)


def broken_weights():
    prior = pt.GaussianPrior(Weights(np.zeros((1, 2)), np.zeros(3), (), "a form"), 1.0)
    model = pt.LogisticRegression(prior=1.0).fit(X, Y)
    return model.set_params(prior=prior)


CASES = {
    "parents outside": (lambda: broken(pt.PolynomialBasis(2), parents=np.array([-1, -1, 0, 0, 9])), "parents"),
    "factors outside": (lambda: broken(pt.PolynomialBasis(2), factors=np.array([0, 1, 0, 1, -7])), "parents"),
    "factors that do not begin with the columns": (
        lambda: broken(pt.PolynomialBasis(2), factors=np.array([1, 0, 0, 1, 1])),
        "factors",
    ),
    "degrees not shared out": (lambda: broken(pt.PolynomialBasis(2), starts=(0, 2, 4)), "starts"),
    "a width of zero": (lambda: broken(pt.GaussianBasis([0.0], 1.0), widths=np.zeros(1)), "widths"),
    "a centre that is not finite": (lambda: broken(pt.SigmoidBasis([0.0], 1.0), centers=np.array([np.inf])), "centers"),
    "columns that are not the model's": (lambda: broken(pt.SigmoidBasis([0.0], 1.0), n_inputs=3), "3 columns, not 2"),
    "points of another space": (lambda: broken(pt.KernelBasis(1.0, 3), centers=np.zeros((3, 4))), "4 columns, not 2"),
    "an unknown word": (lambda: broken(pt.KernelBasis(1.0, 3), word="x"), "word"),
    "fewer centres than coefficients": (
        lambda: broken(pt.KernelBasis(1.0, 3), centers=np.zeros((2, 2)), widths=np.ones(2)),
        "linear is over 3 columns, not 2",
    ),
    "a basis of other columns": (other_columns, "5 columns, not 2"),
    "a basis without its phi": (no_phi, "does not go with"),
    "weights with another number of intercepts": (broken_weights, "intercept"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_refused_that_holds(name, tmp_path):
    make, message = CASES[name]
    write_unchecked(make(), tmp_path / "model")
    with pytest.raises(pt.ModelFileError, match=message):
        pt.load(tmp_path / "model")


def test_a_table_of_a_model_with_a_basis_is_stored_and_described_by_the_columns_of_the_basis(tmp_path):
    import pandas as pd

    from posteriori.reports.description import describe

    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1]})
    model = pt.TableClassifier(pt.LogisticRegression(basis=pt.PolynomialBasis(2))).fit(frame, Y)
    pt.save(model, tmp_path / "model")
    loaded = pt.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    (vector,) = describe(loaded)["coefficients"].values()
    assert list(vector)[1:] == ["x", "y", "x^2", "x y", "y^2"]
