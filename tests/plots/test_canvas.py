"""What every figure shares."""

import sys

import pytest

import posteriori as pt


def test_the_error_without_matplotlib_names_the_command_that_installs_it(monkeypatch):
    model = pt.LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"figures need matplotlib: pip install 'posteriori\[plot\]'"):
        pt.PosteriorDisplay.from_estimator(model, [[0.0], [1.0]])
