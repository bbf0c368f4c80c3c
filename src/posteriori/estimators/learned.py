"""`replace_learned`: replace all learned attributes of an estimator."""

from typing import Any


def replace_learned(estimator: Any, **learned: Any) -> None:
    """Delete all learned attributes of an estimator (their names end in an underscore) and set the new ones."""
    for name in [name for name in vars(estimator) if name.endswith("_") and not name.startswith("__")]:
        delattr(estimator, name)
    for name, value in learned.items():
        setattr(estimator, name, value)
