"""A fit is a few sweeps over the rows; a sweep turns each block of rows into small statistics; statistics merge.

Public names are imported when first used, so that importing the package costs nothing. They are listed in
`__init__.pyi`.
"""

import os
from importlib import import_module
from threading import RLock
from typing import Any


def _public_names() -> dict[str, str]:
    """Return the module of every public name, from the lines ``from module import name as name`` of the stub."""
    stub = os.path.join(os.path.dirname(__file__), "__init__.pyi")
    lines = __spec__.loader.get_data(stub).decode().splitlines()  # of the loader, which may read an archive
    imports = (line.split() for line in lines if line.startswith("from "))
    return {words[3]: words[1] for words in imports}


_MODULES = _public_names()
__all__ = [name for name in _MODULES if name != "figures"]  # a module

#: One thread imports at a time: of modules that import each other, two threads could see one half initialised.
_lock = RLock()
if hasattr(os, "register_at_fork"):  # no thread imports a name during a fork
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, on one thread at a time."""
    with _lock:
        globals()[name] = value = _imported(name)
    return value


def _imported(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("posteriori")
    if name not in _MODULES:
        raise AttributeError(f"module 'posteriori' has no attribute {name!r}")
    module = import_module(_MODULES[name])
    return getattr(module, name) if hasattr(module, name) else import_module(f"{_MODULES[name]}.{name}")


def __dir__() -> list[str]:
    """Return the public names, and what the module has already."""
    return sorted({*globals(), *_MODULES, "__version__"})
