# Everything is set up by the commands themselves: only python3, make and git are needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export ROOKERY_CACHE_DIR ?= $(CURDIR)/.cache

.PHONY: demo test lint bench wheel-test clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: $(VENV)/.ready  ## search Morpion Solitaire for about 30 seconds and draw the grid
	$(BIN)/rookery solve morpion -p variant=5D --level 3 --time 30s --seed 1

test: $(VENV)/.ready  ## the whole suite
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.ready  ## speeds as ratios to C++ twins measured in the same run (needs g++)
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/parallel.py
	$(BIN)/python benchmarks/scheduler.py
	$(BIN)/python benchmarks/checkpoint.py
	$(BIN)/python benchmarks/games.py

wheel-test: $(VENV)/.ready  ## build the wheel, install it alone, use it as a user would
	rm -rf dist build/wheel
	$(BIN)/python -m build --quiet --wheel
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet dist/*.whl
	cd build && wheel/bin/rookery --version
	cd build && wheel/bin/rookery solve leftmove -p depth=20 --level 2 --seed 1 --json > leftmove.json
	cd build && wheel/bin/python -c "import json, rookery; r = rookery.Result.load('leftmove.json'); assert r.score == 20, r"
	cd build && wheel/bin/python $(CURDIR)/examples/tsp.py

clean:
	rm -rf $(VENV) build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
