"""The page on decisions: its code runs, its file of costs is read, and it shows every decision there is."""

import doctest
import re
from pathlib import Path

import numpy as np

import posteriori as pt
from posteriori.cli.models.decisions import read_costs
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from tests.laws.discovery import members

PAGE = Path(__file__).parents[2] / "docs" / "decisions.md"


def test_the_code_of_the_page_runs_and_gives_what_it_says():
    result = doctest.testfile(str(PAGE), module_relative=False, raise_on_error=True)
    assert result.attempted > 30
    assert result.failed == 0


def test_the_file_of_costs_on_the_page_is_the_table_in_its_code(tmp_path):
    text = re.search(r"^```\n(action,.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)[1]
    (tmp_path / "costs.csv").write_text(text)
    found = read_costs(str(tmp_path / "costs.csv"), np.array(["ill", "well"]))
    assert found == {
        "send home": {"well": 0, "ill": 20},
        "another test": {"well": 1, "ill": 1},
        "treat": {"well": 5, "ill": 0},
    }


def test_every_decision_is_in_the_table_of_the_page():
    public = {kind.__name__ for kind in members(DecisionWrapper) if kind.__name__ in pt.__all__}
    assert public == {"CostSensitive", "RejectOption", "PriorShift"}
    for name in (*public, "ModelAverage"):
        assert f"| `pt.{name}(" in PAGE.read_text(encoding="utf-8")
