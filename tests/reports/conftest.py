"""Reports without figures, which take most of their time."""

import pytest

from posteriori.reports import assemble


@pytest.fixture
def without_figures(monkeypatch):
    """Leave the figures out of reports, for tests of what else is in them."""
    for name in ("probability_figures", "column_figures", "coefficient_figure"):
        monkeypatch.setattr(assemble, name, lambda *arguments: [])


@pytest.fixture
def without_layout(monkeypatch):
    """Draw figures without arranging them, which takes half of the time of drawing."""
    monkeypatch.setattr("matplotlib.layout_engine.ConstrainedLayoutEngine.execute", lambda self, figure: None)
