"""A report as one page of HTML: no scripts, nothing from outside, every name escaped."""

from functools import cache
from importlib import import_module, resources
from typing import Any

from posteriori.reports.contents import Contents

#: What lays a report out, and what draws it.
NEEDED = ("jinja2", "matplotlib")


def page_of(contents: Contents) -> str:
    """Lay a report out as HTML; everything but our own drawings is escaped."""
    return str(_template().render(report=contents))


def require() -> None:
    """Refuse, before any work, to write a report without the packages that lay it out and draw it."""
    if lacking := absent():
        raise ImportError(f"reports need {' and '.join(lacking)}: pip install 'posteriori[report]'.")


def absent() -> list[str]:
    """Name the packages of the extra ``report`` that are not there."""
    found = []
    for name in NEEDED:
        try:
            import_module(name)
        except ImportError:
            found.append(name)
    return found


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = resources.files("posteriori.reports").joinpath("template.html").read_text(encoding="utf-8")
    return environment.from_string(text)
