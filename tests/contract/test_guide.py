"""The code of the guide runs, and the link and the family it adds obey the laws of links and families."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.laws.family_laws import Example, check_family
from tests.laws.link_laws import check_link

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "how_it_works.md"
DOCUMENTS = [GUIDE, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@cache
def programs():
    """Give the guide's programs by the comment each begins with."""
    blocks = re.findall(r"^```python\n# (.+?)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    return dict(blocks)


@cache
def names():
    """Run all programs of the guide in turn, as a reader would, and give what they define."""
    defined = {"__name__": "guide"}
    for title, program in programs().items():
        exec(compile(program, title, "exec"), defined)  # the guide's assertions are part of it
    return defined


def test_the_guide_has_a_program_for_each_thing_it_adds_and_for_its_use():
    assert list(programs()) == [
        "src/posteriori/links/secant.py",
        "the beetles of Bliss (1935) through the new link",
        "src/posteriori/families/geometric.py",
        "visits to a page by two kinds of people",
        "src/posteriori/engines/shuffled.py",
        "the same bits from another engine",
    ]


def test_the_programs_of_the_guide_run():
    assert {"Secant", "Geometric", "ShuffledEngine"} <= set(names())


@pytest.mark.parametrize("seed", range(5))
def test_the_link_of_the_guide_obeys_the_laws_of_links(seed):
    check_link(names()["Secant"](), seed)


def test_the_fit_through_the_new_link_is_the_maximum_another_optimiser_finds():
    dose = np.array([1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839])
    dead = np.array([6, 13, 18, 28, 52, 53, 61, 60])
    alive = np.array([59, 60, 62, 56, 63, 59, 62, 60]) - dead

    def loss(w):
        p = 2 / np.pi * np.arctan(np.exp(w[0] + w[1] * 20 * (dose - 1.8)))
        return -(dead * np.log(p) + alive * np.log1p(-p)).sum()

    found = minimize(loss, [0.0, 0.0], tol=1e-12)
    assert names()["beetles"].solution_.objective <= found.fun + 1e-10
    np.testing.assert_allclose(names()["weights"].item(), 20 * found.x[1], rtol=1e-6)


def test_the_family_of_the_guide_obeys_the_laws_of_families():
    codes = np.arange(90) % 3
    columns = np.random.default_rng(1).geometric(1 / (1.5 + codes[:, None]), (90, 2)) - 1.0
    check_family(Example(names()["Geometric"](), columns, codes, np.arange(200.0)))


def test_the_family_of_the_guide_refuses_what_is_no_count_by_column_and_row():
    import posteriori as pt

    model = pt.NaiveBayes(families=names()["Geometric"]())
    with pytest.raises(
        pt.DataError, match=r"whole numbers from zero up, not 0\.5\. In column 1: 1 cell\(s\), the first in row 2"
    ):
        model.fit([[0, 1], [1, 2], [3, 0.5], [4, 4]], [0, 0, 1, 1])
    model.fit([[0, 1], [1, 2], [3, 0], [4, 4]], [0, 0, 1, 1])
    with pytest.raises(pt.DataError, match=r"not -1\. In column 0"):
        model.predict([[-1, 0]])


def test_the_engine_of_the_guide_maps_rows_to_their_places_and_refuses_to_fold():
    engine, X = names()["shuffled"], names()["X"]
    assert engine.order != sorted(engine.order)
    np.testing.assert_array_equal(engine.map(lambda block: block.features[:, 0]), X[:, 0])
    with pytest.raises(TypeError, match="keeps no order"):
        engine.fold(lambda state, block: state, 0)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_a_document_names_is_there(document):
    text = re.sub(r"^```python\n.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)
    named = set(re.findall(r"`([\w./*-]+(?:\.py|\.md|\.toml|/))`", text))
    assert named
    for path in sorted(named):
        places = [ROOT / path, ROOT / "src" / "posteriori" / path]
        found = [place for place in places if place.exists()] or [
            match
            for folder in (ROOT / "src" / "posteriori", ROOT / "src" / "posteriori" / "statistics")
            for match in folder.rglob(path)
        ]
        assert found, f"{document.name} names {path}, which is not there"


def test_the_readme_lists_every_folder_of_the_package_and_no_other():
    house = re.search(r"^src/posteriori/\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    listed = [name for line in house[1].splitlines() for name in re.findall(r"(\w+)/", line.split("    ")[0])]
    there = {init.parent.name for init in (ROOT / "src" / "posteriori").glob("*/__init__.py")}
    assert sorted(listed) == sorted(there)
