"""Models built from options of the command line: a name, settings, a link, a seed."""

from collections.abc import Callable
from typing import Any

import click

from posteriori.cli.commands.flags import pairs


def build(
    name: str, parameters: dict[str, Any], seed: int | None = None, *, option: str = "--set", quiet: bool = False
) -> Any:
    """Return a model of the catalogue; raise a usage error for unknown names and parameters.

    Parameters
    ----------
    name : in the catalogue
    parameters : of the model, by name
    seed : for models that draw random numbers
    option : the option that has the parameters, for messages
    quiet : whether to suppress the note on a seed without effect
    """
    from posteriori.estimators.catalogue import CATALOGUE, find, make, unknown

    entry = find(name)
    if entry is None:
        raise click.BadParameter(unknown(name), param_hint="--model" if option == "--set" else option)
    known = CATALOGUE[entry].load()._get_param_names()
    parameters = _with_seed(entry, known, parameters, seed, quiet)
    return _construct(lambda: make(entry, **parameters), entry, parameters, known, option)


def build_linked(
    name: str | None, link: str, parameters: dict[str, Any], seed: int | None = None, *, quiet: bool = False
) -> Any:
    """Return the binary regression with the link of ``--link``; raise if ``--model`` or ``--set`` names another link.

    ``logistic`` is the default model, so it is compatible with every link.
    """
    from posteriori.estimators.catalogue import CATALOGUE, find
    from posteriori.estimators.regression.binary_regression import BinaryRegression
    from posteriori.links.catalogue import LINKS

    models = ["logistic", *(entry for entry, of in CATALOGUE.items() if of.kind == "BinaryRegression")]
    if name is not None and find(name) not in models:
        raise click.UsageError(f"--link is an option of the models {', '.join(models)}, not of {name!r}.")
    if link not in LINKS:
        raise click.BadParameter(f"unknown link {link!r}. The links are {', '.join(LINKS)}.", param_hint="--link")
    other = parameters.get("link", link if name is None else CATALOGUE[str(find(name))].settings.get("link", link))
    if other != link:
        where = f"--set link={other}" if "link" in parameters else f"--model {name}"
        raise click.UsageError(f"{where} and --link {link} name two links: leave one of them out.")
    if link == "logit" and find(name or "logistic") == "logistic":
        return build("logistic", {key: value for key, value in parameters.items() if key != "link"}, seed, quiet=quiet)
    known = BinaryRegression._get_param_names()
    parameters = _with_seed(f"a regression with link {link}", known, {**parameters, "link": link}, seed, quiet)
    return _construct(lambda: BinaryRegression(**parameters), "BinaryRegression", parameters, known, "--set")


def _with_seed(
    name: str, known: list[str], parameters: dict[str, Any], seed: int | None, quiet: bool
) -> dict[str, Any]:
    """Add the seed to the parameters; print a note if the model draws no random numbers."""
    from posteriori.cli.failures import print_stderr

    if seed is None:
        return parameters
    if "random_state" in known:
        return {"random_state": seed, **parameters}
    if not quiet:
        print_stderr(f"Note: {name} draws no random numbers, so --seed has no effect.")
    return parameters


def _construct(make: Callable[[], Any], name: str, parameters: dict[str, Any], known: list[str], option: str) -> Any:
    """Return what `make` constructs; raise a usage error for parameters that the model does not have."""
    unknown = [key for key in parameters if key not in known]
    try:
        return make()
    except TypeError as error:
        translated = str(error) if any(f"has no parameter {key}: " in str(error) for key in unknown) else ""
        raise click.BadParameter(
            translated or f"{name} has no parameter {unknown[0]!r}; its parameters are {', '.join(known)}.",
            param_hint=option,
        ) from None


def references(values: tuple[str, ...]) -> Any:
    """Parse ``--reference``: a rule for all categories, or one level per column."""
    if len(values) == 1 and values[0] in ("first", "most-frequent"):
        return values[0]
    return pairs(values, "--reference") or "first"
