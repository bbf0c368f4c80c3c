"""`FromFormula`: fits of regressions by a formula with the columns of a frame."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posteriori.estimators.tables.table_classifier import TableClassifier


class FromFormula:
    """A mixin: fits by a formula such as ``"low ~ age + C(race)"``."""

    @classmethod
    def from_formula(
        cls,
        formula: str,
        data: Any,
        *,
        sample_weight: Any = None,
        offset: Any = None,
        types: Any = "auto",
        missing: str = "auto",
        positive: Any = None,
        **parameters: Any,
    ) -> "TableClassifier":
        """Fit to the columns of a formula and return the fitted `TableClassifier`.

        Terms are joined by ``+``; ``a:b`` is an interaction, ``a*b`` is ``a + b + a:b``, ``- 1`` removes the intercept,
        ``.`` is every other column. Text is categorical; ``C(x)`` treats numbers as categories, and
        ``C(x, Treatment("level"))`` sets the reference level. ``bs(x, df=4)`` and, in a model with intercept,
        ``cr(x, df=4, constraints="center")`` are splines, ``poly(x, 2)`` is a polynomial, ``I(x**2)`` arithmetic; the
        functions log, exp, sqrt, center and scale are available too.

        Parameters
        ----------
        formula : the target (a column, or ``cbind(successes, failures)``), a tilde, and the terms
        data : frame (pandas, polars, Arrow)
        sample_weight, offset : values, or names of columns of the frame
        types, missing, positive : as for `TableClassifier`
        parameters : of this class, such as ``prior=pt.GaussianPrior(sd=2.5, units="sd")``

        Returns
        -------
        TableClassifier : fitted; the regression is its ``estimator_``

        Examples
        --------
        >>> import pandas as pd
        >>> import posteriori as pt
        >>> data = pd.DataFrame({"low": [0, 1, 0, 1, 1, 0, 1, 0], "age": [20, 31, 25, 22, 35, 30, 28, 21],
        ...                      "race": ["b", "w", "w", "b", "o", "o", "w", "b"]})
        >>> model = pt.LogisticRegression.from_formula("low ~ age + C(race, Treatment('w'))", data, prior=1.0)
        >>> model.get_feature_names_out().tolist()
        ['age', "C(race, Treatment('w'))[T.b]", "C(race, Treatment('w'))[T.o]"]
        >>> model.predict_frame(data.head(2)).round(2)
           prediction     0     1
        0           0  0.82  0.18
        1           1  0.21  0.79
        """
        from posteriori.estimators.tables.table_classifier import TableClassifier

        model = TableClassifier(cls(**parameters), formula=formula, types=types, missing=missing, positive=positive)
        return model.fit(data, sample_weight=sample_weight, offset=offset)
