"""The link for the labels of a classifier: logit for two classes, softmax for more."""

from typing import Any

from numpy.typing import NDArray

from posteriori.input.classes.class_values import as_objects, known_as
from posteriori.links.base import LinkFunction
from posteriori.links.catalogue import canonical_link
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def link_for(classes: NDArray[Any], parametrization: str, reference: Any) -> LinkFunction:
    """Return the logit for two classes, otherwise the softmax with K vectors, or K - 1 and a reference class."""
    known = as_objects(classes).tolist()
    reference = known_as(reference, known)
    if reference is not None and reference not in known:
        raise DataError(f"reference={reference!r} is not one of the classes {quote(known)}.")
    if reference is not None and parametrization != "reference":
        raise DataError("reference= needs parametrization='reference'.")
    if len(known) == 2:
        if reference is not None and reference != known[0]:
            raise DataError(
                f"for two classes the coefficients are those of {known[1]!r}, and the reference is {known[0]!r}, not "
                f"{reference!r}."
            )
        return canonical_link(2)
    if parametrization == "symmetric":
        return canonical_link(len(known))
    return canonical_link(len(known), reference=0 if reference is None else known.index(reference))
