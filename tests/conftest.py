"""Settings of the whole suite: hypothesis gives the same cases in every run and keeps no files."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

if "PYTEST_XDIST_WORKER" in os.environ:  # workers share the cores: more threads of BLAS in each would wait, spinning
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "posteriori",
    deadline=None,
    max_examples=14,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("posteriori")

CONTRACT = Path(__file__).parent / "contract"
#: Folders of tests that draw figures, write pages and run the command: left out of `make quick` as a whole.
DRAWN = tuple(Path(__file__).parent / name for name in ("cli", "plots", "reports"))


def pytest_collection_modifyitems(items):
    """Mark the tests of interfaces: scikit-learn's checks, what documents promise, and what is drawn or printed."""
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in DRAWN):
            item.add_marker(pytest.mark.slow)
        if item.path.is_relative_to(CONTRACT) or "scikit_learn" in item.name:
            item.add_marker(pytest.mark.contract)
