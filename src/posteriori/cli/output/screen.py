"""Output for people: tables on standard output, notes on standard error."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from posteriori.cli.failures import NotOk, print_stderr
from posteriori.messages.escape import escape_controls


def show(*renderables: Any) -> None:
    """Print tables and lines on standard output, as wide as the terminal; 160 characters wide into a file."""
    from rich.console import Console

    class Screen(Console):
        """A console that leaves a closed pipe to `failures.end`."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    width = None if sys.stdout.isatty() else 160
    console = Screen(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)
    for renderable in renderables:
        if isinstance(renderable, str):
            lines(renderable)
        else:
            console.print(renderable)


def grid(title: str, header: list[Any], rows: list[list[Any]]) -> Any:
    """Return a table: the first column left-aligned, the others right-aligned."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for i, name in enumerate(header):
        table.add_column(Text(escape_controls(name)), justify="left" if i == 0 else "right", no_wrap=i == 0)
    for row in rows:
        table.add_row(*[Text(escape_controls(cell_text(cell))) for cell in row])
    return Group(Text(""), Text(escape_controls(title), style="bold"), table) if title else table


def cell_text(cell: Any) -> str:
    """Format a cell: numbers to six digits."""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


@contextmanager
def warnings_as_notes(quiet: bool) -> Iterator[list[type[Warning]]]:
    """Print warnings as notes on standard error, each text once, none if quiet; yield the list of their categories."""
    printed: set[str] = set()
    categories: list[type[Warning]] = []

    def note(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        categories.append(category)
        text = str(message)
        if text not in printed and not quiet:
            print_stderr(f"Note: {text}")
        printed.add(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        yield categories


def status_of(categories: list[type[Warning]]) -> str:
    """Return the fit status that corresponds to categories of warnings."""
    from posteriori.messages.errors import CollinearityWarning, ConvergenceWarning, SeparationWarning

    table = {"separated": SeparationWarning, "not_converged": ConvergenceWarning, "aliased": CollinearityWarning}
    return next((status for status, kind in table.items() if any(issubclass(each, kind) for each in categories)), "ok")


def progress(quiet: bool) -> Any:
    """Return the context in which fits run: without progress lines if quiet."""
    from posteriori.engines.options import options

    return options(progress=False if quiet else None)


def require_ok(status: str, strict: bool) -> None:
    """Exit with code 6 if strict and the fit status is not ok."""
    if strict and status != "ok":
        raise NotOk(f"the fit status is {status!r}, not 'ok' (--strict).")


def check_target(path: str, force: bool) -> None:
    """Raise if a file cannot be written, or exists and may not be overwritten."""
    import errno
    import os

    from posteriori.storage.atomic import check_writable

    if path == "-":
        raise click.BadParameter("give the name of a file: standard output is reserved for results.", param_hint="-o")
    check_writable(path)
    if os.path.exists(path) and not force:
        raise FileExistsError(errno.EEXIST, "this file exists; use --force to overwrite it", path)


def lines(*texts: str) -> None:
    """Print plain lines on standard output."""
    for text in texts:
        click.echo(escape_controls(text, keep="\n\t"))
