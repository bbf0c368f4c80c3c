"""Change of reference class: the contrasts of a fit to any class, and their covariance."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.linalg.subspaces import orthonormalize
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.models.infinite_codes import UNDECIDED
from posteriori.models.infinite_codes import against as limits_against


def against(fitted: Fitted, reference: Any, covariance: Array | None) -> tuple[Fitted, Array | None]:
    """Return the fit, and a covariance in its units, as contrasts to class `reference`."""
    if reference is None or reference == fitted.classes[fitted.reference]:
        return fitted, covariance
    if reference not in fitted.classes:
        raise DataError(f"reference={reference!r} is not a class: the classes are {quote(fitted.classes)}.")
    if not (fitted.link.is_canonical or fitted.link.is_symmetric):
        raise DataError(
            f"the {fitted.link.name} link is not symmetric, so its coefficients are those of {fitted.compared[0]!r} "
            f"only. To describe {fitted.classes[0]!r}, give it a label that sorts last and fit again."
        )
    K, old, new = len(fitted.classes), fitted.reference, fitted.classes.index(reference)
    change = change_of_reference(K, old, new)
    whole = np.kron(change, np.eye(len(fitted.terms)))
    information = replace(
        fitted.information,
        aliased=orthonormalize(whole @ fitted.information.aliased),
        vanished=orthonormalize(whole @ fitted.information.vanished),
        infinite=_limits(fitted, new, change),
    )
    changed = replace(fitted, w=change @ fitted.w, information=information)
    # two classes have one score, that of the last class
    other = {"classes": fitted.classes[::-1]} if K == 2 else {"link": Softmax(K, reference=new)}
    return replace(changed, **other), None if covariance is None else change_covariance(covariance, K, old, new)


def _limits(fitted: Fitted, new: int, change: Array) -> NDArray[np.int8]:
    """Return the codes of the contrasts to the new reference.

    Model files of old versions hold the codes for one reference only. A difference of two contrasts goes to infinity
    where both do so in the same direction; otherwise it is undecided.
    """
    known, K, p = fitted.information, len(fitted.classes), len(fitted.terms)
    if known.pairs is not None:
        return limits_against(known.pairs, K, new).ravel()
    codes = known.infinite.reshape(-1, p)
    signs, infinite = change @ codes, np.abs(change) @ (codes != 0)
    decided = (np.abs(change) @ (np.abs(codes) > 1) == 0) & (np.abs(signs) == infinite)
    return np.where(decided, np.sign(signs), UNDECIDED).astype(np.int8).ravel()


def change_covariance(covariance: Array, n_classes: int, old: int, new: int) -> Array:
    """Return the covariance of contrasts to class `new` from that of contrasts to class `old`, (m, m).

    With c_k the contrasts to the old reference, those to the new one are c_k - c_new, and -c_new for the old class.

    >>> change_covariance(np.array([[2.0, 1.0], [1.0, 3.0]]), 3, 0, 1).tolist()
    [[2.0, 1.0], [1.0, 3.0]]
    """
    change = change_of_reference(n_classes, old, new)
    C = np.kron(change, np.eye(len(covariance) // (n_classes - 1)))
    return C @ covariance @ C.T


def change_of_reference(n_classes: int, old: int, new: int) -> Array:
    """Return the matrix (K - 1, K - 1) that maps contrasts to class `old` to contrasts to class `new`."""
    wide = np.insert(np.eye(n_classes - 1), old, 0.0, axis=0)  # (K, K - 1): each class against the old reference
    return np.delete(wide - wide[new], new, axis=0)
