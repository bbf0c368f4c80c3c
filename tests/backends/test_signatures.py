"""The two backends have the same modules, and in them the same kernels with the same parameters."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from posteriori import backends

FOLDERS = {name: Path(backends.__file__).parent / name for name in ("arrays", "compiled")}
MODULES = {name: {path.stem for path in folder.glob("*.py")} - {"__init__"} for name, folder in FOLDERS.items()}
#: Modules of the compiler itself.
COMPILER = {"compiler", "exponential", "prefetch"}
#: Functions of the numpy backend that are called by name, not through `Backend`.
HELPERS = {"hash_rows", "class_weights", "visit_with"}


def kernels(module):
    """Return the public functions of a module of kernels, with the names of their parameters."""
    functions = {name: getattr(value, "py_func", value) for name, value in vars(module).items()}
    return {
        name: list(inspect.signature(function).parameters)
        for name, function in functions.items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
    }


def test_both_backends_have_the_same_modules():
    assert MODULES["arrays"] == MODULES["compiled"] - COMPILER


@pytest.mark.parametrize("name", sorted(MODULES["arrays"]))
def test_compiled_kernels_have_the_names_and_parameters_of_those_in_numpy(name):
    arrays, compiled = (import_module(f"posteriori.backends.{backend}.{name}") for backend in ("arrays", "compiled"))
    ours = {kernel: parameters for kernel, parameters in kernels(arrays).items() if kernel not in HELPERS}
    assert ours or name == "linear"  # where numpy is faster through the link and the design
    assert ours == {kernel: parameters for kernel, parameters in kernels(compiled).items() if kernel in ours}


def test_both_backends_have_the_same_tables_of_kernels_by_link():
    from posteriori.backends.arrays import linear as arrays
    from posteriori.backends.compiled import linear as compiled

    tables = {name for name, value in vars(arrays).items() if name.isupper() and isinstance(value, dict)}
    assert tables == {name for name, value in vars(compiled).items() if name.isupper() and isinstance(value, dict)}
    assert tables
