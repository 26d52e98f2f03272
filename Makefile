# Every command of the project. `make` alone lists them.

SHELL := bash
.DEFAULT_GOAL := help

BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Most tests wait for processes; a file's tests stay together, because they share a world, and the
# short ones come last.
SIDE_BY_SIDE ?= -n 4 --dist loadfile --no-loadscope-reorder
KILLS ?= 300
# A distribution builds its own Python with profile-guided optimisation: an assessment takes a sixth
# less time there than in one that was compiled without.
VERSIONS := python3.11 python3.12 python3.13 python3.14
PYTHONS ?= $(addprefix /usr/bin/,$(VERSIONS)) $(VERSIONS) python3

# Compiled code is kept, whatever the shell says: every process starts in two thirds of the time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup run cluster stop reset demo format lint types architecture test test-unit test-slow test-again test-all check coverage \
	faults fuzz-wire simulate soak money guards fuzz disguises score bench bench-costs bench-peers bench-risk \
	bench-start bench-audit bench-audit-10m bench-cluster bench-console pictures schemas docs train lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "%-14s %s\n", $$1, $$2}' Makefile

setup: $(READY) ## make .venv from constraints.txt; does nothing when it is up to date

run: setup ## start a broker and every service on this machine
	$(BIN)/holdpoint up

stop: setup ## stop what `make run` started
	$(BIN)/holdpoint down

reset: setup ## throw away all local state, after asking
	$(BIN)/holdpoint reset

cluster: setup ## the same with three brokers (TLS, three copies), COPIES=2 of each service, POSTGRES=1 its ledger in PostgreSQL
	HP_BROKER_NODES=3 HP_COPIES=$(or $(COPIES),2) $(if $(POSTGRES),deploy/postgresql/local.sh var-postgresql) $(BIN)/holdpoint up

demo: setup ## show a risky action wait for a yes, start to end; CLUSTER=1 on three brokers, one killed
	$(BIN)/holdpoint demo $(if $(CLUSTER),--cluster)

format: setup ## ruff: mend what can be mended, and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lint: setup ## ruff: rules and format; yamllint and hadolint: what is deployed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/yamllint --strict deploy/container deploy/grafana deploy/prometheus deploy/helm/holdpoint/*.yaml
	$(BIN)/hadolint deploy/container/Containerfile

types: setup ## mypy --strict
	$(BIN)/mypy

architecture: setup ## imports only ever point down
	$(BIN)/lint-imports

test: setup ## the tests that take seconds
	$(BIN)/pytest -m "not slow" $(SIDE_BY_SIDE)

test-unit: setup ## the tests without a broker, for each save
	$(BIN)/pytest tests/unit -m "not slow" $(SIDE_BY_SIDE)

test-slow: setup ## the tests that take minutes
	$(BIN)/pytest -m slow $(SIDE_BY_SIDE)

test-again: setup ## the tests that failed last, one after another
	$(BIN)/pytest --last-failed --last-failed-no-failures none

test-all: test test-slow ## every test

faults: setup ## kill everything at every step, hundreds of times; KILLS=60 for less, CLUSTER=1 on three brokers, FAULT=disk, database or network alone, HP_SEED=n again
	$(BIN)/python -m tests.faults.run --kills $(KILLS) $(if $(CLUSTER),--cluster) $(if $(FAULT),--fault $(FAULT))

money: setup ## transfers through the whole road under kills: TRANSFERS=20000 MONEY_KILLS=200, about 20 minutes
	$(BIN)/python -m tests.money --transfers $(or $(TRANSFERS),20000) --kills $(or $(MONEY_KILLS),200)

fuzz-wire: setup ## hostile messages of every party to the running system; MESSAGES=10000, HP_SEED=n again
	$(BIN)/python -m tests.faults.fuzz_wire --messages $(or $(MESSAGES),10000)

simulate: setup ## gate, worker and audit on a simulated broker, on all cores: SEEDS=1..1000, RESUME=1 goes on behind the last that held, MINUTES=n, JOBS=n; SEED=n plays one again
	PYTHONHASHSEED=0 $(BIN)/python -m tests.simulation.run --seeds $(or $(SEEDS),1..1000) \
		$(if $(RESUME),--resume) $(if $(JOBS),--jobs $(JOBS)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

soak: setup ## 50 calls a second and a death now and then: MINUTES=60; memory stays flat, the ledger is complete
	$(BIN)/python -m tests.faults.soak --minutes $(or $(MINUTES),60)

guards: setup ## take each guard out of a copy: some run must turn red
	$(BIN)/python -m tests.faults.guards

check: lint types architecture test ## what must pass before each commit

fuzz: setup ## does any disguise hide a danger from the risk engine? CORPUS=DIR, as for score; ARGS=--show
	@CORPUS="$(CORPUS)" $(BIN)/python -m tests.fuzz.run $(ARGS)

disguises: setup ## does any of 20 disguises talk the learned reader down? 2,000 rows, a few minutes; ROWS=200 for less
	ROWS=$(or $(ROWS),2000) $(BIN)/pytest -q tests/unit/risk/intents/test_disguised.py

coverage: setup ## fail below 100 % of core and messages
	$(BIN)/coverage run -m pytest -m "not slow"
	$(BIN)/coverage report

score: setup ## recall and false alarms of the risk engine; CORPUS=DIR of labelled *.jsonl
	@CORPUS="$(CORPUS)" $(BIN)/python -m bench.score

bench: setup ## what a call costs, and ours against the hand-written floor, as ratios; ROUNDS=3
	$(BIN)/python -m bench.run --rounds $(or $(ROUNDS),3)

bench-costs: setup ## only core-us and broker messages of a call, in half a minute
	$(BIN)/python -m bench.run --costs

bench-peers: setup ## ours beside LangGraph and DBOS on PostgreSQL; never in CI
	@[ -x .venv-peers/bin/python ] || $(BIN)/python -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
	$(BIN)/python -m bench.peers.run

bench-start: setup ## how long from nothing to the console's address
	$(BIN)/python -m bench.start

bench-audit: setup ## the ledger beside a batch insert of the same rows; EVENTS=20000
	$(BIN)/python -m bench.audit --events $(or $(EVENTS),20000)

bench-cluster: setup ## three brokers beside one, and how long calls take while each is killed in turn; SYNC=100ms
	$(BIN)/python -m bench.cluster --sync $(or $(SYNC),always)

bench-audit-10m: setup ## the ledger's queries at SIZES=1000000,10000000 events; gigabytes and minutes, never in CI
	$(BIN)/python -m bench.audit_large --sizes $(or $(SIZES),1000000,10000000)

bench-risk: setup ## how long one assessment takes, and what hostile input costs
	$(BIN)/python -m bench.risk

bench-console: setup ## a thousand pending holds in a browser, beside one full page, as ratios
	$(BIN)/python -m bench.console

pictures: setup ## take the console's pictures for the documents
	$(BIN)/python -m tests.pictures

train: setup ## train the reader of what agents say, and write its card; CORPUS=DIR adds public sentences
	@[ -x .venv-training/bin/python ] || python3 -m venv .venv-training
	.venv-training/bin/python -m pip install --quiet --disable-pip-version-check -r training/requirements.txt
	$(BIN)/python training/as_read.py $(if $(CORPUS),--corpus "$(CORPUS)")
	OMP_WAIT_POLICY=PASSIVE .venv-training/bin/python training/train.py $(if $(CORPUS),--corpus "$(CORPUS)")
	.venv-training/bin/python training/export.py
	$(BIN)/python training/golden.py
	$(BIN)/python training/evaluate.py $(if $(CORPUS),--corpus "$(CORPUS)")

schemas: setup ## write schemas/ from the code
	$(BIN)/holdpoint schemas schemas

docs: .venv-docs/.ready ## build the documents as a site in build/site; a dead link or anchor fails
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict

.venv-docs/.ready: constraints-docs.txt
	@[ -x .venv-docs/bin/python ] || $(BIN)/python -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check --require-hashes -r constraints-docs.txt
	@touch $@

lock: ## write constraints.txt from pyproject.toml; UPGRADE=--upgrade takes newer releases
	@[ -x $(BIN)/uv ] || $(MAKE) setup # afterwards the old set-up does: it need not fit the new list
	$(BIN)/uv pip compile pyproject.toml --quiet --group dev --all-extras --universal \
		--python-version 3.11 --generate-hashes --no-config \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		$(UPGRADE) --output-file constraints.txt
	$(BIN)/uv pip compile --quiet --group docs --universal --python-version 3.11 --generate-hashes --no-config \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		$(UPGRADE) --output-file constraints-docs.txt

clean: ## remove .venv and caches; local state stays
	rm -rf .venv .venv-docs .venv-peers .venv-training .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find services tests -name __pycache__ -type d -prune -exec rm -rf {} +

# pip, setuptools and hatchling come first, because nothing here builds in isolation:
# an isolated build would fetch tools that no hash covers.
$(READY): constraints.txt pyproject.toml
	@[ -x $(BIN)/python ] || { \
	  for python in $(PYTHONS); do \
	    "$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	    python=; \
	  done; \
	  [ -n "$$python" ] || { \
	    echo "Holdpoint needs Python 3.11 or newer that can make a virtual environment, and none of these is it: $(PYTHONS). Install one (on Debian: apt-get install python3-venv), or name yours: make setup PYTHONS=/path/to/python3" >&2; exit 1; }; \
	  "$$python" -m venv .venv || { rm -rf .venv; \
	    echo "$$python cannot make a virtual environment. On Debian: apt-get install python3-venv" >&2; exit 1; }; }
	@awk '/^[a-z]/ {keep = /^(editables|hatchling|packaging|pathspec|pip|pluggy|setuptools|trove-classifiers)==/} keep' \
	  constraints.txt >.venv/build-tools.txt
	$(PIP) install --require-hashes --no-deps -r .venv/build-tools.txt
	$(PIP) install --require-hashes --no-build-isolation -r constraints.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	$(PIP) check
	@touch $@
