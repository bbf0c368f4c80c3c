"""Laplace's posterior against the true one where classes are (nearly) separated.

``python -m benchmarks.laplace_near_separation`` writes three tables to ``benchmarks/laplace_near_separation.md``:

1. thirty separated rows and two weights: evidence and predictive by quadrature in the plane;
2. the packaged penguins: by sequential Monte Carlo from the prior to the posterior, elliptical slices as its moves;
3. held-out log loss of `BayesianLogisticRegression` at the precision of largest Laplace evidence, at the one that
   ``prior="evidence"`` takes, and at the best of a grid: five folds.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit, log_expit, log_softmax, logsumexp
from sklearn.model_selection import StratifiedKFold

import posteriori as pt
from benchmarks.evidence_against_grid import log_losses, of_precision, sets
from posteriori.priors.other_units import CentredPrior

TABLE = Path(__file__).with_suffix(".md")
PENGUINS = Path(pt.__file__).parent / "cli" / "data" / "penguins.csv"
MEASURED = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
GRID = np.logspace(-3, 2, 11)


def penguins():
    frame = pd.read_csv(PENGUINS).dropna(subset=MEASURED)
    return frame[MEASURED].to_numpy(float), frame["species"].to_numpy()


def table(title, head, lines):
    rule = "|" + "---|" * len(head)
    return "\n".join([title, "", "| " + " | ".join(head) + " |", rule, *lines, ""])


# --- two weights, by quadrature


def plane_rows(seed=1, n=30):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], n // 2)
    return np.column_stack([(2 * y - 1) * 1.2 + 0.6 * rng.standard_normal(n), rng.standard_normal(n)]), y


def true_in_the_plane(X, y, alpha, size=800):
    """Give the log evidence and the predictive by the midpoint rule in radius and angle."""
    angle = (np.arange(size) + 0.5) / size * 2 * np.pi
    radius = (np.arange(size) + 0.5) / size * 8.0
    ways = np.column_stack([np.cos(angle), np.sin(angle)]) @ X.T
    log_prior = np.log(radius * (8.0 / size)) - 0.5 * radius**2 - np.log(size)
    logs = np.empty((size, size))
    for i, r in enumerate(radius):
        logs[i] = log_prior[i] + log_expit(r / np.sqrt(alpha) * ways * (2 * y - 1)).sum(axis=1)
    log_z = logsumexp(logs)
    p = np.zeros(len(X))
    for i, r in enumerate(radius):
        p += np.exp(logs[i] - log_z) @ expit(r / np.sqrt(alpha) * ways)
    return log_z, p


def in_the_plane():
    X, y = plane_rows()
    lines = []
    for alpha in 10.0 ** np.arange(-5, 1.0):
        model = pt.BayesianLogisticRegression(prior=alpha, fit_intercept=False, predictive="quadrature").fit(X, y)
        log_z, p = true_in_the_plane(X, y, alpha)
        own = model.predict_proba(X)[:, 1]
        mode = expit(X @ model.coef_[0])
        losses = [-np.mean(np.log(np.where(y == 1, each, 1 - each))) for each in (own, p, mode)]
        numbers = " | ".join(f"{loss:.4f}" for loss in losses)
        inaccurate = "inaccurate" if any(note.code == "laplace-inaccurate" for note in model.fit_notes_) else ""
        lines.append(f"| {alpha:.0e} | {model.log_evidence_:.3f} | {log_z:.3f} | {numbers} | {inaccurate} |")
    head = ["precision", "log evidence, Laplace", "true", "log loss, Laplace", "true", "at the mode", "told"]
    return table("Thirty rows, two weights, no intercept, classes separated; log loss on these rows.", head, lines)


# --- penguins, by sequential Monte Carlo


class Truth:
    """The posterior of softmax coefficients (K, p) under independent normal priors, without approximation."""

    def __init__(self, X, codes, alpha, n_particles=1000, seed=0):
        self.rows = np.column_stack([np.ones(len(X)), (X - X.mean(axis=0)) / X.std(axis=0)])
        self.codes, self.rng = codes, np.random.default_rng(seed)
        K, p = int(codes.max()) + 1, self.rows.shape[1]
        self.sd = np.tile(np.concatenate([[0.1**-1], np.full(p - 1, alpha**-0.5)]), (K, 1))
        self.w = self.draw(n_particles)

    def draw(self, n):
        """Draw from the prior."""
        return self.sd * self.rng.standard_normal((n, *self.sd.shape))

    def log_p(self, w):
        """Give log probabilities, (s, n, K)."""
        return log_softmax(np.einsum("np,skp->snk", self.rows, w), axis=2)

    def log_likelihood(self, w):
        """Give the log likelihood of each particle, (s,)."""
        return self.log_p(w)[:, np.arange(len(self.codes)), self.codes].sum(axis=1)

    def slices(self, logs, power):
        """Move every particle along an ellipse with a draw of the prior (Murray, Adams & MacKay 2010)."""
        other = self.draw(len(self.w))
        level = power * logs + np.log(self.rng.random(len(logs)))
        angle = self.rng.random(len(logs)) * 2 * np.pi
        low, high = angle - 2 * np.pi, angle.copy()
        w, logs, moving = self.w.copy(), logs.copy(), np.arange(len(logs))
        while len(moving):
            turn = angle[moving, None, None]
            new = self.w[moving] * np.cos(turn) + other[moving] * np.sin(turn)
            found = self.log_likelihood(new)
            fits = power * found > level[moving]
            w[moving[fits]], logs[moving[fits]] = new[fits], found[fits]
            moving = moving[~fits]
            back = angle[moving] < 0
            low[moving[back]], high[moving[~back]] = angle[moving[back]], angle[moving[~back]]
            angle[moving] = low[moving] + self.rng.random(len(moving)) * (high[moving] - low[moving])
        self.w = w
        return logs

    def run(self, moves=12):
        """Raise the power of the likelihood from 0 to 1, half of the particles' weight at a time."""
        logs, power, log_z = self.log_likelihood(self.w), 0.0, 0.0
        while power < 1.0:
            step = 1.0 - power
            while np.exp(2 * logsumexp(step * logs) - logsumexp(2 * step * logs)) < len(logs) / 2:
                step *= 0.7
            log_z += logsumexp(step * logs) - np.log(len(logs))
            share = np.exp(step * logs - logsumexp(step * logs))
            points = (np.arange(len(logs)) + self.rng.random()) / len(logs)
            picked = np.minimum(np.searchsorted(np.cumsum(share), points), len(logs) - 1)
            self.w, logs, power = self.w[picked], logs[picked], power + step
            for _ in range(moves):
                logs = self.slices(logs, power)
        return log_z, np.exp(self.log_p(self.w)).mean(axis=0)


def of_penguins():
    X, y = penguins()
    codes = np.unique(y, return_inverse=True)[1]
    chosen = pt.BayesianLogisticRegression().fit(X, y).evidence_
    lines = []
    for what, alpha in (
        ("largest Laplace evidence", chosen.most_probable[0]),
        ("taken", chosen.precision[0]),
        ("", 1.0),
    ):
        runs = [Truth(X, codes, alpha, seed=seed).run() for seed in range(2)]
        losses = []
        for how in ("probit", "sampling"):
            model = pt.BayesianLogisticRegression(prior=CentredPrior(alpha), predictive=how, random_state=0).fit(X, y)
            losses.append(log_losses(model, X, y).mean())
        p = np.mean([run[1] for run in runs], axis=0)
        losses.append(-np.log(p[np.arange(len(y)), codes]).mean())
        losses.append(log_losses(pt.LogisticRegression(prior=CentredPrior(alpha)).fit(X, y), X, y).mean())
        true = ", ".join(f"{run[0]:.1f}" for run in runs)
        numbers = " | ".join(f"{loss:.4f}" for loss in losses)
        lines.append(f"| {alpha:.3g} | {what} | {model.log_evidence_:.1f} | {true} | {numbers} |")
    names = ["precision", "", "log evidence, Laplace", "true, two runs"]
    head = [*names, "log loss, probit", "sampling", "true", "at the mode"]
    return table("Penguins, 342 rows, four columns, three classes; log loss on these rows.", head, lines)


# --- held-out rows


def held_out(X, y, prior):
    losses = np.empty(len(y))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        model = pt.BayesianLogisticRegression(prior=prior).fit(X[train], y[train])
        losses[test] = log_losses(model, X[test], y[test])
    return losses


def by_folds():
    lines = []
    for name, X, y in [("penguins", *penguins()), *sets()]:
        chosen = pt.BayesianLogisticRegression().fit(X, y).evidence_
        first = held_out(X, y, of_precision(chosen.most_probable[0])).mean()
        own = held_out(X, y, "evidence").mean()
        grid = [held_out(X, y, of_precision(alpha)) for alpha in GRID]
        best = int(np.argmin([each.mean() for each in grid]))
        error = grid[best].std(ddof=1) / np.sqrt(len(y))
        within = "yes" if own <= grid[best].mean() + error else "no"
        precisions = f"{chosen.most_probable[0]:.3g} | {chosen.precision[0]:.3g} | {GRID[best]:.3g}"
        lines.append(
            f"| {name} | {precisions} | {first:.4f} | {own:.4f} | {grid[best].mean():.4f} | {error:.4f} | {within} |"
        )
    head = ["data", "precision of largest Laplace evidence", "taken", "best of 11", "log loss there", "as taken"]
    title = (
        "Held-out log loss of the probit predictive, five folds; within: one standard error of the best of the grid."
    )
    return table(title, [*head, "best of 11", "s.e.", "within"], lines)


def main():
    text = "\n".join([in_the_plane(), of_penguins(), by_folds()])
    TABLE.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
