# Everything a checkout needs. PYTHON, VENV and PACKAGE may be given: `make test VENV=/tmp/v PACKAGE=dist/agentlog-0.1.0-py3-none-any.whl`
# runs the suite against that wheel.
PYTHON ?= python3
VENV ?= .venv
PACKAGE ?= .
BIN = $(VENV)/bin
DEMO_STORE = $(VENV)/demo-store
EDITABLE = $(if $(filter .,$(PACKAGE)),--editable)

.PHONY: help demo test lint format docs bench clean
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

demo: $(VENV)/.installed ## ingest sample_data/ and print three reports
	@rm -rf "$(DEMO_STORE)"
	$(BIN)/agentlog ingest sample_data/claude --store "$(DEMO_STORE)"
	$(BIN)/agentlog cost --by harness,model --store "$(DEMO_STORE)"
	$(BIN)/agentlog tools --store "$(DEMO_STORE)"
	$(BIN)/agentlog compactions --store "$(DEMO_STORE)"

test: $(VENV)/.installed-dev ## the whole suite, with branch coverage
	$(BIN)/pytest --numprocesses=auto --dist=loadfile --cov --cov-report=term

lint: $(VENV)/.installed-dev ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.installed-dev ## mend what ruff can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.installed-dev ## write the generated pages anew
	$(BIN)/python docs/generate.py

bench: $(VENV)/.installed-dev ## the figures of benchmarks/README.md (makes about 1.6 GB of data)
	$(BIN)/python benchmarks/run.py

clean: ## what these commands made
	rm -rf "$(VENV)" build dist .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "agentlog needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv "$(VENV)"
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	$(BIN)/pip install --quiet $(EDITABLE) "$(PACKAGE)"
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.made pyproject.toml
	$(BIN)/pip install --quiet $(EDITABLE) "$(PACKAGE)[dev]"
	@touch $@ $(VENV)/.installed
