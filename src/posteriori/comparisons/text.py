"""Plain text of results that rich lays out as tables."""

from io import StringIO
from typing import Any

from rich.console import Console


def plain_text(renderable: Any, width: int) -> str:
    """Return what rich prints, without colours and trailing blanks."""
    stream = StringIO()
    Console(file=stream, width=width, color_system=None).print(renderable)
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip().split("\n"))
