"""A formula in a model file is data: whatever a forger writes there, nothing outside the table of operations runs."""

import json

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage.container import FileContents, to_bytes
from tests.storage.models import MODELS
from tests.storage.test_hostile_files import assert_rejected, forged, loads_or_is_rejected, mutate, parts


@pytest.fixture
def saved(tmp_path):
    model, _ = MODELS["table by a formula"]()
    pt.save(model, tmp_path / "m")
    return tmp_path / "m"


def nodes(tree, kind):
    """Yield every node of a kind in a tree."""
    if isinstance(tree, dict):
        if kind in tree:
            yield tree[kind]
        for value in tree.values():
            yield from nodes(value, kind)
    elif isinstance(tree, list):
        for value in tree:
            yield from nodes(value, kind)


@pytest.mark.slow
def test_random_changes_to_a_formula_load_well_or_are_refused(saved):
    contents, rows = parts(saved), MODELS["table by a formula"]()[1]
    rng = np.random.default_rng(5)
    outcomes = []
    for _ in range(300):
        tree = json.loads(contents.tree)
        whole = next(nodes(tree, "FormulaCoding"))
        mutate(whole, rng)
        saved.write_bytes(to_bytes(FileContents(contents.version, contents.kind, json.dumps(tree), contents.tensors)))
        outcomes.append(loads_or_is_rejected(saved, rows))
    assert outcomes.count(False) > 150


@pytest.mark.parametrize("operation", ["exec", "eval", "__import__", "os.system", "open", "lag", "", "numpy.load"])
def test_an_operation_that_is_not_in_the_table_is_refused(saved, operation):
    forged(saved, lambda tree, _: next(nodes(tree, "Expression")).update(operation=operation))
    assert_rejected(saved, "not in the table of operations")


EVIL = "{__import__('os').abort()(y)} ~ x"


@pytest.mark.parametrize(
    "formula", [EVIL, "low ~ I(" + "(" * 9000, "low ~ exec(age)", "low ~ bs(age, df='4')", 3, "lag(x) ~ age"]
)
@pytest.mark.parametrize("kind", ["FormulaCoding", "TableClassifier"])
def test_a_formula_that_the_grammar_does_not_read_is_refused(saved, kind, formula):
    def change(tree, _):
        node = next(nodes(tree, kind))
        (node if kind == "FormulaCoding" else node["parameters"])["formula"] = formula

    forged(saved, change)
    assert_rejected(saved, "formula")


def test_a_formula_in_a_list_of_models_is_read_by_the_grammar_too(tmp_path):
    rows = MODELS["table by a formula"]()[1]
    labels = np.array([0, 1])[np.arange(len(rows)) % 2]
    table = pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula="~ age")
    model = pt.ModelAverage([table, table], weights=[0.5, 0.5]).fit(rows, labels)
    pt.save(model, tmp_path / "m")

    def change(tree, _):
        for node in nodes(tree["ModelAverage"]["parameters"], "TableClassifier"):
            node["parameters"]["formula"] = EVIL

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m", "formula")


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("Expression", {"parts": {"tuple": []}}, "parts"),
        ("CategoryFactor", {"reference": 99}, "reference"),
        ("CategoryFactor", {"levels": {"tuple": ["a", "a"]}}, "twice"),
        ("CategoryFactor", {"column": "elsewhere"}, "no such column"),
        ("FormulaProduct", {"factors": {"tuple": [77]}}, "products of the factors"),
        ("FormulaProduct", {"whole": {"tuple": [0]}}, "a number as a category"),
        ("FormulaCoding", {"terms": {"tuple": []}}, "gives 0 columns"),
    ],
)
def test_a_formula_that_does_not_hang_together_is_refused(saved, kind, change, message):
    forged(saved, lambda tree, _: next(nodes(tree, kind)).update(change))
    assert_rejected(saved, message)
