"""The named problems: errors that stop a call, warnings that go with a fit."""

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning

from posteriori.messages.escape import escape_controls


class DataError(ValueError):
    """The data cannot be used as given; the message says what, where, how many and what to do.

    Characters that cannot be seen are escaped: names of columns, levels and files occur in the message, and a terminal
    would obey them.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(escape_controls(message))


class DataTypeError(DataError, TypeError):
    """The data, or a parameter, is of a type that cannot be used."""


class NoCriterionError(DataError, AttributeError):
    """A fitted attribute does not exist for this fit; the message says why."""


class ModelFileError(ValueError):
    """A model file is damaged, foreign, or newer than this program; the message is escaped as that of `DataError`."""

    def __init__(self, message: object = "") -> None:
        super().__init__(escape_controls(message))


class NotIdentifiedWarning(UserWarning):
    """A quantity asked for is not determined by the data."""


class SeparationWarning(NotIdentifiedWarning):
    """A combination of columns separates the classes: no finite maximum of the likelihood exists."""


class CollinearityWarning(NotIdentifiedWarning):
    """A column is a combination of others (or constant), so its own coefficient is not identified."""


class DegenerateVarianceWarning(UserWarning):
    """A class or a column shows no spread, or a covariance is singular."""


class UnseenCategoryWarning(UserWarning):
    """Rows to predict hold categories that training never showed."""


class NonIntegerWeightsWarning(UserWarning):
    """Frequency weights are not whole numbers, so they count no rows and standard errors do not hold."""


class FewClustersWarning(UserWarning):
    """A cluster-robust covariance rests on too few clusters to be reliable."""


class ConvergenceWarning(_SklearnConvergenceWarning):
    """An optimiser stopped before the tolerance asked for."""
