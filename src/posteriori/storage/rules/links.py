"""Rules for links: that their parameters are ones."""

from collections.abc import Callable
from typing import Any

from posteriori.links.gaussian_mixture import GaussianMixtureLink
from posteriori.messages.errors import DataError
from posteriori.storage.requirements import wrong


def mixture(value: GaussianMixtureLink, where: str) -> None:
    """Ask what the constructor asks, and that weights are divided by their sum."""
    try:
        made = GaussianMixtureLink(value.means, value.sds, value.weights)
    except DataError as error:
        wrong(where, f"cannot be ({error})")
    if (made.means, made.sds, made.weights) != (value.means, value.sds, value.weights):
        wrong(where, "holds components that do not make a mixture")


#: By the name of the class.
LINK_RULES: dict[str, Callable[[Any, str], None]] = {"GaussianMixtureLink": mixture}
