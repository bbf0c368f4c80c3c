"""What classifiers around others say of the columns and classes that those inside learned."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray


class LearnedInside:
    """Attributes of a classifier around one or several others: theirs, which agree where there are several."""

    @abstractmethod
    def _learned(self, name: str) -> Any:
        """Give an attribute of the fitted classifier inside, of the first where there are several."""

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes of what is inside, (K,)."""
        classes: NDArray[Any] = np.asarray(self._learned("classes_"))
        return classes

    @property
    def n_features_in_(self) -> int:
        """The number of columns."""
        return int(self._learned("n_features_in_"))

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the columns, where there was a frame."""
        names: NDArray[Any] = self._learned("feature_names_in_")
        return names

    @property
    def coding_(self) -> Any:
        """How the columns of a frame are coded, where there is a `TableClassifier` inside."""
        return self._learned("coding_")

    @property
    def offset_(self) -> Any:
        """The column that holds the offset, where there is a `TableClassifier` inside."""
        return self._learned("offset_")
