"""What other software prints for the endometrial data: the blocks of docs/no_estimate.md.

Run from the root of the repository: ``python benchmarks/no_estimate_peers.py``. R's numbers are those of
``summary(glm(HG ~ NV + PI + EH, binomial, read.csv("endometrial.csv")))``.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn
import statsmodels
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression

DATA = Path(__file__).parents[1] / "tests" / "golden" / "csv" / "endometrial.csv"
COLUMNS = ["NV", "PI", "EH"]


def told(fit: Callable[[], Any]) -> Any:
    """Fit, and print every warning on the way, or that there was none."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = fit()
    print("\n".join(f"{note.category.__name__}: {note.message}" for note in said) or "(no warning)")
    return model


def main() -> None:
    frame = pd.read_csv(DATA)
    X, y = frame[COLUMNS], frame["HG"]
    with_constant = sm.add_constant(X.astype(float))
    print(f"statsmodels {statsmodels.__version__}, Logit")
    print(told(lambda: sm.Logit(y, with_constant).fit()).summary())
    print(f"\nstatsmodels {statsmodels.__version__}, GLM")
    print(told(lambda: sm.GLM(y, with_constant, family=sm.families.Binomial()).fit()).summary())
    for settings in ({}, {"C": np.inf}):
        named = ", ".join(f"{name}=np.{value}" for name, value in settings.items())
        print(f"\nscikit-learn {sklearn.__version__}, LogisticRegression({named})")
        model = told(lambda settings=settings: LogisticRegression(**settings).fit(X, y))
        print("intercept", model.intercept_.round(4), "coef", model.coef_.round(4), "iterations", model.n_iter_)


if __name__ == "__main__":
    main()
