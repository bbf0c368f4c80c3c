"""Errors of the command: a sentence on standard error and an exit code, never a traceback.

====  =====================================================================
code  meaning
====  =====================================================================
0     success
1     internal error (run again with ``--debug``)
2     usage: an unknown option or name
3     data: the rows, columns or values cannot be used
4     model file: damaged, not of this program, or of a newer version
5     input/output: a file that does not exist or cannot be written
6     with ``--strict``: the fit status is not ok
130   interrupted
====  =====================================================================
"""

import os
import sys
from contextlib import suppress
from typing import Any

import click

from posteriori.messages.escape import escape_controls

INTERNAL, USAGE, DATA, MODEL_FILE, INPUT_OUTPUT, NOT_OK, INTERRUPTED, TERMINATED = 1, 2, 3, 4, 5, 6, 130, 143


class NotOk(click.ClickException):
    """The fit status is not ok under ``--strict``."""

    exit_code = NOT_OK


class NotInstalled(click.ClickException):
    """A package that only some commands need is not installed."""

    exit_code = INPUT_OUTPUT


class ReaderGoneError(Exception):
    """The reader of standard output has closed the pipe."""


def print_stderr(text: Any, keep: str = "") -> None:
    """Write a line to standard error, control characters except `keep` escaped; ignore a closed stream."""
    with suppress(OSError):
        click.echo(escape_controls(text, keep), err=True)


def end(error: BaseException, debug: bool) -> int:
    """Print the error and return the exit code."""
    if debug and not isinstance(error, click.exceptions.Exit | click.ClickException):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, BrokenPipeError | ReaderGoneError):
        _close_pipe()
        return 0  # the reader needs no more
    if isinstance(error, click.exceptions.Exit | SystemExit):
        return TERMINATED if isinstance(error, SystemExit) else error.exit_code
    if isinstance(error, click.exceptions.Abort | KeyboardInterrupt):
        print_stderr("Interrupted.")
        return INTERRUPTED
    if isinstance(error, click.UsageError) and error.ctx is not None and error.message == error.ctx.get_help():
        print_stderr(error.message, keep="\n")  # a command without arguments shows its help
        return error.exit_code
    if isinstance(error, click.ClickException):
        if isinstance(error, click.UsageError) and error.ctx is not None:
            print_stderr(error.ctx.get_usage(), keep="\n")
        print_stderr(f"Error: {error.format_message()}")
        return error.exit_code
    return _end_other(error)


def _end_other(error: BaseException) -> int:
    from posteriori.messages.errors import DataError, ModelFileError

    text, code = f"internal error: {type(error).__name__}: {error}. Run again with --debug for a traceback.", INTERNAL
    if isinstance(error, ModelFileError):
        text, code = str(error), MODEL_FILE
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        text, code = f"{where}{error.strerror or error}.", INPUT_OUTPUT
    elif isinstance(error, DataError):
        text, code = str(error), DATA
    elif isinstance(error, MemoryError):
        text, code = "the data do not fit into memory. Fit to some of the rows, or leave columns out.", DATA
    print_stderr(f"Error: {text}")
    return code


def drop_unwritten() -> None:
    """Discard output that cannot be written: the interpreter would try again at exit and change the exit code."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _close_pipe()


def _close_pipe() -> None:
    """Redirect standard output to the null device, so that closing it at exit raises no second error."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
