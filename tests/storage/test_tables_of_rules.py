"""The tables of rules name classes that exist, and the checks of arrays say what is wrong."""

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage.catalogue import KINDS
from posteriori.storage.learned_attributes import LEARNED, OPTIONAL
from posteriori.storage.rules.arrays import ARRAYS
from tests.storage.models import MODELS, TEXT, X
from tests.storage.test_hostile_files import forged, learned_of, refused

#: Names of storable classes and of their bases.
NAMES = {base.__name__ for kind in KINDS.values() for base in kind.__mro__}


@pytest.mark.parametrize("table", [ARRAYS, LEARNED, OPTIONAL])
def test_a_table_names_storable_classes_and_their_bases(table):
    assert set(table) <= NAMES


@pytest.mark.parametrize("name", ARRAYS)
def test_the_arrays_of_a_value_are_fields_of_its_class(name):
    kinds = [kind for kind in KINDS.values() if name in {base.__name__ for base in kind.__mro__}]
    fields = {field for kind in kinds for field in getattr(kind, "__dataclass_fields__", ())}
    attributes = {field for table in (LEARNED, OPTIONAL) for names in table.values() for field in names}
    hints = {field for kind in kinds for base in kind.__mro__ for field in vars(base).get("__annotations__", ())}
    for fields_of_range, _, _ in ARRAYS[name]:
        assert set(fields_of_range.split()) <= fields | attributes | hints


@pytest.mark.filterwarnings("error")
def test_a_model_of_a_column_that_is_constant_in_every_class_loads_without_a_warning(tmp_path):
    """The rounding of its coefficients has no bound: other processors may compute any."""
    rows = np.c_[X, (TEXT == "red") * 1.0]
    with pytest.warns(pt.DegenerateVarianceWarning, match="zero variance"):
        model = pt.GaussianClassifier().fit(rows, TEXT)
    pt.save(model, tmp_path / "m")
    assert pt.load(tmp_path / "m").predict(rows).tolist() == model.predict(rows).tolist()


def scores_of(tree):
    return learned_of(tree)["scores_"]["LinearScores"]


@pytest.mark.parametrize(("part", "size"), [("scale", 1e100), ("scale", 1.0001), ("centre", -1.0)])
def test_the_scores_of_a_perceptron_are_in_the_units_of_its_coefficients(part, size, tmp_path):
    pt.save(MODELS["perceptron, two classes, pocket"]()[0], tmp_path / "m")

    def change(tree, tensors):
        tensors[scores_of(tree)["units"]["Units"][part]["array"]["tensor"]][0] = size

    forged(tmp_path / "m", change)
    refused(tmp_path / "m", "(coef|intercept)_ does not follow")


def test_the_scores_of_a_perceptron_are_those_of_its_state(tmp_path):
    """On-line learning would go on from other weights than those that predict."""
    pt.save(MODELS["perceptron"]()[0], tmp_path / "m")

    def change(tree, tensors):
        tensors[learned_of(tree)["state_"]["PerceptronState"]["w"]["array"]["tensor"]] *= 2.0

    forged(tmp_path / "m", change)
    refused(tmp_path / "m", r"scores_\.w does not follow")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e155, 1e300])
def test_numbers_whose_squares_overflow_are_rejected_without_a_warning(size, tmp_path):
    for name, *place in (
        ("least squares", "statistics_", "WithinSummary", "within", "WithinScatter", "factor"),
        ("through a mixture", "information_", "Information", "prior", "Quadratic", "mean"),
        ("gaussian, low rank", "density_", "JointDensity", "parameters", "tuple", 0, "LowRankParameters",
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
        refused(path, "not consistent")
