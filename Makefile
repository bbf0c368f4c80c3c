# Every target sets itself up: a fresh clone needs python3 (3.11+, venv) and make, nothing else.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-app
DEVELOPED := $(VENV)/.installed-dev
BENCHED := $(VENV)/.installed-bench

OLDEST := .venv-oldest
RUNS := 1

.PHONY: install demo test test-cpus test-oldest lint bench clean

install: $(INSTALLED)

demo: $(INSTALLED)
	$(RUN)/posteriori demo

test: lint
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
