"""Links of two classes by the names that users give them."""

from typing import Any

from posteriori.links.base import Link
from posteriori.links.binary import BinaryLink
from posteriori.links.cauchit import Cauchit
from posteriori.links.cloglog import CLogLog
from posteriori.links.logit import Logit
from posteriori.links.loglog import LogLog
from posteriori.links.probit import Probit
from posteriori.messages.errors import DataError, DataTypeError

#: The links of two classes that have names.
LINKS: dict[str, Link] = {
    "logit": Logit(),
    "probit": Probit(),
    "cloglog": CLogLog(),
    "loglog": LogLog(),
    "cauchit": Cauchit(),
}


def read_link(link: Any) -> Link:
    """Give the link that a user names, or has made.

    >>> read_link("probit")
    Probit()
    """
    if isinstance(link, BinaryLink | Logit):
        return link
    names = ", ".join(map(repr, LINKS))
    if isinstance(link, str):
        if link in LINKS:
            return LINKS[link]
        raise DataError(f"link={link!r} is none of {names}; for another give a Link or a GaussianMixtureLink.")
    raise DataTypeError(f"link must be one of {names}, a Link or a GaussianMixtureLink, not {link!r}.")
