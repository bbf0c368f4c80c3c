"""What a file says of a model is what the model predicts with: numbers that follow from others are computed again."""

import json

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage.container import FileContents, to_bytes
from tests.storage.models import MODELS, X, quiet
from tests.storage.test_hostile_files import attributes_of, forged, learned_of, parts

#: Places of numbers that other numbers of the file must agree with, by the kind of model.
PLACES = {
    "logistic, two classes": (
        "rounded tuple 0", "rounded tuple 1", "infinite", "likelihoods Likelihoods loss",
        "likelihoods Likelihoods null_loss", "information Information n_free", "information Information loss",
        "information Information totals", "information Information n_copies", "solution Solution objective",
    ),
    "softmax": ("rounded tuple 0", "rounded tuple 1", "likelihoods Likelihoods loss", "information Information loss"),
    "through the cloglog link": ("rounded tuple 0", "rounded tuple 1", "likelihoods Likelihoods loss"),
    "logistic, separated": ("infinite",),
    "noisy-OR": ("likelihoods Likelihoods loss", "solution BoundedSolution objective"),
    "gaussian, shared": ("class_priors", "prior_parameters"),
    "naive Bayes of all kinds": ("class_priors", "prior_parameters"),
    "joint table": ("class_priors",),
    "Fisher": ("projection LinearScores units Units centre",),
    "perceptron": ("linear LinearScores w", "state PerceptronState w"),
    "LSPC on landmarks": ("n_free",),
    "Bayesian logistic": (
        "posterior GaussianPosterior w", "posterior GaussianPosterior log_evidence", "log_likelihood",
        "correction CorrectedPosterior gaussian GaussianPosterior w", "correction CorrectedPosterior third",
        "correction CorrectedPosterior moved",
    ),
}  # fmt: skip


def place_in(node, path):
    """Return the part of a tree that holds a place, and its name there."""
    *names, last = [int(name) if name.isdigit() else name for name in path.split()]
    for name in names:
        node = node[name]
    return node, last


@pytest.mark.parametrize(("name", "path"), [(name, each) for name, many in PLACES.items() for each in many])
@pytest.mark.parametrize("lie", ["negated", "larger by a thousandth"])
def test_a_file_cannot_show_other_numbers_than_it_predicts_with(name, path, lie, tmp_path):
    model, _ = MODELS[name]()
    pt.save(model, tmp_path / "m")

    def change(tree, tensors):
        node, last = place_in(learned_of(tree), path)
        if isinstance(node[last], int | float):
            node[last] = (
                -node[last]
                if lie == "negated"
                else node[last] + 1
                if isinstance(node[last], int)
                else 1.001 * node[last]
            )
            return
        ((_, body),) = node[last].items()
        array = tensors[body["tensor"]]
        if array.dtype.kind == "i":
            tensors[body["tensor"]] = np.where(array == 0, 1, 0).astype(array.dtype)
        else:
            tensors[body["tensor"]] = -array if lie == "negated" else array * 1.001

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError, match="not consistent"):
        pt.load(tmp_path / "m")


@pytest.mark.parametrize(
    "name", ["logistic, two classes", "noisy-OR", "Bayesian logistic", "gaussian, shared", "Fisher", "LSPC"]
)
def test_a_file_holds_nothing_that_follows_from_other_numbers(name, tmp_path):
    """Attributes are read from the model, so none can contradict another."""
    model, _ = MODELS[name]()
    pt.save(model, tmp_path / "m")
    for attribute in ("coef_", "classes_", "n_features_in_", "n_parameters_", "fit_status_", "fit_notes_"):

        def change(tree, _, attribute=attribute):
            assert list(attributes_of(tree)) == ["model_"]
            attributes_of(tree)[attribute] = 1.0

        whole = (tmp_path / "m").read_bytes()
        forged(tmp_path / "m", change)
        with pytest.raises(pt.ModelFileError, match=f"{attribute} is not an attribute that a fit learns"):
            pt.load(tmp_path / "m")
        (tmp_path / "m").write_bytes(whole)


#: Arrays within attributes, by the kind of model and the path to them.
INSIDE = {
    "Bayesian logistic": ("posterior GaussianPosterior root",),
    "gaussian, shared": ("density JointDensity parameters tuple 0 FullParameters covariance",),
}  # fmt: skip


@pytest.mark.parametrize(("name", "place"), [(name, each) for name, many in INSIDE.items() for each in many])
def test_densities_and_posteriors_of_a_file_agree(name, place, tmp_path):
    model, _ = MODELS[name]()
    pt.save(model, tmp_path / "m")

    def change(tree, tensors):
        node = learned_of(tree)
        for key in place.split():
            node = node[int(key) if key.isdigit() else key]
        array = tensors[node["array"]["tensor"]]
        changed = array * 1.001
        tensors[node["array"]["tensor"]] = changed

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError):
        pt.load(tmp_path / "m")


def test_the_signs_of_infinite_estimates_are_those_of_the_pairs_of_classes(tmp_path):
    """The summary shows contrasts to a reference class, which follow from the pairs."""
    classes = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    pt.save(quiet(pt.LogisticRegression(), X, classes), tmp_path / "m")

    def change(tree, tensors):
        name = learned_of(tree)["information"]["Information"]["infinite"]["array"]["tensor"]
        tensors[name] = np.where(np.abs(tensors[name]) == 1, -tensors[name], tensors[name])

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError, match="infinite does not follow"):
        pt.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("parameters", "bounds"),
    [({"fit_intercept": False}, [0.0]), ({"parametrization": "reference", "reference": "a"}, [-0.5, 0.5])],
    ids=["the intercept", "the reference class"],
)
def test_a_coefficient_that_does_not_exist_is_not_marked_as_infinite(parameters, bounds, tmp_path):
    classes = np.array(["a", "b", "c"])[np.digitize(X[:, 0], bounds)]
    pt.save(quiet(pt.LogisticRegression(**parameters), X, classes), tmp_path / "m")
    pt.load(tmp_path / "m")

    def change(tree, tensors):
        tensors[learned_of(tree)["infinite"]["array"]["tensor"]][0, 0] = 1

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError, match="marks coefficients that the model does not have"):
        pt.load(tmp_path / "m")


def separated_rows():
    """Three classes whose estimates have all codes: some are infinite, some not identified, some finite."""
    rng = np.random.default_rng(310)
    rows, codes = rng.integers(-2, 3, (12, 2)).astype(float), rng.integers(0, 3, 12)
    codes[:3] = [0, 1, 2]
    codes[rows[:, 0] > 0] = 2
    rows[codes == 0, 1] = np.abs(rows[codes == 0, 1])
    classes = np.array(["a", "b", "c"])[codes]
    return rows, classes


@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
@pytest.mark.parametrize("place", ["infinite", "information Information pairs", "information Information infinite"])
def test_no_mark_of_three_classes_can_be_another(parametrization, place, tmp_path):
    """Directions of the recession cone in the file show which estimates are infinite, and their signs."""
    rows, classes = separated_rows()
    model = quiet(pt.LogisticRegression(parametrization=parametrization), rows, classes)
    assert set(model.infinite_.ravel().tolist()) >= {0, 1, 2}
    for index in range(array_at(saved(model, tmp_path), place).size):
        for code in (-1, 0, 1, 2, 3):

            def change(tree, tensors):
                name = tensor_at(tree, place)
                tensors[name] = tensors[name].copy()
                tensors[name].flat[index] = code  # noqa: B023  called at once

            path = saved(model, tmp_path)
            if array_at(path, place).flat[index] == code:
                continue
            forged(path, change)
            with pytest.raises(pt.ModelFileError, match=r"infinite|pairs|directions"):
                pt.load(path)


def test_directions_of_a_file_are_those_without_finite_estimates(tmp_path):
    path = saved(quiet(pt.LogisticRegression(), *separated_rows()), tmp_path)

    def change(tree, tensors):
        for name in ("aliased", "vanished"):
            directions = tensor_at(tree, f"information Information {name}")
            tensors[directions] = tensors[directions][:, :0]

    forged(path, change)
    with pytest.raises(pt.ModelFileError, match="directions are not among those without finite estimates"):
        pt.load(path)


@pytest.mark.parametrize("kept", ["the pairs", "nothing"])
def test_a_file_without_directions_loads_where_its_marks_are_possible(kept, tmp_path):
    """Files of earlier versions have none."""
    model = quiet(pt.LogisticRegression(), *separated_rows())

    def without(tree, tensors, *names):
        for name in names:
            del tensors[tensor_at(tree, f"information Information {name}")]
            learned_of(tree)["information"]["Information"][name] = None

    def remove(tree, tensors):
        without(tree, tensors, "directions", *(() if kept == "the pairs" else ("pairs",)))

    forged(saved(model, tmp_path), remove)
    np.testing.assert_array_equal(pt.load(tmp_path / "m").infinite_, model.infinite_)

    def turn(tree, tensors):
        without(tree, tensors, "directions")
        name = tensor_at(tree, "infinite")
        tensors[name] = -np.sign(tensors[name])

    forged(saved(model, tmp_path), turn)
    with pytest.raises(pt.ModelFileError, match="infinite does not follow from the pairs"):
        pt.load(tmp_path / "m")


def noisy_or():
    """A noisy-OR whose first trigger never failed, while the second never acted."""
    trigger = np.array([1.0, 1.0, 0.0, 0.0] * 5)
    return quiet(pt.NoisyOr(), np.column_stack([trigger, 1 - trigger]), trigger.astype(int))


@pytest.mark.parametrize(
    "fit", [MODELS["logistic, separated"], lambda: (noisy_or(), None)], ids=["logistic", "noisy-OR"]
)
def test_separated_classes_have_infinite_estimates(fit, tmp_path):
    model, _ = fit()
    assert model.fit_status_ == "separated"

    def no_marks(tree, tensors):
        if isinstance(model, pt.NoisyOr):
            learned_of(tree)["certain"]["array"]["values"] = [False] * 3
            return
        for place in ("infinite", "information Information pairs", "information Information infinite"):
            name = tensor_at(tree, place)
            tensors[name] = np.zeros_like(tensors[name])

    def another_status(tree, tensors):
        learned_of(tree)["status"] = "ok"

    def overlap(tree, tensors):
        ((_, solution),) = learned_of(tree)["solution"].items()
        solution["overlap"] = True

    for change in (no_marks, another_status, overlap):
        forged(saved(model, tmp_path), change)
        with pytest.raises(pt.ModelFileError, match=r"and the fit is '(ok|separated)'"):
            pt.load(tmp_path / "m")


def test_only_triggers_of_a_noisy_or_above_zero_are_marked(tmp_path):
    model = noisy_or()
    assert model.infinite_.tolist() == [[0, 1, 0]]

    def change(tree, tensors):
        learned_of(tree)["certain"]["array"]["values"] = [False, False, True]

    forged(saved(model, tmp_path), change)
    with pytest.raises(pt.ModelFileError, match="marks coefficients that are zero"):
        pt.load(tmp_path / "m")


def saved(model, folder):
    """Save a model and return the file."""
    pt.save(model, folder / "m")
    return folder / "m"


def tensor_at(tree, place):
    """Return the name of the tensor of a learned array, by the path to it."""
    node = learned_of(tree)
    for key in place.split():
        node = node[key]
    return node["array"]["tensor"]


def array_at(path, place):
    """Return a learned array of a file."""
    contents = parts(path)
    return contents.tensors[tensor_at(json.loads(contents.tree), place)]


def test_marks_of_infinite_estimates_are_codes(tmp_path):
    classes = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    pt.save(quiet(pt.LogisticRegression(), X, classes), tmp_path / "m")

    def change(tree, tensors):
        tensors[learned_of(tree)["infinite"]["array"]["tensor"]][0, 1] = 100

    forged(tmp_path / "m", change)
    with pytest.raises(pt.ModelFileError, match="contains codes that are not"):
        pt.load(tmp_path / "m")


@pytest.mark.parametrize("factor", [1e-240, 1e-200, 1e200, 1e240])
@pytest.mark.parametrize("name", ["observed", "expected", "meat"])
def test_sums_of_any_size_give_standard_errors_or_an_error_that_says_why(name, factor, tmp_path):
    model, rows = MODELS["through the probit link"]()
    pt.save(model, tmp_path / "m")

    def change(tree, tensors):
        sums = learned_of(tree)["information"]["Information"]["sums"]["Sums"]
        tensors[sums[name]["array"]["tensor"]] = factor * tensors[sums[name]["array"]["tensor"]]

    forged(tmp_path / "m", change)
    loaded = pt.load(tmp_path / "m")
    for kind in ("observed", "expected", "robust"):
        try:
            assert np.isfinite(loaded.standard_errors(kind)).all()
            assert np.isfinite(loaded.predict_interval(rows, kind=kind)).all()
            loaded.summary(covariance=kind).to_text()
        except pt.DataError as error:
            assert "range of double precision" in str(error)  # noqa: PT017  either is right


@pytest.mark.parametrize("order", ["<", ">"])
def test_numbers_are_loaded_in_the_byte_order_of_the_processor(order, tmp_path):
    """Compiled code, from about a million cells on, takes no other."""
    model, rows = MODELS["naive Bayes of numbers"]()
    pt.save(model, tmp_path / "m")
    contents = parts(tmp_path / "m")
    tree = contents.tree.replace('"<f8"', f'"{order}f8"').replace('"<i8"', f'"{order}i8"')
    (tmp_path / "m").write_bytes(to_bytes(FileContents(contents.version, contents.kind, tree, contents.tensors)))
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


def test_the_linear_form_of_nearly_dependent_columns_is_not_compared_with_that_of_another_processor(tmp_path):
    """S^-1 times the means has few digits that two ways of solving agree on, so it is not in the file."""
    near = np.column_stack([X[:, 0], X[:, 0] + 1e-7 * X[:, 1], X[:, 1] + 1e6])
    model = quiet(pt.GaussianClassifier(), near, X[:, 0] > 0.3)
    pt.save(model, tmp_path / "m")
    tree = json.loads(parts(tmp_path / "m").tree)
    assert not {"coef", "intercept", "linear"} & set(learned_of(tree))
    np.testing.assert_array_equal(pt.load(tmp_path / "m").coef_, model.coef_)


@pytest.mark.parametrize("seed", [66, 693, 792, 924])
def test_directions_that_rounding_moves_off_the_others_are_left_out(seed, tmp_path):
    """Columns far from zero in their own units, where floats do not show the directions to many digits."""
    rng = np.random.default_rng(seed)
    K, d = rng.integers(2, 6), rng.integers(1, 5)
    n = rng.integers(K + 2, 30)
    rows = rng.normal(size=(n, d)) if seed % 3 else rng.integers(0, 3, (n, d)).astype(float)
    classes = rng.integers(0, K, n)
    classes[:K] = range(K)
    parameters = {"parametrization": "reference", "reference": int(rng.integers(K))} if seed % 2 else {}
    rows = np.column_stack([rows, rows[:, 0]]) if seed % 7 == 0 else rows
    rows = rows * 10.0 ** rng.integers(-6, 7, rows.shape[1]) + 1e3
    model = quiet(pt.LogisticRegression(**parameters), rows, classes)
    assert model.fit_status_ == "separated"
    pt.load(saved(model, tmp_path))
