"""``posteriori summary``."""

import click

from posteriori.cli.flags import debug_flag, json_flag, quiet_flag, strict_flag


@click.command("summary")
@click.argument("model_file", metavar="MODEL")
@json_flag
@quiet_flag
@strict_flag
@debug_flag
def command(model_file: str, as_json: bool, quiet: bool, strict: bool) -> None:
    """Show what a model file holds: its classes, its rows and weights, what it learned, and how the fit went.

    With --quiet only the fit status is printed.
    """
    from posteriori.cli.describe import describe, rendered
    from posteriori.cli.payloads import print_json
    from posteriori.cli.screen import lines, require_ok, show
    from posteriori.storage.files import load

    described = describe(load(model_file))
    if as_json:
        print_json("summary", {"model": described})
    elif quiet:
        lines(described["fit_status"])
    else:
        show(*rendered(described))
    require_ok(described["fit_status"], strict)
