# Every target sets itself up: a fresh clone needs python3 (3.11+, venv) and make, nothing else.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-app
DEVELOPED := $(VENV)/.installed-dev
BENCHED := $(VENV)/.installed-bench

.PHONY: install demo test lint bench clean

install: $(INSTALLED)

demo: $(INSTALLED)
	$(RUN)/posteriori demo

test: lint
	$(RUN)/python -m pytest -n 2 --dist worksteal

lint: $(DEVELOPED)
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports

bench: $(BENCHED)
	$(RUN)/python -m benchmarks.run

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

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
