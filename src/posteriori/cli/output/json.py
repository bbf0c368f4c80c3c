"""What ``--json`` prints: one object, with a ``schema_version`` that grows when a field changes its meaning.

``docs/command.md`` describes it for users.

Every object has ``schema_version`` (2) and ``command``. Besides:

``fit``, ``summary``
    ``model``: name, class, parameters, around (class, parameters), classes, target, offset, formula, rows,
    weight, rows_left_out, table, columns (name, kind, levels, reference), n_parameters, solution, fit_status,
    notes (code, message, columns, classes, cure), and what was learned:
    ``class_priors`` (by class), ``coefficients`` (by class, then column; ``(intercept)`` among them; of two
    classes the positive one), ``scale`` (what those add up to: log odds, log hazards, …), ``kernels`` (bandwidth,
    centers, units), ``means`` (by class, then column), ``tables`` (by column). ``fit`` adds
    ``saved``, the file written, or null. ``summary`` of a logistic model adds ``table``: target, classes,
    reference, level, covariance, interval, exponentiated, the facts of the fit, ``coefficients`` (class, term,
    estimate, standard_error, z, p_value, lower, upper, state; null where a number does not exist), foot, notes.
``predict``
    ``classes``, ``rows`` (their number), ``saved`` (the file written, or null); without ``-o`` also
    ``predictions`` (one a row; actions under ``--costs``, under ``--reject`` also the label of rejection) and
    with ``--proba`` ``probabilities`` (one list a row, in the order of ``classes``).
``compare``
    ``rows``, ``folds``, ``comparison`` (one row a model, best first), ``best``, ``within_noise``, ``verdict``.
``explain``
    ``classes``, ``columns``, ``rows``: row (from 1), prediction, probabilities, baseline, contributions, total (of more
    than two classes each by class), and offset where there is one.
``figures``
    ``figures``: name, book, number, shows, teaches, and with ``-o`` file; then also ``format``, ``dpi``, ``seed``.
``report``
    ``title``, ``model``, of a regression ``table``, ``saved``; with data also ``data``, ``scores``,
    ``cross_validation``, ``confusion``, ``decisions``, ``worst``.
``models``
    ``models``: name, aliases, class, settings, parameters, summary.
``demo``
    ``comparison``: model, log_loss, log_loss_se, accuracy, accuracy_se, fit_seconds; ``best``; ``saved``;
    ``report``, the page written, or null; ``predictions``: a few birds, each with its probabilities by class.

Numbers that are not finite are given as text: "inf", "-inf", "nan".
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import click

SCHEMA_VERSION = 2


def print_json(command: str, fields: dict[str, Any]) -> None:
    """Print one object on standard output."""
    whole = {"schema_version": SCHEMA_VERSION, "command": command, **fields}
    click.echo(json.dumps(plain(whole), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """Give a value as JSON can hold it: numpy's as Python's, dates and other objects as text."""
    if hasattr(value, "tolist") and not isinstance(value, str | bytes):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
