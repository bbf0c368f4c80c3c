"""Classifiers that stand one around another: decisions, tables, pipelines, and the one that learned."""

from typing import Any

from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.base import Wrapper
from posteriori.estimators.wrappers.layers import within


def layers(model: Any) -> tuple[Any, ...]:
    """List a classifier and those inside it, the outermost first, the one that learned last.

    >>> import posteriori as pt
    >>> model = pt.RejectOption(pt.GaussianClassifier().fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]), threshold=0.9)
    >>> [type(layer).__name__ for layer in layers(model)]
    ['RejectOption', 'GaussianClassifier']
    """
    found = [model]
    while (inner := found[-1]._inner if isinstance(found[-1], Wrapper) else within(found[-1])) is not None:
        found.append(inner)
    return tuple(found)


def table_in(model: Any) -> TableClassifier | None:
    """Give the table among the layers, which knows the frame's own columns; None where there is none."""
    return next((layer for layer in layers(model) if isinstance(layer, TableClassifier)), None)
