"""What a file says of a model is what the model predicts with: numbers that follow from others are computed again."""

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage.container import Contents, to_bytes
from tests.storage.models import MODELS
from tests.storage.test_hostile_files import forged, learned_of, parts

#: Attributes that summaries, explanations and reports show, by the kind of model.
SHOWN = {
    "logistic, two classes": ("coef_", "intercept_", "aic_", "bic_", "n_parameters_", "infinite_"),
    "softmax": ("coef_", "intercept_", "aic_", "bic_", "n_parameters_"),
    "through the cloglog link": ("coef_", "intercept_", "aic_", "bic_", "n_parameters_"),
    "logistic, separated": ("coef_", "intercept_", "infinite_"),
    "noisy-OR": ("coef_", "intercept_", "theta_", "failure_probabilities_", "leak_", "aic_", "n_parameters_"),
    "Bayesian logistic": ("coef_", "intercept_", "n_parameters_"),
    "Bayesian softmax by sampling": ("coef_", "intercept_", "n_parameters_"),
    "gaussian, shared": ("coef_", "intercept_", "means_", "class_priors_", "n_parameters_"),
    "gaussian, own": ("means_", "class_priors_", "n_parameters_"),
    "naive Bayes of all kinds": ("class_priors_", "n_parameters_"),
    "joint table": ("class_priors_", "n_parameters_"),
    "least squares": ("coef_", "intercept_", "n_parameters_"),
    "Fisher": ("coef_", "intercept_", "means_", "scalings_", "explained_variance_ratio_", "n_parameters_"),
    "perceptron": ("coef_", "intercept_", "n_parameters_", "n_updates_"),
    "LSPC on landmarks": ("n_parameters_",),
}


@pytest.mark.parametrize(("name", "attribute"), [(name, each) for name, many in SHOWN.items() for each in many])
@pytest.mark.parametrize("lie", ["negated", "larger by a thousandth"])
def test_a_file_cannot_show_other_numbers_than_it_predicts_with(name, attribute, lie, tmp_path):
    model, _ = MODELS[name]()
    pt.save(model, tmp_path / "m")

    def change(tree, tensors):
        value = learned_of(tree)[attribute]
        if isinstance(value, int | float):
            learned_of(tree)[attribute] = -value if lie == "negated" or isinstance(value, int) else 1.001 * value
            return
        ((_, body),) = value.items()
        array = tensors[body["tensor"]]
        if array.dtype.kind == "i":
            tensors[body["tensor"]] = np.where(array == 0, 1, 0).astype(array.dtype)
        else:
            tensors[body["tensor"]] = -array if lie == "negated" else array * 1.001

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError, match=f"{attribute} "):
        pt.load(tmp_path / "m")


def test_the_mode_of_a_posterior_and_the_scores_are_one(tmp_path):
    model, _ = MODELS["Bayesian logistic"]()
    pt.save(model, tmp_path / "m")

    def change(tree, tensors):
        scores = learned_of(tree)["scores_"]["LinearScores"]["w"]["array"]["tensor"]
        tensors[scores] = 2.0 * tensors[scores]

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError, match="is not the mode"):
        pt.load(tmp_path / "m")


@pytest.mark.parametrize("order", ["<", ">"])
def test_numbers_are_loaded_in_the_byte_order_of_the_processor(order, tmp_path):
    """Compiled code, from about a million cells on, takes no other."""
    model, rows = MODELS["naive Bayes of numbers"]()
    pt.save(model, tmp_path / "m")
    contents = parts(tmp_path / "m")
    tree = contents.tree.replace('"<f8"', f'"{order}f8"').replace('"<i8"', f'"{order}i8"')
    (tmp_path / "m").write_bytes(to_bytes(Contents(contents.version, contents.kind, tree, contents.tensors)))
    loaded = pt.load(tmp_path / "m")
    assert loaded.class_priors_.dtype.isnative
    assert loaded.density_.parameters[0].mean.dtype.isnative
    many = np.tile(rows, (-(-(2**20) // rows.size) + 1, 1))
    np.testing.assert_array_equal(loaded.predict(many)[: len(rows)], model.predict(rows))


PARAMETERS = {
    "logistic, two classes": {"weights": "kernel", "tol": -1.0, "solver": "x", "prior": "x", "random_state": "x"},
    "through the cloglog link": {"link": "logit", "on_separation": 3, "max_iter": [1]},
    "Bayesian logistic": {"predictive": "x", "prior": -1.0, "fit_intercept": False},
    "gaussian, shared": {"covariance": "diagonal", "shared": False, "estimate": "unbiased", "class_priors": [1.0]},
    "naive Bayes of all kinds": {"smoothing": -1.0, "missing": "x", "unseen": 1, "shared": "x"},
    "joint table": {"smoothing": "x", "max_parameters": 1},
    "least squares": {"targets": "x", "precision": -1.0},
    "Fisher": {"threshold": "x", "shrinkage": 7.0, "n_components": 9},
    "perceptron": {"keep": "x", "rate": 0.0, "order": 3},
    "kernel logistic": {"bandwidth": -1.0, "precision": -1.0, "units": "x", "centers": "x"},
    "LSPC on landmarks": {"precision": "x", "bandwidth": []},
    "one versus rest": {"rest": "x"},
    "table of logistic": {"types": "x", "missing": "x", "reference": 1},
}


@pytest.mark.parametrize(("name", "parameter"), [(name, each) for name, many in PARAMETERS.items() for each in many])
def test_parameters_are_checked_as_fit_checks_them(name, parameter, tmp_path):
    model, _ = MODELS[name]()
    pt.save(model, tmp_path / "m")

    def change(tree, _):
        (body,) = tree.values()
        body["parameters"][parameter] = PARAMETERS[name][parameter]

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError):
        pt.load(tmp_path / "m")


def test_a_model_whose_parameters_were_changed_after_its_fit_is_not_written_to_be_refused_later(tmp_path):
    model, _ = MODELS["gaussian, shared"]()
    with pytest.raises(pt.ModelFileError, match="could not be loaded again"):
        pt.save(model.set_params(shared=False), tmp_path / "m")
    assert not (tmp_path / "m").exists()
