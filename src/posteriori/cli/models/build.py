"""Models from what the command line says of them: a name, settings, a link, a seed."""

from collections.abc import Callable
from typing import Any

import click

from posteriori.cli.commands.flags import pairs


def build(
    name: str, parameters: dict[str, Any], seed: int | None = None, *, option: str = "--set", quiet: bool = False
) -> Any:
    """Make a model of the catalogue; mistakes are told as mistakes of usage.

    Parameters
    ----------
    name : in the catalogue
    parameters : of the model, by name
    seed : for models that draw random numbers
    option : where the parameters came from, for messages
    quiet : whether to keep silent about a seed that changes nothing
    """
    from posteriori.estimators.catalogue import CATALOGUE, find, make, unknown

    listed = find(name)
    if listed is None:
        raise click.BadParameter(unknown(name), param_hint="--model" if option == "--set" else option)
    known = CATALOGUE[listed].load()._get_param_names()
    parameters = _seeded(listed, known, parameters, seed, quiet)
    return _made(lambda: make(listed, **parameters), listed, parameters, known, option)


def build_linked(
    name: str | None, link: str, parameters: dict[str, Any], seed: int | None = None, *, quiet: bool = False
) -> Any:
    """Make the regression of two classes that ``--link`` asks for; a model named besides must not say otherwise.

    ``logistic`` is what is fitted where no model is named, so it goes with any link; with the logit it stays itself.
    """
    from posteriori.estimators.catalogue import CATALOGUE, find
    from posteriori.estimators.regression.binary_regression import BinaryRegression
    from posteriori.links.catalogue import LINKS

    regressions = [listed for listed, entry in CATALOGUE.items() if entry.kind == "BinaryRegression"]
    if name is not None and find(name) not in ("logistic", *regressions):
        raise click.UsageError(
            f"--link goes with the models {', '.join(['logistic', *regressions])}, not with {name!r}."
        )
    if link not in LINKS:
        raise click.BadParameter(f"there is no link {link!r}. The links are {', '.join(LINKS)}.", param_hint="--link")
    stated = parameters.get("link", link if name is None else CATALOGUE[str(find(name))].settings.get("link", link))
    if stated != link:
        where = f"--set link={stated}" if "link" in parameters else f"--model {name}"
        raise click.UsageError(f"{where} and --link {link} are two links: leave one of them out.")
    if link == "logit" and find(name or "logistic") == "logistic":
        return build("logistic", {key: value for key, value in parameters.items() if key != "link"}, seed, quiet=quiet)
    known = BinaryRegression._get_param_names()
    parameters = _seeded(f"a regression through {link}", known, {**parameters, "link": link}, seed, quiet)
    return _made(lambda: BinaryRegression(**parameters), "BinaryRegression", parameters, known, "--set")


def _seeded(name: str, known: list[str], parameters: dict[str, Any], seed: int | None, quiet: bool) -> dict[str, Any]:
    """Add the seed, or say that it changes nothing."""
    from posteriori.cli.failures import say

    if seed is None:
        return parameters
    if "random_state" in known:
        return {"random_state": seed, **parameters}
    if not quiet:
        say(f"Note: {name} draws no random numbers, so --seed changes nothing.")
    return parameters


def _made(make: Callable[[], Any], name: str, parameters: dict[str, Any], known: list[str], option: str) -> Any:
    strangers = [key for key in parameters if key not in known]
    try:
        return make()
    except TypeError as error:
        translated = str(error) if any(f"has no parameter {key}: " in str(error) for key in strangers) else ""
        raise click.BadParameter(
            translated or f"{name} has no parameter {strangers[0]!r}; it has {', '.join(known)}.", param_hint=option
        ) from None


def references(values: tuple[str, ...]) -> Any:
    """Read ``--reference``: a rule for all categories, or a level by column."""
    if len(values) == 1 and values[0] in ("first", "most-frequent"):
        return values[0]
    return pairs(values, "--reference") or "first"
