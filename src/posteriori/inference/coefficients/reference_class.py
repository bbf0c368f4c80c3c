"""A fit seen from another class: its contrasts to any reference, with what is known of them."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.fits.existence.recession import UNDECIDED
from posteriori.fits.existence.recession import against as recession_against
from posteriori.inference.coefficients.covariance import change_of_reference, referred
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.linalg.subspaces import orthonormalize
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def against(fitted: Fitted, reference: Any, spread: Array | None) -> tuple[Fitted, Array | None]:
    """Return the fit, and a covariance in its units, as contrasts to another class."""
    if reference is None or reference == fitted.classes[fitted.reference]:
        return fitted, spread
    if reference not in fitted.classes:
        raise DataError(f"reference={reference!r} is not a class: the classes are {quote(fitted.classes)}.")
    if not (fitted.link.is_canonical or fitted.link.is_symmetric):
        raise DataError(
            f"the {fitted.link.name} link is not symmetric, so its coefficients are those of {fitted.compared[0]!r} "
            f"only. To describe {fitted.classes[0]!r}, give it a label that sorts last and fit again."
        )
    K, old, new = len(fitted.classes), fitted.reference, fitted.classes.index(reference)
    change = change_of_reference(K, old, new)
    moved = np.kron(change, np.eye(len(fitted.terms)))
    information = replace(
        fitted.information,
        aliased=orthonormalize(moved @ fitted.information.aliased),
        vanished=orthonormalize(moved @ fitted.information.vanished),
        infinite=_turned(fitted, new, change),
    )
    turned = replace(fitted, w=change @ fitted.w, information=information)
    turned = (
        replace(turned, classes=fitted.classes[::-1])  # one score is always of the last class listed
        if K == 2
        else replace(turned, link=Softmax(K, reference=new))
    )
    return turned, None if spread is None else referred(spread, K, old, new)


def _turned(fitted: Fitted, new: int, change: Array) -> NDArray[np.int8]:
    """Return the codes of the contrasts to the new reference.

    Files written before all pairs of classes were stored know those to one reference only. A difference of two of
    them goes to infinity where they agree on it; elsewhere it is undecided.
    """
    known, K, p = fitted.information, len(fitted.classes), len(fitted.terms)
    if known.pairs is not None:
        return recession_against(known.pairs, K, new).ravel()
    codes = known.infinite.reshape(-1, p)
    signs, moved = change @ codes, np.abs(change) @ (codes != 0)
    clear = (np.abs(change) @ (np.abs(codes) > 1) == 0) & (np.abs(signs) == moved)
    return np.where(clear, np.sign(signs), UNDECIDED).astype(np.int8).ravel()
