"""The backend is chosen by the number of values, travels with the blocks, and does without numba where it must."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import posteriori as pt
from posteriori.backends.backend import ARRAYS, COMPILED, COMPILED_FROM, backend_for
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable, table_of
from posteriori.tables.schema import numbered
from posteriori.tables.views import Mapped
from tests.backends.large_fits import MODELS, N_COLUMNS, N_ROWS, predictions

ROOT = Path(__file__).parents[2]
MODULES = ["linear", "classwise", "perceptron", "online", "kernel_online"]
#: How numba may be missing: not installed, or not importable with the numpy that is installed.
HIDDEN = {
    "not installed": "import sys; sys.modules['numba'] = None",
    "not importable": "import sys; sys.path.insert(0, {folder!r})",
}
PROGRAM = """{hide}
import numpy as np
from posteriori.backends.backend import ARRAYS, COMPILED
from tests.backends.large_fits import predictions

assert COMPILED.linear is ARRAYS.linear
np.savez({file!r}, **predictions())
assert not any(name.startswith("posteriori.backends.compiled.") for name in sys.modules)
"""


def test_tables_of_many_values_are_compiled():
    assert backend_for(COMPILED_FROM - 1) is backend_for(None) is ARRAYS
    assert backend_for(COMPILED_FROM) is COMPILED


@pytest.mark.parametrize("backend", [ARRAYS, COMPILED])
def test_a_backend_has_its_own_kernels_also_after_it_was_pickled(backend):
    for name in MODULES:
        assert getattr(backend, name).__name__ == f"posteriori.backends.{backend.name}.{name}"
    assert pickle.loads(pickle.dumps(backend)) is backend


def test_the_blocks_of_a_table_have_its_backend():
    large = MemoryTable(Features(np.zeros((N_ROWS, N_COLUMNS)), numbered(N_COLUMNS)), np.zeros(N_ROWS, dtype=np.intp))
    block = next(large.blocks(1))
    assert large.backend is block.backend is block.picked(np.arange(3)).backend is COMPILED
    small = table_of(large.gather(np.arange(20)), large.schema)
    assert next(small.blocks(0)).backend is ARRAYS
    squares = large.view(Mapped(pt.PolynomialBasis(2).fit(np.zeros((9, N_COLUMNS))).phi_))
    assert next(squares.blocks(0)).backend is COMPILED


@pytest.fixture(scope="module")
def compiled():
    """Return the predictions with compiled kernels."""
    return predictions()


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.slow
def test_without_numba_large_fits_give_the_same_predictions(hidden, compiled, tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs NumPy 2.2 or less.')\n")
    file = str(tmp_path / "predictions.npz")
    program = PROGRAM.format(hide=HIDDEN[hidden].format(folder=str(tmp_path)), file=file)
    path = os.pathsep.join([str(Path(pt.__file__).parents[1]), str(ROOT)])
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300, env=os.environ | {"PYTHONPATH": path})
    results = np.load(file)
    for name in MODELS:
        np.testing.assert_allclose(results[name], compiled[name], rtol=0, atol=1e-10, err_msg=name)
