"""``posteriori models``."""

import click

from posteriori.cli.commands.flags import debug_flag, json_flag, spare_flags


@click.command("models")
@json_flag
@spare_flags("--quiet", "--seed", "--force", "--strict")
@debug_flag
def command(as_json: bool) -> None:
    """List the models by name, with their parameters."""
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
        also = f" (or {', '.join(entry.aliases)})" if entry.aliases else ""
        click.echo(f"{name}{also}: {entry.summary}")
        click.echo(f"    posteriori.{entry.kind}; --set {', '.join(parameters[name])}")
