# Everything is set up by the commands themselves: only python3, make and git are needed.

ifeq ($(OS),Windows_NT)
PYTHON ?= python
SCRIPTS := Scripts
else
PYTHON ?= python3
SCRIPTS := bin
endif
PYTHONS ?= python3.11 python3.12 python3.13
VENV := .venv
BIN := $(VENV)/$(SCRIPTS)
export ROOKERY_CACHE_DIR ?= $(CURDIR)/.cache

.PHONY: demo test test-all test-busy lint docs links images bench map release-check clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: $(VENV)/.ready  ## compile, search Morpion Solitaire for 30 seconds and draw the grid
	$(BIN)/rookery solve morpion -p variant=5D --time 30s --seed 1

test: $(VENV)/.ready  ## the whole suite
	$(BIN)/python -m compileall -q src  # once, not in every process that a test starts
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-all:  ## the whole suite on every Python of PYTHONS that is there, each in a venv of its own
	@there=; missing=; failed=; \
	for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) \
			|| { missing="$$missing $$python"; continue; }; \
		there="$$there $$version"; \
		echo "== Python $$version"; \
		$(MAKE) --no-print-directory test PYTHON=$$python VENV=build/venv-$$version || failed="$$failed $$version"; \
	done; \
	echo "tested:$${there:- none}; failed:$${failed:- none}; missing:$${missing:- none}"; \
	test -n "$$there" && test -z "$$failed"

test-busy: $(VENV)/.ready  ## the tests of time, limits and signals, beside eight processes that keep the cores busy
	$(BIN)/python tools/busy.py 8 $(BIN)/python -m pytest -m timing

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.ready  ## the documentation site, in build/site/html; warnings and broken links are errors
	$(BIN)/python tools/site

links: $(VENV)/.ready  ## asks for every outside link of the documentation (needs a network)
	$(BIN)/python tools/site --links

images: $(VENV)/.ready  ## all pictures of the documentation, anew (needs chromium and chromedriver; takes a while)
	$(BIN)/python tools/images.py

bench: $(VENV)/.ready  ## speeds as ratios to C++ twins measured in the same run (needs g++)
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/parallel.py
	$(BIN)/python benchmarks/scheduler.py
	$(BIN)/python benchmarks/checkpoint.py
	$(BIN)/python benchmarks/games.py

map: $(VENV)/.ready  ## figures of the code map: sizes, import cycles, tests on classes, the walk of solve
	$(BIN)/python tools/map.py

release-check: $(VENV)/.ready  ## build the archives, check them, install each alone and use it as a user would
	rm -rf dist build/wheel build/sdist
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/wheel
	build/wheel/$(SCRIPTS)/python -m pip install --quiet dist/*.whl
	cd build && wheel/$(SCRIPTS)/rookery --version
	cd build && wheel/$(SCRIPTS)/rookery solve leftmove -p depth=20 --level 2 --seed 1 --json > leftmove.json
	cd build && wheel/$(SCRIPTS)/python -c "import rookery; r = rookery.Result.load('leftmove.json'); assert r.score == 20, r"
	cd build && wheel/$(SCRIPTS)/python $(CURDIR)/examples/tsp.py
	$(PYTHON) -m venv build/sdist
	build/sdist/$(SCRIPTS)/python -m pip install --quiet dist/*.tar.gz
	cd build && sdist/$(SCRIPTS)/rookery verify leftmove.json

clean:
	rm -rf $(VENV) build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
