# On a machine with Python >= 3.11 and make: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
# Many processes of the tests load the same modules, which are compiled once and kept.
export PYTHONDONTWRITEBYTECODE =
PIP = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test long net net-floors ecosystem floors package kernels prescott haswell dispatched lint docs benchmark calibration clean

demo: $(VENV)/demo.stamp
	$(VENV)/bin/python examples/german_credit.py

test: $(VENV)/test.stamp
	$(PYTEST) -m "not long and not lint"

# Simulations, killed processes, and all cases of what `make test` tries a few of.
long: $(VENV)/test.stamp
	$(PYTEST) -m long

# What the public doors tell, compared with the record of it (tools/net).
net: $(VENV)/test.stamp
	MPLBACKEND=agg $(VENV)/bin/python -m tools.net

# The same on the oldest versions and as on an old processor: the record is that of all.
net-floors: .venv-floors/floors.stamp
	OPENBLAS_CORETYPE=Prescott \
		NPY_DISABLE_CPU_FEATURES="$$($(MAKE) --silent dispatched VENV=.venv-floors)" \
		.venv-floors/bin/python -m tools.net

PYTEST = MPLBACKEND=agg $(VENV)/bin/python -m pytest -n 2 --installed=usual

# What reads files and objects of other projects, in an environment of its own, which is large.
ecosystem:
	$(MAKE) VENV=.venv-ecosystem .venv-ecosystem/test.stamp .venv-ecosystem/ecosystem.stamp
	MPLBACKEND=agg .venv-ecosystem/bin/python -m pytest -n 2 tests -m ecosystem --installed=ecosystem

# The floors of pyproject.toml, in an environment of their own. Displays and data frames are
# tested on the newest; here the optional packages are mostly missing. What older versions
# can break are the calls that the short tests make. Random examples are few: they look for
# our errors, and have looked. The examples in docstrings ask nothing that the tests do not.
#
# The same run is that of an old processor: whatever rests on the last digits of a fit fails
# here, or on the usual one (see `make kernels`).
floors: .venv-floors/floors.stamp
	OPENBLAS_CORETYPE=Prescott \
		NPY_DISABLE_CPU_FEATURES="$$($(MAKE) --silent dispatched VENV=.venv-floors)" \
		.venv-floors/bin/python -m pytest tests -n 2 --no-header -q -m "not long and not lint" --hypothesis-profile=floors

FLOORS = joblib==1.4.0 numpy==2.0.0 scikit-learn==1.6.0 scipy==1.15.0

.venv-floors/floors.stamp: pyproject.toml
	$(MAKE) VENV=.venv-floors .venv-floors/base.stamp
	.venv-floors/bin/python -m pip install --quiet --disable-pip-version-check \
		$(FLOORS) hypothesis pytest pytest-xdist -e .
	touch $@

# Archive and wheel are built, installed into new environments, and tried.
package: $(VENV)/package.stamp
	$(VENV)/bin/python tools/check_package.py

# The last digits of a fit depend on the processor: OpenBLAS and NumPy choose their code by
# it. So what fits estimators is tried as on an old processor, without the vector
# instructions that NumPy was not built for, and as on a usual one. Elsewhere than on x86
# OpenBLAS does not know the names, and takes the processor's own code again.
kernels: prescott haswell

prescott: $(VENV)/test.stamp
	OPENBLAS_CORETYPE=Prescott NPY_DISABLE_CPU_FEATURES="$$($(DISPATCHED))" $(FITS)

haswell: $(VENV)/test.stamp
	OPENBLAS_CORETYPE=Haswell $(FITS)

# What NumPy chooses its code by.
dispatched:
	@$(DISPATCHED)

ONLY ?=
FITS = $(PYTEST) -m "not long and not lint" --fits $(ONLY)
DISPATCHED = $(VENV)/bin/python -c 'import numpy; \
	print(*numpy.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", []))'

# Style, types and module borders; and what tests find by reading code and pages.
lint: $(VENV)/lint.stamp $(VENV)/test.stamp
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PYTEST) -n 0 --no-header -q -m lint tests/test_*.py

# Warnings are errors; then the ways to answers are counted, and a browser looks at some of the
# pages, where there is one.
docs: $(VENV)/docs.stamp $(VENV)/test.stamp
	$(VENV)/bin/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	$(VENV)/bin/python tools/ways_to_answers.py docs/_build/html
	$(PYTEST) -n 0 --no-header -q -m long -k documentation tests/test_browser.py

benchmark: $(VENV)/benchmark.stamp
	$(VENV)/bin/python -m benchmarks

# Takes an hour or so of one core; what is there already is not run again.
calibration: $(VENV)/test.stamp
	$(VENV)/bin/python -m calibration --jobs 2

clean:
	rm -rf $(VENV) .venv-ecosystem .venv-floors dist docs/_build docs/api docs/gallery docs/doubts.rst docs/llms.txt docs/*.inc docs/_static/front_*.svg docs/_static/pictures report.html report.png

$(VENV)/base.stamp: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'skstat needs Python 3.11 or newer')"
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade "pip>=25.1"
	touch $@

$(VENV)/demo.stamp: $(VENV)/base.stamp
	$(PIP) -e '.[all]'
	touch $@

$(VENV)/%.stamp: $(VENV)/base.stamp
	$(PIP) -e '.[all]' --group $*
	touch $@
