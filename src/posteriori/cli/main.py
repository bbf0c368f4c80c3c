"""The entry point: a group of commands, each imported when it is called."""

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Never

import click

from posteriori.cli.failures import TERMINATED, ReaderGoneError, drop_unwritten, end
from posteriori.messages.options import command_line

#: The commands, each in the module of the same name, with their one-line help.
COMMANDS = {
    "demo": "Fit, compare, predict and report on a data set of the package.",
    "fit": "Fit a model to a CSV or Parquet file.",
    "compare": "Compare models on a data file by cross-validation.",
    "predict": "Predict the classes of rows with a fitted model.",
    "summary": "Show a fitted model: classes, coefficients or parameters, fit status.",
    "explain": "Explain predictions by the contribution of each column.",
    "report": "Write an HTML report of a fitted model.",
    "models": "List the models and their parameters.",
    "figures": "Draw or list the figures of the textbooks.",
}


class Program(click.Group):
    """A group of commands that are imported by name; every error ends with a sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the table."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command named; raise with the list of commands if there is none."""
        if args[0] not in COMMANDS:
            ctx.fail(f"No such command {args[0]!r}. The commands are {', '.join(COMMANDS)}.")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"posteriori.cli.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; click would exit with code 1 when the reader has closed the pipe."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Never:
        """Run a command and exit with its code."""
        arguments = list(sys.argv[1:] if args is None else args)
        extra.pop("standalone_mode", None)
        try:
            with command_line():
                code = super().main(arguments, prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
        except (Exception, KeyboardInterrupt) as error:
            code = end(_stopped[-1] if _stopped else error, "--debug" in arguments)
            drop_unwritten()
        sys.exit(code if isinstance(code, int) else 0)


def _version(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version

        click.echo(f"posteriori {version('posteriori')}")
        ctx.exit()


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
def program() -> None:
    """Classification by linear and probabilistic models.

    DATA is a .csv, .tsv or .parquet file, a folder or a glob of such files, or - for standard input. Results go to
    standard output, progress and notes to standard error.

    Exit codes: 0 success, 2 usage, 3 data, 4 model file, 5 input/output, 6 fit status not ok under --strict,
    130 interrupted.

    Shell completion: eval "$(_POSTERIORI_COMPLETE=bash_source posteriori)", or zsh_source or fish_source.
    """


def _open_streams() -> None:
    """Make closed streams fail when written to, and write characters that the encoding lacks as escapes."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


#: Exceptions raised by signals. One raised during an import may be converted to another error; the exit code is the
#: signal's.
_stopped: list[BaseException] = []


def _stop(number: int, _: Any) -> Never:
    """Raise the exception that ends the command after a signal, so that files are cleaned up."""
    _stopped.append(KeyboardInterrupt() if number == signal.SIGINT else SystemExit(TERMINATED))
    raise _stopped[-1]


def main() -> Never:
    """Run the command; SIGTERM cleans up like an interrupt."""
    signal.signal(signal.SIGTERM, _stop)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # and not ignored, as behind nohup
        signal.signal(signal.SIGINT, _stop)
    _open_streams()
    program.main(prog_name="posteriori")
