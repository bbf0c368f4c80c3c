"""The tables of rules name classes that exist, and the checks of arrays say what is wrong."""

import dataclasses
import warnings

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage.catalogue import KINDS
from posteriori.storage.checks import ATTRIBUTES, OPTIONAL
from posteriori.storage.rules.arrays import ARRAYS, NUMBERS
from tests.storage import old_models
from tests.storage.models import MODELS, TEXT, X
from tests.storage.test_hostile_files import assert_rejected, forged, learned_of

#: Names of storable classes and of their bases.
NAMES = {base.__name__ for kind in KINDS.values() for base in kind.__mro__}


@pytest.mark.parametrize("table", [ARRAYS, NUMBERS, ATTRIBUTES, OPTIONAL])
def test_a_table_names_storable_classes_and_their_bases(table):
    assert set(table) <= NAMES


@pytest.mark.parametrize("name", {**ARRAYS, **NUMBERS})
def test_arrays_and_numbers_in_the_tables_are_fields_of_their_class(name):
    kinds = [kind for kind in KINDS.values() if name in {base.__name__ for base in kind.__mro__}]
    fields = {field for kind in kinds for field in getattr(kind, "__dataclass_fields__", ())}
    attributes = {field for table in (ATTRIBUTES, OPTIONAL) for names in table.values() for field in names}
    hints = {field for kind in kinds for base in kind.__mro__ for field in vars(base).get("__annotations__", ())}
    names = {each for line in ARRAYS.get(name, ()) for each in line[0].split()} | set(NUMBERS.get(name, ()))
    assert names <= fields | attributes | hints


@pytest.mark.filterwarnings("error")
def test_a_model_of_a_column_that_is_constant_in_every_class_loads_without_a_warning(tmp_path):
    """The rounding of its coefficients has no bound: other processors may compute any."""
    rows = np.c_[X, (TEXT == "red") * 1.0]
    with pytest.warns(pt.DegenerateVarianceWarning, match="zero variance"):
        model = pt.GaussianClassifier().fit(rows, TEXT)
    pt.save(model, tmp_path / "m")
    assert pt.load(tmp_path / "m").predict(rows).tolist() == model.predict(rows).tolist()


def test_a_log_likelihood_that_is_not_a_number_is_rejected_without_a_warning(tmp_path):
    pt.save(MODELS["logistic, two classes"]()[0], tmp_path / "m")
    forged(tmp_path / "m", lambda tree, _: learned_of(tree)["information"]["Information"].update(n_copies=-60.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_rejected(tmp_path / "m", "n_copies is -60.0")


def scores_of(tree):
    return learned_of(tree)["linear"]["LinearScores"]


@pytest.mark.parametrize(("part", "size"), [("scale", 1e100), ("scale", 1.0001), ("centre", -1.0)])
def test_the_scores_of_a_perceptron_are_in_the_units_of_its_coefficients(part, size, tmp_path):
    pt.save(MODELS["perceptron, two classes, pocket"]()[0], tmp_path / "m")

    def change(tree, tensors):
        tensors[scores_of(tree)["units"]["Units"][part]["array"]["tensor"]][0] = size

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", "linear.units are not those of the columns")


def test_the_scores_of_a_perceptron_are_those_of_its_state(tmp_path):
    """On-line learning would go on from other weights than those that predict."""
    pt.save(MODELS["perceptron"]()[0], tmp_path / "m")

    def change(tree, tensors):
        tensors[learned_of(tree)["state"]["PerceptronState"]["w"]["array"]["tensor"]] *= 2.0

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", r"linear\.w does not follow")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e155, 1e300])
def test_numbers_whose_squares_overflow_are_rejected_without_a_warning(size, tmp_path):
    for name, *place in (
        ("least squares", "statistics", "WithinSummary", "within", "WithinScatter", "factor"),
        ("through a mixture", "information", "Information", "prior", "Quadratic", "mean"),
        ("gaussian, low rank", "density", "JointDensity", "parameters", "tuple", 0, "LowRankParameters",
         "precision_root"),
    ):  # fmt: skip
        path = tmp_path / "m"
        pt.save(MODELS[name]()[0], path)

        def change(tree, tensors, place=place):
            node = learned_of(tree)
            for key in place:
                node = node[key]
            tensors[node["array"]["tensor"]].reshape(-1)[-1] = size

        forged(path, change)
        assert_rejected(path, "not consistent")


def families():
    """Fit naive Bayes with columns of many families."""
    model, _ = old_models.families()
    return model


def part_of(tree, name, index=0):
    """Return the fields of the parameters or statistics of one group."""
    values = next(iter(learned_of(tree)[name].values()))
    parts = values["parameters" if name == "density" else "statistics"]["tuple"]
    return next(iter(parts[index].values()))


@pytest.mark.parametrize("index", range(len(old_models.families()[0].density_.groups)))
def test_parameters_of_a_family_follow_from_its_statistics(index, tmp_path):
    """`table` would show other numbers than `predict` uses."""
    path = tmp_path / "m"
    pt.save(families(), path)
    whole = path.read_bytes()
    fields = dataclasses.fields(families().density_.parameters[index])
    for field in (field.name for field in fields):

        def change(tree, tensors, field=field):
            node = part_of(tree, "density", index)
            if isinstance(node[field], int):
                node[field] += 1
            else:
                name = node[field]["array"]["tensor"]
                tensors[name] = np.where(tensors[name] == 0, 1, 2 * tensors[name]).astype(tensors[name].dtype)

        path.write_bytes(whole)
        forged(path, change)
        assert_rejected(path, rf"density\.parameters\[{index}\]\.")


@pytest.mark.parametrize("size", [1e200, np.inf])
@pytest.mark.parametrize("name", ["gaussian, shared", "gaussian, own", "gaussian, low rank"])
def test_a_covariance_that_is_shown_is_that_of_the_densities(name, size, tmp_path):
    pt.save(MODELS[name]()[0], tmp_path / "m")

    def change(tree, tensors):
        covariance = tensors[part_of(tree, "density")["covariance"]["array"]["tensor"]]
        with np.errstate(over="ignore"):
            covariance[0, 0] *= size
            covariance[0, :, 0] *= size

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", "covariance|loadings")


@pytest.mark.parametrize("name", ["gaussian, shared", "gaussian, singular", "gaussian, low rank, shared"])
def test_the_normalizer_of_a_density_follows_from_its_covariance(name, tmp_path):
    pt.save(MODELS[name]()[0], tmp_path / "m")

    def change(tree, tensors):
        tensors[part_of(tree, "density")["log_norm"]["array"]["tensor"]] += 1.0

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", "log_norm does not follow")


def test_means_of_logarithms_are_those_of_numbers(tmp_path):
    """Merging them with others would overflow."""
    pt.save(families(), tmp_path / "m")
    index = next(i for i, group in enumerate(families().density_.groups) if group.family.name == "dirichlet")

    def change(tree, tensors):
        tensors[part_of(tree, "statistics", index)["mean"]["array"]["tensor"]] *= 1e160

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", "logarithms below")


def test_a_fitted_perceptron_has_visited_a_row(tmp_path):
    """The average of its weights is over those visits."""
    pt.save(MODELS["perceptron"]()[0], tmp_path / "m")

    def change(tree, tensors):
        tensors[learned_of(tree)["state"]["PerceptronState"]["tally"]["array"]["tensor"]] *= 0

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", "tally")
