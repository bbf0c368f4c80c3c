"""How a failure ends the command: a sentence on standard error and an exit code, never a traceback.

====  =====================================================================
code  meaning
====  =====================================================================
0     fine
1     a fault of the program itself (run again with ``--debug``)
2     usage: an option or a name that does not exist
3     data: the rows, columns or values cannot be used
4     model file: damaged, foreign, or newer than the program
5     reading or writing: a file that is not there, or cannot be written
6     under ``--strict``: the fit status is not ok
130   interrupted
====  =====================================================================
"""

import os
import sys
from contextlib import suppress
from typing import Any

import click

from posteriori.messages.escape import escape_controls

FAULT, USAGE, DATA, MODEL_FILE, INPUT_OUTPUT, NOT_OK, INTERRUPTED, TERMINATED = 1, 2, 3, 4, 5, 6, 130, 143


class NotOk(click.ClickException):
    """The fit status is not ok, and ``--strict`` was given."""

    exit_code = NOT_OK


class NotInstalled(click.ClickException):
    """A package that only some commands need is not there."""

    exit_code = INPUT_OUTPUT


class ReaderGoneError(Exception):
    """Nobody reads our standard output any more."""


def say(text: Any, keep: str = "") -> None:
    """Write a line to standard error, escaped but for `keep`; where nobody reads it, the exit code still tells."""
    with suppress(OSError):
        click.echo(escape_controls(text, keep), err=True)


def end(error: BaseException, debug: bool) -> int:
    """Say what went wrong and give the exit code."""
    if debug and not isinstance(error, click.exceptions.Exit | click.ClickException):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, BrokenPipeError | ReaderGoneError):
        _close_pipe()
        return 0  # the reader had enough
    if isinstance(error, click.exceptions.Exit | SystemExit):
        return TERMINATED if isinstance(error, SystemExit) else error.exit_code
    if isinstance(error, click.exceptions.Abort | KeyboardInterrupt):
        say("Interrupted.")
        return INTERRUPTED
    if isinstance(error, click.UsageError) and error.ctx is not None and error.message == error.ctx.get_help():
        say(error.message, keep="\n")  # a command without arguments shows its help
        return error.exit_code
    if isinstance(error, click.ClickException):
        if isinstance(error, click.UsageError) and error.ctx is not None:
            say(error.ctx.get_usage(), keep="\n")
        say(f"Error: {error.format_message()}")
        return error.exit_code
    return _end_other(error)


def _end_other(error: BaseException) -> int:
    from posteriori.messages.errors import DataError, ModelFileError

    if isinstance(error, ModelFileError):
        say(f"Error: {error}")
        return MODEL_FILE
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        say(f"Error: {where}{error.strerror or error}.")
        return INPUT_OUTPUT
    if isinstance(error, DataError):
        say(f"Error: {error}")
        return DATA
    if isinstance(error, MemoryError):
        say("Error: the data do not fit into memory. Learn from some of the rows, or leave columns out.")
        return DATA
    say(f"Error: a fault of the program: {type(error).__name__}: {error}. Run again with --debug to see where.")
    return FAULT


def drop_unwritten() -> None:
    """Let go of results that cannot be written: the interpreter would try again at exit, with a code of its own."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _close_pipe()


def _close_pipe() -> None:
    """Point standard output nowhere, so that its closing at exit does not complain again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
