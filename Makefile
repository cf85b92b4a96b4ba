# Everything that a person or CI does with this project. Needs Python 3.10 to 3.13, make, and a package registry.
#
#   make demo    the whole path on the small wiki and the small crawl inside the package
#   make test    all tests          make test TESTS="tests/wiki -m 'not slow'"
#   make lint    ruff and mypy over the whole tree
#   make bench   speed and memory, side by side with other programs
#   make format  rewrites the code's layout

PYTHON ?= python3
VENV ?= .venv
BENCH_VENV ?= .venv-bench
TESTS ?=
# Files of tests that are run beside each other; each may take two gigabytes.
TEST_PROCESSES ?= 2
DEMO_OPTIONS ?=
BENCHES ?= $(shell grep -l __main__ tests/bench/*.py)

# The real dumps and collections, where a data folder is beside the checkout; else tests with them are skipped.
ifneq ($(wildcard ../shared/data),)
export ANCHORMINE_DATA ?= $(abspath ../shared/data)
endif

INSTALLED = $(VENV)/.installed
PEERS_INSTALLED = $(BENCH_VENV)/.installed
THIS_PROJECT = -c constraints.txt -e '.[train,dev]'
SITE_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"

.DEFAULT_GOAL := help
.PHONY: help environment demo test lint format bench lock clean

help:
	@sed -n '3,8s/^# *//p' Makefile

environment: $(INSTALLED)

demo: $(INSTALLED)
	$(VENV)/bin/anchormine demo --overwrite $(DEMO_OPTIONS)

# Torch's threads wait for each other at full speed: two of each process, on two cores, take three times as long.
test: export OMP_NUM_THREADS ?= 1
test: $(INSTALLED)
	$(VENV)/bin/python -m pytest --numprocesses $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder $(TESTS)

lint: $(INSTALLED)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

format: $(INSTALLED)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: $(PEERS_INSTALLED)
	@failed=; for bench in $(BENCHES); do \
	    echo "== $$bench"; $(BENCH_VENV)/bin/python $$bench || failed="$$failed $$bench"; \
	done; test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

# uv where there is one; else it is installed into the environment; else pip.
$(INSTALLED): pyproject.toml constraints.txt
	@if command -v uv >/dev/null; then \
	    uv venv --quiet --clear --python $(PYTHON) $(VENV); \
	else \
	    $(PYTHON) -m venv --clear $(VENV) && { $(VENV)/bin/python -m pip install --quiet uv || true; }; \
	fi
	$(call install,$(VENV),$(THIS_PROJECT))
	@touch $@

# What the benchmarks compare with is kept apart: this environment holds it, and looks into the other for the rest.
$(PEERS_INSTALLED): $(INSTALLED) tests/bench/peers.txt
	@if command -v uv >/dev/null; then \
	    uv venv --quiet --clear --python $(VENV)/bin/python $(BENCH_VENV); \
	else \
	    $(VENV)/bin/python -m venv --clear $(BENCH_VENV); \
	fi
	$(call install,$(BENCH_VENV),-r tests/bench/peers.txt)
	@echo "import site; site.addsitedir('$$($(VENV)/bin/python -c $(SITE_PACKAGES))')" \
	    > "$$($(BENCH_VENV)/bin/python -c $(SITE_PACKAGES))/_tested_environment.pth"
	@touch $@

# install(environment, what), compiled, so that no process does that at its start: uv on the path; else uv in .venv;
# else, or where that cannot reach the registry (it does not read the system's certificates), pip.
define install
@if command -v uv >/dev/null; then \
    uv pip install --quiet --compile-bytecode --python $(1)/bin/python $(2); \
else \
    { [ -x $(VENV)/bin/uv ] && $(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(1)/bin/python $(2); } \
        || $(1)/bin/python -m pip install --quiet $(2); \
fi
endef

# The versions that are tested, for every Python at once; a user's own installation has ranges.
lock:
	uv pip compile pyproject.toml --extra train --extra dev --universal --python-version 3.10 --upgrade \
	    --strip-extras --no-annotate --no-header --quiet --output-file constraints.txt

clean:
	rm -rf $(VENV) $(BENCH_VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
