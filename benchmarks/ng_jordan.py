"""The experiment of Ng and Jordan (2002): ``python -m benchmarks.ng_jordan [--data FOLDER] [--quick]``.

Naive Bayes (Gaussian with variances shared by the classes, or categorical with l = 1) against logistic regression, on
random training parts that have both classes, tested on the other rows. Few rows are often separated by many planes;
logistic regression is tried twice, with one of them drawn at random, as they did, and with the one of nearly the widest
margin. Written are a figure with one panel a data set and, between its marks in
``docs/generative_or_discriminative.md``, the table of crossing points. ``--quick`` runs ten repeats of five sizes and
prints the table only.
"""

import argparse
import os
import time
from dataclasses import dataclass
from pathlib import Path

import joblib
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import posteriori as pt
from benchmarks.ng_jordan_data import PROBLEMS, REPO, problems
from benchmarks.ng_jordan_planes import WHISPER, RandomPlane

GENERATIVE, RANDOM, WIDEST = "naive Bayes", "logistic, a random plane", "logistic, widest margin"
PAGE = REPO / "docs" / "generative_or_discriminative.md"
FIGURE = REPO / "docs" / "generative_or_discriminative.png"
BEGIN, END = "<!-- numbers: begin -->", "<!-- numbers: end -->"
SMALLEST, LARGEST = 6, 4000
#: A difference counts as real beyond this many standard errors of its mean over the repeats.
REAL = 2.0


def contestants(problem):
    """Give the generative model and its discriminative partners, linear in the same statistics."""
    partners = {RANDOM: RandomPlane(), WIDEST: pt.LogisticRegression(prior=WHISPER, inference=False)}
    if problem.levels is None:
        return {GENERATIVE: pt.NaiveBayes(shared=True), **partners}
    categories = [np.arange(float(count)) for count in problem.levels]
    indicators = OneHotEncoder(categories=categories, drop="first", sparse_output=False)
    coded = {name: make_pipeline(indicators, partner) for name, partner in partners.items()}
    return {GENERATIVE: pt.NaiveBayes(families="categorical", smoothing=1.0), **coded}


def sizes_of(n, count):
    """Give sizes on a log scale; all there are for a handful of rows."""
    if n < 20:
        return list(range(2, n))
    return np.unique(np.geomspace(SMALLEST, min(0.8 * n, LARGEST), count).round().astype(int))


@dataclass(frozen=True)
class Gap:
    """The claim on one data set: naive Bayes ahead with few rows, logistic regression not behind with many.

    Parameters
    ----------
    gap : (S,) error of logistic regression less that of naive Bayes: positive where naive Bayes is ahead
    noise : (S,) its standard error over the repeats, paired
    """

    gap: np.ndarray
    noise: np.ndarray

    @property
    def ahead_early(self):
        """Whether naive Bayes is ahead, beyond noise, in the smaller half of the sizes."""
        half = (len(self.gap) + 1) // 2
        return bool((self.gap > REAL * self.noise)[:half].any())

    @property
    def verdict(self):
        """One of five: crossed, met, heading, or one of two against the claim."""
        last, noise, peak = self.gap[-1], self.noise[-1], self.gap.argmax()
        if not self.ahead_early:
            return "never ahead"
        if last < -REAL * noise:
            return "crossed"
        if last <= REAL * noise:
            return "met"
        if self.gap[peak] - last > REAL * np.hypot(noise, self.noise[peak]):
            return "heading"
        return "stays ahead"


@dataclass(frozen=True)
class Finding:
    """What one data set says, by the choice of separating plane."""

    name: str
    n_rows: int
    curves: object
    gaps: dict


def study(name, problem, repeats, count, seed):
    sizes = sizes_of(len(problem.y), count)
    models = contestants(problem)
    curves = pt.learning_curves(models, problem.X, problem.y, sizes=sizes, repeats=repeats, random_state=seed)
    if curves.failed.any():
        raise RuntimeError(f"{name}: {curves.notes}")
    generative, *partners = curves.scores["error"]
    gaps = {}
    for partner, errors in zip((RANDOM, WIDEST), partners, strict=True):
        apart = errors - generative
        gaps[partner] = Gap(apart.mean(axis=1), apart.std(axis=1, ddof=1) / np.sqrt(repeats))
    return Finding(problem.name, len(problem.y), curves, gaps)


def table(findings):
    """Word the numbers in Markdown."""
    lines = [
        "| data set | rows | errors at the smallest m | errors at the largest m | random plane: crossing (95 %) | "
        "verdict | widest margin: crossing (95 %) | verdict |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in findings:
        mean, m = each.curves.mean("error"), each.curves.sizes
        ends = [f"{m[i]}: " + ", ".join(f"{value:.3f}" for value in mean[:, i]) for i in (0, -1)]
        cells = [each.name, str(each.n_rows), *ends]
        for partner, gap in each.gaps.items():
            cells += [crossing_cell(each.curves.crossing(GENERATIVE, partner)), gap.verdict]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def crossing_cell(found):
    if found.size is None:
        return "none" if found.before is None else f"none, {found.before.split(',')[0]} ahead"
    if found.before != GENERATIVE:
        return f"{found.size:.0f}, the other way round"
    low = f"{found.low:.0f}" if found.low > 0 else f"below {found.smallest}"
    high = f"{found.high:.0f}" if np.isfinite(found.high) else f"above {found.largest}"
    return f"{found.size:.0f} ({low} to {high})"


def count_sentence(findings, partner):
    verdicts = [each.gaps[partner].verdict for each in findings]
    crossed, met, heading, never, stays = (
        verdicts.count(kind) for kind in ("crossed", "met", "heading", "never ahead", "stays ahead")
    )
    return (
        f"**{partner[0].upper()}{partner[1:]}: the claim holds on {crossed + met} of {len(verdicts)} data sets.** On "
        f"{crossed} logistic regression overtakes naive Bayes, on {met} it catches up. On {heading} the difference is "
        f"shrinking at the largest size, on {stays} it is not, and on {never} naive Bayes is never ahead with few rows."
    )


def figure(findings, path):
    from matplotlib.figure import Figure

    columns = 4
    rows = -(-len(findings) // columns)
    drawn = Figure(figsize=(3.4 * columns, 2.6 * rows), layout="constrained")
    panels = drawn.subplots(rows, columns, squeeze=False).ravel()
    for panel, each in zip(panels, findings, strict=False):
        display = pt.LearningCurvesDisplay.from_curves(each.curves, ax=panel, legend=False)
        panel.set_title(each.name, fontsize=9)
        panel.xaxis.set_minor_formatter("")
        if max(each.curves.sizes) < 10:
            panel.set_xticks(each.curves.sizes, each.curves.sizes)
    for panel in panels[len(findings) :]:
        panel.set_visible(False)
    drawn.legend(handles=display.lines_, loc="lower right", fontsize=11)
    drawn.savefig(path, dpi=110)


def insert(page, text):
    """Put the numbers between their marks on the page."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", default=os.environ.get("POSTERIORI_DATA"), help="folder with the CSV files of the sets"
    )
    parser.add_argument("--sets", nargs="*", choices=list(PROBLEMS), help="only these")
    parser.add_argument("--repeats", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-write", action="store_true", help="print only")
    given = parser.parse_args(arguments)
    repeats, count = (10, 5) if given.quick else (given.repeats, 8)
    findings = []
    for name, problem in problems(given.data).items():
        if given.sets and name not in given.sets:
            continue
        started = time.perf_counter()
        with joblib.parallel_config(n_jobs=given.workers):
            findings.append(study(name, problem, repeats, count, given.seed))
        verdicts = ", ".join(gap.verdict for gap in findings[-1].gaps.values())
        print(f"{name}: {verdicts} ({time.perf_counter() - started:.0f} s)", flush=True)
    counts = "\n\n".join(count_sentence(findings, partner) for partner in (RANDOM, WIDEST))
    order = "Errors are those of naive Bayes, of logistic regression with a random plane, and with the widest margin."
    foot = f"{order} {repeats} random splits for each size; seed {given.seed}."
    text = f"{counts}\n\n{table(findings)}\n\n{foot}"
    print(text)
    if given.quick or given.no_write:
        return
    figure(findings, FIGURE)
    PAGE.write_text(insert(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    print(f"written: {Path(FIGURE).name}, {Path(PAGE).name}")


if __name__ == "__main__":
    main()
