"""The code of the guide runs in a package to which it is added, and obeys the laws of what it adds."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import posteriori as pt

ROOT = Path(__file__).parents[2]
SOURCE = Path(pt.__file__).parent
GUIDE = ROOT / "docs" / "how_it_works.md"
DOCUMENTS = [GUIDE, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@cache
def blocks(language):
    """Return the guide's blocks of a language by the comment that each begins with."""
    text = GUIDE.read_text(encoding="utf-8")
    return dict(re.findall(rf"^```{language}\n# (.+?)\n(.*?)^```$", text, re.M | re.S))


def programs():
    """Return the guide's programs that use what it adds, in order, as one."""
    return "".join(code for title, code in blocks("python").items() if not title.startswith("src/"))


def edited(text, diff):
    """Return a text with the lines of a diff added after their context, or put in place of what they replace."""
    lines = diff.splitlines()
    for before, after in pairwise(lines):
        if after.startswith("+"):
            assert text.count(before[1:]) == 1, f"the guide's line is not there once: {before[1:]}"
            text = text.replace(before[1:], after[1:] if before.startswith("-") else f"{before[1:]}\n{after[1:]}")
    return text


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return a folder with a copy of the package to which the guide's files and lines are added."""
    folder = tmp_path_factory.mktemp("guide")
    shutil.copytree(SOURCE, folder / "posteriori")  # with what numba has compiled
    for title, code in blocks("python").items():
        if title.startswith("src/"):
            place = folder / Path(title).relative_to("src")
            assert not place.exists()
            place.write_text(code, encoding="utf-8")
    for title, diff in blocks("diff").items():
        place = folder / Path(title).relative_to("src")
        place.write_text(edited(place.read_text(encoding="utf-8"), diff), encoding="utf-8")
    return folder


def run(package, program):
    """Run a program with that package and the tests' own modules."""
    paths = os.pathsep.join(map(str, (package, ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False, cwd=package,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_guide_has_code_for_each_thing_it_adds_and_for_its_use():
    assert list(blocks("python")) == [
        "src/posteriori/links/secant.py",
        "beetles (Bliss 1935) with the new link",
        "src/posteriori/families/geometric.py",
        "page visits of new and returning users",
        "src/posteriori/solvers/first_order/bfgs.py",
        "the same certified optimum by another solver",
        "src/posteriori/engines/saved.py",
        "every estimator on files, with the answers of memory",
    ]


def test_the_programs_of_the_guide_run(package):
    run(package, programs())


LINK = """
import numpy as np
from scipy.optimize import minimize
from posteriori.links.secant import Secant
from tests.laws.link_laws import check_link

for seed in range(5):
    check_link(Secant(), seed)

dose = np.array([1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839])
dead = np.array([6, 13, 18, 28, 52, 53, 61, 60])
alive = np.array([59, 60, 62, 56, 63, 59, 62, 60]) - dead

def loss(w):
    p = 2 / np.pi * np.arctan(np.exp(w[0] + w[1] * 20 * (dose - 1.8)))
    return -(dead * np.log(p) + alive * np.log1p(-p)).sum()

optimum = minimize(loss, [0.0, 0.0], tol=1e-12)
assert beetles.solution_.objective <= optimum.fun + 1e-10
np.testing.assert_allclose(beetles.coef_.item(), 20 * optimum.x[1], rtol=1e-6)
"""


def test_the_link_of_the_guide_obeys_the_laws_of_links_and_its_fit_is_the_maximum_of_another_optimiser(package):
    run(package, blocks("python")["beetles (Bliss 1935) with the new link"] + LINK)


FAMILY = """
import numpy as np
import pytest
import posteriori as pt
from posteriori.families.geometric import Geometric
from tests.laws.family_laws import Example, check_family

codes = np.arange(90) % 3
columns = np.random.default_rng(1).geometric(1 / (1.5 + codes[:, None]), (90, 2)) - 1.0
check_family(Example(Geometric(), columns, codes, np.arange(200.0)))

model = pt.NaiveBayes(families="geometric")
with pytest.raises(
    pt.DataError, match=r"whole numbers from zero up, not 0\\.5\\. In column 1: 1 cell\\(s\\), the first in row 2"
):
    model.fit([[0, 1], [1, 2], [3, 0.5], [4, 4]], [0, 0, 1, 1])
model.fit([[0, 1], [1, 2], [3, 0], [4, 4]], [0, 0, 1, 1])
with pytest.raises(pt.DataError, match=r"not -1\\. In column 0"):
    model.predict([[-1, 0]])
"""


def test_the_family_of_the_guide_obeys_the_laws_of_families_and_rejects_what_is_no_count(package):
    run(package, FAMILY)


SOLVER = """
import numpy as np
import posteriori as pt

rng = np.random.default_rng(5)
X = rng.standard_normal((300, 3)) * [1.0, 1e-3, 1e3] + [0.0, 5.0, 0.0]
for y in (X[:, 0] + rng.logistic(size=300) > 0, rng.integers(0, 3, 300)):
    for prior in (None, 1.0):
        best, model = (pt.LogisticRegression(solver=name, prior=prior).fit(X, y) for name in ("irls", "bfgs"))
        assert model.solution_.converged
        np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), atol=1e-8)
"""


def test_the_solver_of_the_guide_certifies_the_optimum_of_newton_s_method(package):
    run(package, SOLVER)


ENGINE = """
import pytest
from tests.laws.test_estimators import CASES

np.testing.assert_array_equal(SavedEngine(files).map(lambda block: block.features[:, 0]), X[:, 0])
broken = np.column_stack([X, y])[:100]
broken[7, 1] = np.nan
np.save(paths[0], broken)
with pytest.raises(pt.DataError, match=r"column 1: 1 cell\\(s\\), the first in part-0.npy, row 7"):
    pt.GaussianClassifier().fit(files, None)
np.save(paths[0], np.column_stack([X, y])[:100])
with pytest.raises(TypeError, match="the rows in random order"):
    pt.LogisticRegression(solver="online", random_state=0).fit(files, None)

for case in CASES:
    if getattr(case.model, "solver", None) == "online":
        continue
    X, y = case.data(seed=1, n=150)
    for path, first, last in zip(paths, (0, 40, 120), (40, 120, 150)):
        np.save(path, np.column_stack([X, y])[first:last])
    table = SavedTable(paths, X.shape[1], tuple(range(case.classes)))
    memory = case.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(case.fit(table, None).predict_proba(table), memory, rtol=0, atol=1e-10)
"""


def test_every_estimator_is_fitted_to_the_table_of_the_guide_by_its_engine(package):
    run(package, programs() + ENGINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_a_document_names_is_there(document):
    added = {Path(title).name for title in blocks("python") if title.startswith("src/")}
    text = re.sub(r"^```(python|diff)\n.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)
    named = set(re.findall(r"`([\w./*-]+(?:\.py|\.md|\.toml|/))`", text)) - added
    assert named
    for path in sorted(named):
        places = [ROOT / path, SOURCE / path]
        found = [place for place in places if place.exists()] or [
            match for folder in (SOURCE, SOURCE / "statistics") for match in folder.rglob(path)
        ]
        assert found, f"{document.name} names {path}, which is not there"


def test_the_readme_lists_every_folder_of_the_package_and_no_other():
    tree = re.search(r"^src/posteriori/\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    listed = [name for line in tree[1].splitlines() for name in re.findall(r"(\w+)/", line.split("    ")[0])]
    there = {init.parent.name for init in SOURCE.glob("*/__init__.py")}
    assert sorted(listed) == sorted(there)
