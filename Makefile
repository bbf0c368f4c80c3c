# Every target sets itself up: a fresh clone needs python3 (3.11+, venv) and make, nothing else.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-app
DEVELOPED := $(VENV)/.installed-dev
BENCHED := $(VENV)/.installed-bench

OLDEST := .venv-oldest
RUNS := 1

.PHONY: install demo quick test test-all test-cpus test-oldest lint documents dist bench clean

install: $(INSTALLED)

demo: $(INSTALLED)
	$(RUN)/posteriori demo

# What to run between two changes: laws, golden results and the quick tests of each folder.
quick: $(DEVELOPED)
	$(RUN)/python -m pytest -n 2 --dist worksteal -m "not slow and not contract and not exhaustive" tests

test: lint
	$(RUN)/python -m pytest -n 2 --dist worksteal -m "not exhaustive"

# Also scikit-learn's checks repeated for further instances of each class.
test-all: lint
	$(RUN)/python -m pytest -n 2 --dist worksteal

# The numerical tests with the arithmetic of other processors; RUNS=3 repeats each.
test-cpus: $(DEVELOPED)
	$(RUN)/python -m tests.processors --runs $(RUNS)

# The tests with the oldest versions that pyproject.toml allows; PYTHON must be the oldest Python it allows.
test-oldest: $(OLDEST)/.installed
# Old packages use what newer ones that they import have deprecated.
	$(OLDEST)/bin/python -m pytest -n 2 --dist worksteal -W ignore::DeprecationWarning

lint: $(DEVELOPED)
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports

# The examples of the README and of docs/.
documents: $(DEVELOPED)
	$(RUN)/python -m pytest README.md docs

dist: $(DEVELOPED)
	$(RUN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

bench: $(BENCHED)
	$(RUN)/python -m benchmarks.run

clean:
	rm -rf $(VENV) $(OLDEST) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

$(RUN)/python:
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(RUN)/python
	$(RUN)/python -m pip install --quiet --editable '.[app]'
	touch $@

$(DEVELOPED): pyproject.toml | $(RUN)/python
	$(RUN)/python -m pip install --quiet --editable '.[app,dev]'
	touch $@

$(BENCHED): pyproject.toml | $(RUN)/python
	$(RUN)/python -m pip install --quiet --editable '.[app,dev,bench]'
	touch $@

$(OLDEST)/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet uv
	VIRTUAL_ENV=$(OLDEST) $(OLDEST)/bin/uv pip install --quiet --resolution lowest-direct --editable '.[app,dev]'
	touch $@
