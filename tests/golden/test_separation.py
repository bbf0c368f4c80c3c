"""Separation of six data sets: verdict, columns, and the signs each coefficient can take at infinity."""

import numpy as np
import pytest

from posteriori.inference.separation import functionals, separation, separation_of, ways
from posteriori.links.logit import Logit
from posteriori.objectives.prepare import objective_of, survey
from posteriori.tables.border import read_training
from tests.golden.test_logistic import frame_of, golden

VERDICTS = {"complete": "complete", "quasi-complete": "quasi", "overlap (finite MLE)": "none"}


def case_of(number):
    case = golden("separation")["results"][number]
    frame = frame_of(case)
    if "and" in case["preprocessing"]:
        frame = frame[frame["species"].isin(case["preprocessing"].replace(" rows", "").split(" and "))]
    assert len(frame) == case["n_rows"]
    return case, frame[case["features"]], (frame[case["target"]] == case["positive_class"]).to_numpy()


@pytest.mark.parametrize("number", range(6))
def test_columns_are_those_with_no_finite_estimate(number):
    case, X, y = case_of(number)
    found = separation(X, y)
    assert found.kind == VERDICTS[case["verdict"]]
    signs = case["recession_direction_signs"]
    assert found.columns == tuple(name for name in case["features"] if signs[name] != "finite")
    if found.kind == "complete":
        assert len(found.rows) == len(y)


@pytest.mark.parametrize("number", [0, 1, 5])
def test_signs_at_infinity_are_those_of_the_recession_cone(number):
    case, X, y = case_of(number)
    table = read_training(object(), X, y, None).table
    objective = objective_of(survey(table), Logit(), None, True, 4000)
    found = separation_of(objective)
    moved = np.linalg.norm(functionals(objective)[0] @ found.space, axis=1) > 1e-9
    for j, (name, wanted) in enumerate(case["recession_direction_signs"].items()):
        if not moved[j]:
            assert wanted == "finite", name
            continue
        sign, both = ways(objective, found, 0, j)
        assert wanted == ("both" if both else {1: "+inf", -1: "-inf"}[sign]), name
