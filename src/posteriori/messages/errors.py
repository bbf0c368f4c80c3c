"""Errors and warnings."""

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning

from posteriori.messages.escape import escape_controls


class DataError(ValueError):
    """The data cannot be used; the message states what, where, how many and what to do.

    Non-printable characters are escaped: the message contains names of columns, levels and files, and a terminal would
    interpret them.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(escape_controls(message))


class DataTypeError(DataError, TypeError):
    """The data, or a parameter, has a type that cannot be used."""


class NoCriterionError(DataError, AttributeError):
    """A learned attribute does not exist for this fit; the message states why."""


class ModelFileError(ValueError):
    """A model file is damaged, is not one, or is newer than this version; the message is escaped as in `DataError`."""

    def __init__(self, message: object = "") -> None:
        super().__init__(escape_controls(message))


class NotIdentifiedWarning(UserWarning):
    """A requested quantity is not determined by the data."""


class SeparationWarning(NotIdentifiedWarning):
    """A combination of columns separates the classes: no finite maximum of the likelihood exists."""


class CollinearityWarning(NotIdentifiedWarning):
    """A column is a combination of others (or constant), so its own coefficient is not identified."""


class DegenerateVarianceWarning(UserWarning):
    """A class or a column has zero variance, or a covariance matrix is singular."""


class UnseenCategoryWarning(UserWarning):
    """Rows to predict have categories that are absent from the training rows."""


class NonIntegerWeightsWarning(UserWarning):
    """Frequency weights are not whole numbers, so they do not count rows and standard errors are invalid."""


class FewClustersWarning(UserWarning):
    """A cluster-robust covariance has too few clusters to be reliable."""


class ConvergenceWarning(_SklearnConvergenceWarning):
    """An optimiser stopped before it reached the tolerance."""
