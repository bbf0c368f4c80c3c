"""Model files of earlier versions load, and answer as they did when they were written."""

import json

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.estimators.catalogue import CATALOGUE
from posteriori.storage.catalogue import KINDS
from posteriori.storage.container import FileContents, from_stream, to_bytes
from tests.storage.old_models import ANSWERS, FOLDER

EXPECTED = json.loads(ANSWERS.read_text())


def old(name):
    return FOLDER / f"{name}.posteriori"


def parts(path) -> FileContents:
    with open(path, "rb") as stream:
        return from_stream(stream, path.stat().st_size)


def forged(source, path, change):
    """Write a file's tree again, changed, with right checksums."""
    contents = parts(source)
    tree = json.loads(contents.tree)
    change(tree)
    path.write_bytes(to_bytes(FileContents(contents.version, contents.kind, json.dumps(tree), contents.tensors)))
    return path


@pytest.mark.parametrize("name", EXPECTED)
def test_an_old_file_answers_as_when_it_was_written(name):
    expected = EXPECTED[name]
    rows = pd.DataFrame(expected["columns"]) if "columns" in expected else np.array(expected["rows"])
    model = pt.load(old(name))
    assert model.predict(rows).tolist() == expected["predictions"]
    np.testing.assert_allclose(getattr(model, expected["method"])(rows), expected["values"], rtol=1e-9, atol=1e-12)


def test_every_old_file_has_its_answers():
    assert {path.stem for path in FOLDER.glob("*.posteriori")} == set(EXPECTED)
    assert set(CATALOGUE) <= set(EXPECTED)


def test_an_old_file_is_saved_again_with_the_parameters_of_today(tmp_path):
    pt.save(pt.load(old("lspc-landmarks")), tmp_path / "new")
    (before,), (after,) = (json.loads(parts(path).tree).values() for path in (old("lspc-landmarks"), tmp_path / "new"))
    assert "units" not in before["parameters"]
    assert after["parameters"]["units"] == "data"


@pytest.mark.parametrize("name", ["softmax-prior", "kernel-logistic-cv", "lspc-landmarks", "gaussian-wishart"])
def test_parameters_that_a_file_lacks_have_their_defaults(name, tmp_path):
    ((kind, tree),) = json.loads(parts(old(name)).tree).items()
    defaults = KINDS[kind]().get_params()
    for parameter in tree["parameters"]:
        if tree["parameters"][parameter] != defaults[parameter]:
            continue

        def leave_out(changed, parameter=parameter, kind=kind):
            del changed[kind]["parameters"][parameter]

        model = pt.load(forged(old(name), tmp_path / "m", leave_out))
        assert getattr(model, parameter) == defaults[parameter]
        np.testing.assert_array_equal(model.predict(np.zeros((1, 2))), pt.load(old(name)).predict(np.zeros((1, 2))))


@pytest.mark.parametrize("field", ["coef_", "centers_", "bandwidth_", "classes_", "fit_status_", "n_parameters_"])
def test_what_a_fit_learned_is_not_filled_in(field, tmp_path):
    def leave_out(tree):
        del tree["LSPC"]["learned"][field]

    with pytest.raises(pt.ModelFileError, match=field):
        pt.load(forged(old("lspc-landmarks"), tmp_path / "m", leave_out))


def test_a_parameter_without_a_default_is_asked_for_by_name(tmp_path):
    def leave_out(tree):
        del tree["OneVsRest"]["parameters"]["estimator"]

    with pytest.raises(pt.ModelFileError, match="'estimator'"):
        pt.load(forged(old("one-vs-rest"), tmp_path / "m", leave_out))


def test_a_parameter_that_no_version_knows_is_refused_by_name(tmp_path):
    def add(tree):
        tree["LSPC"]["parameters"]["colour"] = "red"

    with pytest.raises(pt.ModelFileError, match="'colour'"):
        pt.load(forged(old("lspc-landmarks"), tmp_path / "m", add))
