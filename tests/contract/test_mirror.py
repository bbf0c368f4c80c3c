"""Folders of tests mirror the folders of the package."""

from pathlib import Path

import posteriori as pt

SOURCE = Path(pt.__file__).parent
TESTS = Path(__file__).parents[1]
#: Tests that belong to no folder of the package.
OTHERS = {"laws", "golden", "book", "contract"}


def test_every_folder_of_tests_is_a_folder_of_the_package():
    folders = {init.parent.relative_to(TESTS) for init in TESTS.rglob("__init__.py")} - {Path()}
    strays = [folder for folder in folders if folder.parts[0] not in OTHERS and not (SOURCE / folder).is_dir()]
    assert not strays


def test_no_folder_of_the_package_has_more_than_two_dozen_modules():
    counts = {folder: len(list(folder.glob("*.py"))) for folder in SOURCE.rglob("*") if folder.is_dir()}
    assert {str(folder): n for folder, n in counts.items() if n > 25} == {}
