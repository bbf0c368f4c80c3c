"""`HoldsModel`: the learned attributes of every classifier, read from its fitted model."""

from typing import Any, Self

from posteriori.arrays import AnyArray
from posteriori.estimators.learned import Learned
from posteriori.messages.notes import Note
from posteriori.models.base import FittedModel


class HoldsModel:
    """A mixin: the result of a fit is one value, ``model_``."""

    model_: FittedModel

    classes_ = Learned[AnyArray]("classes")
    n_features_in_ = Learned[int]("columns.number")
    feature_names_in_ = Learned[AnyArray]("columns.names", optional=True)
    frame_library_ = Learned[str | None]("columns.library")
    n_parameters_ = Learned[int]("n_parameters")
    fit_status_ = Learned[str]("status")
    fit_notes_ = Learned[list[Note]]("list_of_notes")

    def _hold(self, model: FittedModel) -> Self:
        """Store the result of a fit, and emit its warnings."""
        self.model_ = model
        for note in model.notes:
            note.warn()
        return self

    @property
    def _earlier_model(self) -> Any:
        """The result of an earlier fit, None before it."""
        return vars(self).get("model_")
