"""``posteriori summary``."""

import click

from posteriori.cli.commands.flags import debug_flag, json_flag, quiet_flag, spare_flags, strict_flag


@click.command("summary")
@click.argument("model_file", metavar="MODEL")
@click.option(
    "--exponentiate", is_flag=True, help="Odds ratios in place of coefficients (of cloglog models: hazard ratios)."
)
@json_flag
@quiet_flag
@strict_flag
@spare_flags("--seed", "--force")
@debug_flag
def command(model_file: str, exponentiate: bool, as_json: bool, quiet: bool, strict: bool) -> None:
    """Show what a model file holds: its classes, its rows and weights, what it learned, and how the fit went.

    Of a logistic model, or one through another link: the table of its coefficients with standard errors, tests and
    intervals.

    With --quiet only the fit status is printed.
    """
    from posteriori.cli.output.description import inferred, rendered
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import lines, require_ok, show
    from posteriori.reports.description import describe
    from posteriori.storage.save_load import load

    model = load(model_file)
    described, table = describe(model), inferred(model, exponentiate)
    if as_json:
        print_json("summary", {"model": described} if table is None else {"model": described, "table": table.to_dict()})
    elif quiet:
        lines(described["fit_status"])
    else:
        show(*rendered(described, table))
    require_ok(described["fit_status"], strict)
