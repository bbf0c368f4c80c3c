"""Gaussian classes, fit and predict_proba: one covariance, one a class, and none between columns.

Scatters are divided by N everywhere, as scikit-learn 1.9 does; versions that divide by N - K or N_k - 1 give
other probabilities, and the judge says so.
"""

from collections.abc import Callable
from typing import Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import posteriori as pt
from benchmarks.data import Rows, gaussian_classes
from benchmarks.job import Contender, Job
from benchmarks.judges import same_model, same_probabilities

ROWS = 1_000_000
Model = Callable[[], Any]


def fits(name: str, model: Model, **promised: Any) -> Contender:
    return Contender(name, lambda rows: model().fit(rows.X, rows.y), **promised)


def predicts(name: str, model: Model, **promised: Any) -> Contender:
    def prepare(rows: Rows) -> Any:
        return model().fit(rows.X, rows.y), rows.X

    return Contender(name, lambda fitted: fitted[0].predict_proba(fitted[1]), prepare, **promised)


def fit_job(name: str, title: str, ours: Model, *peers: Contender) -> Job:
    return Job(name, title, ROWS, gaussian_classes, fits("posteriori", ours), peers, same_model)


def predict_job(name: str, title: str, ours: Model, *peers: Contender) -> Job:
    return Job(name, title, ROWS, gaussian_classes, predicts("posteriori", ours), peers, same_probabilities)


def per_class() -> Any:
    return pt.GaussianClassifier(shared=False)


def lda(solver: str) -> Model:
    return lambda: LinearDiscriminantAnalysis(solver=solver)


def gaussian_nb() -> Any:
    return GaussianNB(var_smoothing=0.0)  # its default widens every variance by 1e-9 of the largest


JOBS = (
    fit_job(
        "gaussian-fit",
        "fit Gaussians with one covariance, 50 columns, ten classes",
        pt.GaussianClassifier,
        fits("scikit-learn LDA lsqr", lda("lsqr"), floor=5.0, aim=6.0),
        fits("scikit-learn LDA svd", lda("svd"), slow=True),
    ),
    predict_job(
        "gaussian-predict",
        "predict_proba of Gaussians with one covariance, 50 columns, ten classes",
        pt.GaussianClassifier,
        predicts("scikit-learn LDA lsqr", lda("lsqr"), aim=2.0),
    ),
    fit_job(
        "per-class-fit",
        "fit Gaussians with a covariance each, 50 columns, ten classes",
        per_class,
        fits("scikit-learn QDA", QuadraticDiscriminantAnalysis, aim=10.0),
    ),
    predict_job(
        "per-class-predict",
        "predict_proba of Gaussians with a covariance each, 50 columns, ten classes",
        per_class,
        predicts("scikit-learn QDA", QuadraticDiscriminantAnalysis, aim=8.0),
    ),
    fit_job(
        "naive-bayes-fit",
        "fit Gaussian naive Bayes, 50 columns, ten classes",
        pt.NaiveBayes,
        fits("scikit-learn GaussianNB, var_smoothing 0", gaussian_nb, aim=5.0),
    ),
    predict_job(
        "naive-bayes-predict",
        "predict_proba of Gaussian naive Bayes, 50 columns, ten classes",
        pt.NaiveBayes,
        predicts("scikit-learn GaussianNB, var_smoothing 0", gaussian_nb, floor=10.0, aim=20.0),
    ),
)
