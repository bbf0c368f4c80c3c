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


def pytest_collection_modifyitems(items):
    """Mark the tests of interfaces: scikit-learn's checks, and what documents promise."""
    for item in items:
        if item.path.is_relative_to(CONTRACT):
            item.add_marker(pytest.mark.contract)
