"""Categorical naive Bayes: 30 columns of ten categories, ten classes, smoothing 1, which is alpha=1 there."""

from typing import Any

from sklearn.naive_bayes import CategoricalNB

import posteriori as pt
from benchmarks.data import categories
from benchmarks.job import Contender, Job
from benchmarks.jobs.gaussian import fits, predicts
from benchmarks.judges import same_model, same_probabilities

ROWS = 1_000_000


def ours() -> Any:
    return pt.NaiveBayes(families="categorical")


def peer(make: Any, aim: float) -> tuple[Contender, ...]:
    return (make("scikit-learn CategoricalNB", CategoricalNB, aim=aim),)


JOBS = (
    Job(
        "categorical-fit",
        "fit categorical naive Bayes, 30 columns of ten levels, ten classes",
        ROWS,
        categories,
        fits("posteriori", ours),
        peer(fits, 10.0),
        same_model,
    ),
    Job(
        "categorical-predict",
        "predict_proba of categorical naive Bayes, 30 columns of ten levels, ten classes",
        ROWS,
        categories,
        predicts("posteriori", ours),
        peer(predicts, 5.0),
        same_probabilities,
    ),
)
