"""Rows and models that the tests of decisions share."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt


def rows(K=3, n=150, seed=0):
    """Draw overlapping classes, unequally common, with text for labels."""
    rng = np.random.default_rng(seed)
    codes = rng.choice(K, size=n, p=np.arange(1, K + 1) / np.arange(1, K + 1).sum())
    codes[:K] = np.arange(K)
    X = rng.standard_normal((n, 3)) + rng.standard_normal((K, 3))[codes]
    return X, np.array(["ant", "bee", "cat", "dog", "eel", "fox"])[codes]


#: Classifiers of both libraries, by name.
INSIDE = {
    "ours": lambda: pt.LogisticRegression(prior=1.0),
    "ours, generative": pt.GaussianClassifier,
    "one versus one": lambda: pt.OneVsOne(pt.GaussianClassifier()),
    "table": lambda: pt.TableClassifier(pt.NaiveBayes()),
    "theirs": LogisticRegression,
    "theirs, generative": GaussianNB,
    "forest": lambda: RandomForestClassifier(20, random_state=0),
    "pipeline": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
}
