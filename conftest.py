"""Tests and examples draw figures without a screen, close them, and get the same random numbers in every run."""

import os
import sys
from collections.abc import Iterator

import numpy as np
import pytest

os.environ.setdefault("MPLBACKEND", "agg")


@pytest.fixture(autouse=True)
def the_global_generator_is_seeded() -> None:
    """Seed the generator that scikit-learn and `random_state=None` draw from."""
    np.random.seed(0)  # noqa: NPY002 - this generator and no other is the one that None stands for


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Iterator[None]:
    """Close what a test drew; matplotlib warns of many open figures."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
