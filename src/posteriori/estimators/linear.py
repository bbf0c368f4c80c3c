"""What classifiers with linear scores share: their basis, scores, distances, margins and explanations."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.bases.base import Phi
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.estimators.base import Classifier
from posteriori.estimators.bases.base import bound
from posteriori.input.classes.later_calls import refuse_unknown_classes
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, installed
from posteriori.input.targets import read_classes
from posteriori.input.training import Reading, read_training
from posteriori.messages.errors import DataError
from posteriori.models.explanation import Explanation
from posteriori.models.linear_scores import LinearScores, NotFiniteError
from posteriori.models.margins import distances_of, margins_of
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable


class LinearClassifier(Classifier):
    """A classifier whose decision is the sign, or the argmax, of linear scores.

    Concrete ones give `decision_function`; ``coef_`` is (1, d) for two classes and (K, d) for more. One with a
    ``basis`` parameter sends its reading through `_through_basis` in fit, and keeps what that notes.
    """

    coef_: Array
    intercept_: Array

    def _through_basis(self, reading: Reading, known: Phi | None = None) -> Reading:
        """Give the reading with the columns of ``basis`` in place of X's, and phi noted, to be kept as ``phi_``.

        `known` is the phi of earlier rows, where these go on from them.
        """
        if not hasattr(self, "basis"):
            return reading
        table, phi = bound(self.basis, reading.table, known)
        return replace(reading, table=table, noted={**reading.noted, "phi_": phi})

    def _more(self, X: Any, y: Any, classes: Any, sample_weight: Any, *, known: bool) -> Reading:
        """Read rows for `partial_fit`, against the columns, classes and phi that are known from earlier calls."""
        if known:
            refuse_unknown_classes(classes, self.classes_)
            classes = self.classes_
        listed = classes if known or classes is None else read_classes(classes)
        reading = read_training(
            self, X, y, sample_weight, sparse=True, allow_counts=True, classes=listed, known_names=known
        )
        if listed is not None and not np.array_equal(reading.targets.classes, listed):
            raise DataError(f"y counts {reading.targets.n_classes} classes in columns; the model has {len(listed)}.")
        reading = self._through_basis(reading, getattr(self, "phi_", None) if known else None)
        if not known:
            return reading
        names = ("n_features_in_", "feature_names_in_", "frame_library_", "phi_")
        return replace(reading, noted={name: getattr(self, name) for name in names if hasattr(self, name)})

    def _library(self) -> str | None:
        """Name the library of frames that tables are given in: that of the fit, where it is installed."""
        return installed(getattr(self, "frame_library_", None))

    def _engine(self, X: Any, offset: Array | None = None) -> Engine:
        """Read X as fit did: through the same phi."""
        engine = super()._engine(X, offset)
        phi = getattr(self, "phi_", None)
        if phi is None:
            return engine
        assert isinstance(engine.table, MemoryTable)
        return engine_for(engine.table.mapped(phi))

    @property
    def coefficient_names_(self) -> tuple[str, ...]:
        """Names of the columns that ``coef_`` is over: those of X, or of the basis."""
        check_is_fitted(self)
        known = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        names, phi = tuple(str(name) for name in known), getattr(self, "phi_", None)
        return names if phi is None else phi.titles(names)

    def decision_function(self, X: Any) -> Array:
        """Give the scores: (n,) for two classes, positive for ``classes_[1]``; (n, K) for more."""
        raise NotImplementedError

    def signed_distance(self, X: Any) -> Array:
        """Give the distance of each row to the decision boundary, negative on the side of ``classes_[0]``.

        Two classes: y(x) / |w|, (n,). More: (n, K, K), entry (j, k) the distance to the boundary between j and
        k, positive on the side of k; the diagonal is zero.

        Book: [Bishop] Eq. 4.7, §4.1.1, and 4.10, §4.1.2.
        """
        return distances_of(self.decision_function(X), self.coef_)

    def margins(self, X: Any, y: Any) -> Array:
        """Give how far each row is on the right side: t y(x), or its class's score less the best other's, (n,).

        Book: [Sugiyama] §28.1.2; [Deuschle] §3.4.3.
        """
        return margins_of(self.decision_function(X), aligned(X, y, "y"), self.classes_)

    def explain(self, X: Any) -> Explanation:
        """Take the linear predictor of each row apart into what each column contributes.

        eta(x) = baseline + sum_j w_j (x_j - m_j). Where the fit centred its columns, m is its centre, the mean
        training row (of a large table, that of a sample), and the baseline is that row's predictor; elsewhere m = 0
        and the baseline is the intercept. With a basis the columns are those of phi. The parts sum to the
        predictor, to rounding.

        Book: [Bishop] §4.1.1; [Mitchell] §3.1.

        Returns
        -------
        Explanation : ``contributions`` (n, d) for two classes and (n, K, d) for more, ``baseline``, ``names``
        """
        return self._explained(X, self._engine(X))

    def _explained(self, X: Any, engine: Engine, offset: Array | None = None) -> Explanation:
        frame = as_frame(X)
        two = len(self.classes_) == 2
        centre, baseline = self._centre()

        def parts(block: Block) -> Array:
            dense = block.dense()
            shares: Array = (dense - centre)[:, None, :] * self.coef_
            bad = ~np.isfinite(dense)
            if bad.any():
                raise NotFiniteError(InvalidCells.of(bad, dense, block.first_row))
            return shares[:, 0] if two else shares

        return Explanation(
            contributions=self._map(engine, parts),
            baseline=baseline[0] if two else baseline,
            names=self.coefficient_names_,
            classes=tuple(self.classes_.tolist()),
            offset=offset,
            native=None if frame is None else str(frame.implementation.value),
        )

    def _centre(self) -> tuple[Array, Array]:
        """Give the row (d,) that contributions are measured from, and the scores of it, (1,) or (K,)."""
        scores = getattr(self, "scores_", None)
        if not isinstance(scores, LinearScores) or not scores.units.intercept:
            return np.zeros(self.coef_.shape[1]), np.asarray(self.intercept_, dtype=np.float64)
        return scores.units.centre, self._spread(scores.w[:, 0])

    def _spread(self, scores: Array) -> Array:
        """Give a score for every row of ``coef_`` from those the fit has."""
        return scores
