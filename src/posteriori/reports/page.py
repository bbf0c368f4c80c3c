"""A report as one page of HTML: no scripts, nothing loaded from elsewhere, every name escaped."""

import re
from functools import cache
from importlib import import_module, resources
from typing import Any

from posteriori.reports.contents import Contents

#: The packages of the extra ``report``.
NEEDED = ("jinja2", "matplotlib")


def page_of(contents: Contents) -> str:
    """Return a report as HTML; everything but the drawings is escaped, and no line breaks before a percent sign."""
    return re.sub(r"(?<=\d) %", "\u00a0%", str(_template().render(report=contents)))


def require() -> None:
    """Raise, before any work, if a package of the extra ``report`` is not installed."""
    if lacking := absent():
        raise ImportError(f"reports need {' and '.join(lacking)}: pip install 'posteriori[report]'.")


def absent() -> list[str]:
    """Return the packages of the extra ``report`` that are not installed."""
    lacking = []
    for name in NEEDED:
        try:
            import_module(name)
        except ImportError:
            lacking.append(name)
    return lacking


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = resources.files("posteriori.reports").joinpath("template.html").read_text(encoding="utf-8")
    return environment.from_string(text)
