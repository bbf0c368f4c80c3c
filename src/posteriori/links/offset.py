"""An offset over all classes, expressed in the scores of a link."""

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import Link
from posteriori.links.softmax import Softmax


def narrowed(link: Link, offset: Array | None) -> Array | None:
    """Give an offset over all classes (n, K) as one over the link's scores (n, q)."""
    if offset is None or offset.shape[1] == link.n_scores:
        return offset
    assert isinstance(link, Softmax)
    assert link.reference is not None
    return np.delete(offset - offset[:, [link.reference]], link.reference, axis=1)
