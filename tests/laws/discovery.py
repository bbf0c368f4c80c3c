"""Finds every member of a kind in the package, so that none can be added without obeying its laws."""

import inspect
import pkgutil
from functools import cache
from importlib import import_module

import posteriori


@cache
def modules():
    """Import every module of the package."""
    found = pkgutil.walk_packages(posteriori.__path__, "posteriori.")
    return tuple(import_module(module.name) for module in found if not module.name.endswith("__main__"))


def members(base):
    """List the concrete subclasses of a base that live in the package, by name."""
    found = {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, base) and not inspect.isabstract(value)
    }
    return sorted((kind for kind in found if kind.__module__.startswith("posteriori.")), key=lambda kind: kind.__name__)
