# Everything needs only git, make and Python 3.11 or newer; nothing is installed outside .venv.
PYTHON ?= python3
BIN := .venv/bin
# Every distribution of the tree; a folder under plugins/ with a pyproject.toml joins by itself.
PLUGINS := $(patsubst %/pyproject.toml,./%,$(sort $(wildcard plugins/*/pyproject.toml)))
PROJECTS := pyproject.toml workers/pyproject.toml $(PLUGINS:%=%/pyproject.toml)
SOURCES := $(wildcard plugins/*/mjsettle_*)
STAMP := .venv/installed
PYTEST_ARGS ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: setup demo test check lint types imports bench bench-accept bench-peers format clean

setup: $(STAMP)

$(STAMP): $(PROJECTS) Makefile
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit(f"found Python {v[0]}.{v[1]}, expected 3.11 or newer: make setup PYTHON=python3.12")'
	@echo 'installing into .venv, a minute or two the first time' >&2
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet 'hatchling>=1.26,<2' editables
	$(BIN)/python -m pip install --quiet --no-build-isolation -e '.[dev]' -e './workers[desk,embedded,logs,metrics,tracing]' $(PLUGINS:%=-e %)
	@touch $@

demo: $(STAMP)
	@$(BIN)/mjsettle demo

# One process per core; the tests of a file stay together, since they share servers and rule sets.
test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist loadfile $(PYTEST_ARGS)

check: lint types imports test

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

# Plugin folders go on the path of the first run so that each package has one name; the tests of the other
# distributions share the name `tests`, hence their run of their own.
types: $(STAMP)
	MYPYPATH=workers:$(subst $() ,:,$(PLUGINS)) $(BIN)/mypy conftest.py mjsettle tests workers/mjsettle_workers $(SOURCES)
	$(BIN)/mypy $(sort $(dir $(wildcard workers/tests/*.py plugins/*/tests/*.py)))

imports: $(STAMP)
	$(BIN)/python tests/repository/import_contracts.py

# Measures, keeps the run in .benchmarks/ and fails when a ratio is worse than the accepted ones in tests/benchmarks.
bench: .venv/bench
	$(BIN)/python -m tests.benchmarks.track $(BENCH_ARGS)

# Accepts the medians of the last runs, three unless BENCH_RUNS says another number.
bench-accept: $(STAMP)
	$(BIN)/python -m tests.benchmarks.track --accept $(or $(BENCH_RUNS),3)

.venv/bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --no-build-isolation -e '.[bench]'
	@touch $@

# Other engines, in an environment of their own; one that cannot be installed is left out of the tables.
PEERS := 'PyMahjongGB>=1.4,<2' 'mahjong>=2.1,<3' 'riichienv>=0.4,<0.5' 'mahjax>=0.1.6,<0.2'
bench-peers: .venv-peers/installed
	JAX_PLATFORMS=cpu .venv-peers/bin/python -m tests.benchmarks.peers $(BENCH_ARGS)

.venv-peers/installed: Makefile pyproject.toml
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet -e . -e plugins/guobiao -e plugins/riichi
	for peer in $(PEERS); do .venv-peers/bin/python -m pip install --quiet "$$peer" || echo "left out: $$peer"; done
	@touch $@

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .venv-peers .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Two storms of half a minute each, and what they need to calm down; CHAOS_SEED repeats one, CHAOS_SECONDS makes it longer.
.PHONY: chaos bench-workers docs
chaos: $(STAMP)
	CHAOS_SECONDS=$${CHAOS_SECONDS:-40} $(BIN)/python -m pytest tests/integration/test_chaos.py -s -p no:xdist $(PYTEST_ARGS)

bench-workers: $(STAMP)
	$(BIN)/python workers/benchmarks/run.py $(BENCH_ARGS)

# The documentation site, in build/site.
docs: $(STAMP)
	$(BIN)/mkdocs build --strict --quiet
