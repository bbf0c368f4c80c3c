"""Links by name. A new link needs one entry in `LINKS`."""

from typing import Any

from posteriori.links.base import LinkFunction
from posteriori.links.cauchit import Cauchit
from posteriori.links.cloglog import CLogLog
from posteriori.links.logit import Logit
from posteriori.links.loglog import LogLog
from posteriori.links.probit import Probit
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import DataError, DataTypeError

#: Links for two classes, by name.
LINKS: dict[str, LinkFunction] = {link.name: link for link in (Logit(), Probit(), CLogLog(), LogLog(), Cauchit())}


def canonical_link(n_classes: int, reference: int | None = None) -> LinkFunction:
    """Return the logit for two classes, else the softmax with K predictors, or K - 1 and a reference class.

    >>> canonical_link(2), canonical_link(3)
    (Logit(), Softmax(classes=3, reference=None))
    """
    return Logit() if n_classes == 2 else Softmax(n_classes, reference)


def read_link(link: Any) -> LinkFunction:
    """Return the link with this name, or the link itself.

    >>> read_link("probit")
    Probit()
    """
    if isinstance(link, LinkFunction) and link.n_classes == 2:
        return link
    names = ", ".join(map(repr, LINKS))
    if isinstance(link, str):
        if link in LINKS:
            return LINKS[link]
        raise DataError(f"link={link!r} is none of {names}; for another pass a Link or a GaussianMixtureLink.")
    raise DataTypeError(f"link must be one of {names}, a Link or a GaussianMixtureLink, not {link!r}.")
