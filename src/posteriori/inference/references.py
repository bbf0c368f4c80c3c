"""A fit seen from another class: its contrasts to any reference, with what is known of them."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.covariance import change_of_reference, referred
from posteriori.inference.fitted import Fitted
from posteriori.inference.validity import SEEN
from posteriori.links.softmax import Softmax
from posteriori.tables.errors import DataError
from posteriori.tables.notes import listed

Array = NDArray[np.float64]


def against(fitted: Fitted, reference: Any, spread: Array | None) -> tuple[Fitted, Array | None]:
    """Return the fit, and a covariance in its units, as contrasts to another class."""
    if reference is None or reference == fitted.classes[fitted.reference]:
        return fitted, spread
    if reference not in fitted.classes:
        raise DataError(f"reference={reference!r} is not a class: the classes are {listed(fitted.classes)}.")
    if not (fitted.link.canonical or fitted.link.symmetric):
        raise DataError(
            f"the {fitted.link.name} link is not symmetric, so its coefficients are those of {fitted.compared[0]!r} "
            f"only. To describe {fitted.classes[0]!r}, give it a label that sorts last and fit again."
        )
    K, old, new = len(fitted.classes), fitted.reference, fitted.classes.index(reference)
    change = change_of_reference(K, old, new)
    moved = np.kron(change, np.eye(len(fitted.terms)))
    information = replace(
        fitted.information,
        aliased=_orthonormal(moved @ fitted.information.aliased),
        vanished=_orthonormal(moved @ fitted.information.vanished),
        infinite=_turned(fitted, change),
    )
    turned = replace(fitted, w=change @ fitted.w, information=information)
    turned = (
        replace(turned, classes=fitted.classes[::-1])  # one score is always of the last class listed
        if K == 2
        else replace(turned, link=Softmax(K, reference=new))
    )
    return turned, None if spread is None else referred(spread, K, old, new)


def _orthonormal(directions: Array) -> Array:
    return np.linalg.qr(directions)[0] if directions.shape[1] else directions


def _turned(fitted: Fitted, change: Array) -> NDArray[np.int8]:
    """Give the sign of each contrast to the new reference that is infinite.

    Infinity less a finite number, or less minus infinity, needs no thought. Where both go the same way, the
    difference stays if the vanished directions do not move it, and else goes where they have taken the fit.
    """
    p = len(fitted.terms)
    signs = change @ fitted.information.infinite.reshape(-1, p)
    both = (np.abs(change) @ np.abs(fitted.information.infinite.reshape(-1, p)) == 2) & (signs == 0)
    if both.any():
        V = fitted.information.vanished
        functionals = np.kron(change, np.eye(p)) @ fitted.jacobian
        along = functionals @ (V @ (V.T @ fitted.w.ravel()))
        moves = np.linalg.norm(functionals @ V, axis=1) > SEEN * np.linalg.norm(functionals, axis=1)
        signs = np.where(both, np.where(moves, np.sign(along), 0).reshape(signs.shape), signs)
    return np.sign(signs).astype(np.int8).ravel()
