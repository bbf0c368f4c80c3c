"""``posteriori summary``."""

import click

from posteriori.cli.commands.flags import run_flags


@click.command("summary")
@click.argument("model_file", metavar="MODEL")
@click.option(
    "--exponentiate", is_flag=True, help="Show odds ratios (cloglog models: hazard ratios) instead of coefficients."
)
@run_flags("--seed", "--force")
def command(model_file: str, exponentiate: bool, as_json: bool, quiet: bool, strict: bool) -> None:
    """Show a fitted model: classes, training rows, what it learned, and the fit status.

    Logistic models and those with another link show a table of coefficients with standard errors, tests and
    confidence intervals.

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
