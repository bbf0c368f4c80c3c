"""``posteriori models``."""

import click

from posteriori.cli.commands.flags import run_flags


@click.command("models")
@run_flags("--quiet", "--seed", "--force", "--strict")
def command(as_json: bool) -> None:
    """List the models and their parameters."""
    from posteriori.cli.output.json import print_json
    from posteriori.estimators.catalogue import CATALOGUE

    parameters = {name: entry.load()._get_param_names() for name, entry in CATALOGUE.items()}
    if as_json:
        models = [
            {"name": name, "aliases": list(entry.aliases), "class": entry.kind,
             "settings": dict(entry.settings), "parameters": parameters[name], "summary": entry.summary}
            for name, entry in CATALOGUE.items()
        ]  # fmt: skip
        print_json("models", {"models": models})
        return
    for name, entry in CATALOGUE.items():
        aliases = f" (alias {', '.join(entry.aliases)})" if entry.aliases else ""
        click.echo(f"{name}{aliases}: {entry.summary}")
        click.echo(f"    Class: posteriori.{entry.kind}. Parameters for --set: {', '.join(parameters[name])}")
