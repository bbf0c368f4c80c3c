"""`warn`: a warning that points at the user's own line."""

import sys
import warnings

#: Packages whose lines are not the user's: this one, and what may stand between it and the user.
INSIDE = {"posteriori", "sklearn", "joblib", "contextlib", "functools"}


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Emit a warning whose location is the innermost line outside `INSIDE`.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn("few rows")
    >>> str(caught[0].message), caught[0].category.__name__
    ('few rows', 'UserWarning')
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
