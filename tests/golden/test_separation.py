"""Separation of six data sets: verdict, columns, and the signs each coefficient can take at infinity."""

import pytest

from posteriori.engines.select import engine_for
from posteriori.fits.existence.recession import recession_of
from posteriori.fits.existence.separation import separation, separation_of
from posteriori.input.training import read_training
from posteriori.links.logit import Logit
from posteriori.models.infinite_codes import BOTH, DOWN, FINITE, UP
from posteriori.objectives.prepare import objective_of, survey
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
    objective = objective_of(survey(engine_for(table)), Logit(), None, True, 4000)
    codes = recession_of(objective, separation_of(objective)).own[0].tolist()
    words = {FINITE: "finite", UP: "+inf", DOWN: "-inf", BOTH: "both"}
    assert [words[code] for code in codes] == list(case["recession_direction_signs"].values())
