"""Every report that the tests make, written to a folder, so that two versions can be compared.

``pytest -p benchmarks.stored_reports --stored before`` writes what every public function
returned, in every form, or raised, test by test. ``python -m benchmarks.stored_reports before
after`` tells what differs: after a change of shape nothing does, to the last bit. Draws without
a seed are those of one seed, and times and temporary folders are left out. What rests on a
random number that a module drew when it was imported differs with the order of the tests.
"""

import functools
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from tests.timeless import masked, timeless

_MODULES = ("skstat", "skstat.comparison", "skstat.stats", "skstat.io")
_FORMS = ("to_text", "to_markdown", "to_latex", "to_html", "_repr_html_", "methods_text")
_LONGEST = 20_000  # characters that are written; of longer texts a digest is
# Folders and addresses, which no second run repeats.
_PASSING = re.compile(
    r"/[^\s\"']*pytest-[^\s\"',;]*|pytest-of-\s*\w+/\s*pytest-\d+/\S*|0x[0-9a-f]+"
)


class _Notes:
    """What one process writes: one line for every call of a test."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8")
        self.test: str | None = None
        self._calls = 0
        self._busy = False

    def begin(self, test: str | None) -> None:
        self.test, self._calls = test, 0
        np.random.seed(0)  # noqa: NPY002  (what tests draw without a generator of their own)

    def wrapped(self, function: Callable) -> Callable:
        """Return a function that writes what it returns or raises when a test calls it."""

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            if self._busy or self.test is None:
                return function(*args, **kwargs)
            self._busy = True
            try:
                found = function(*args, **kwargs)
                self._write(function.__name__, _forms_of(found))
            except Exception as error:
                self._write(function.__name__, {"raised": f"{type(error).__name__}: {error}"})
                raise
            finally:
                self._busy = False
            return found

        return noted

    def _write(self, name: str, forms: dict[str, str]) -> None:
        self._calls += 1
        short = {form: _short(_PASSING.sub("", masked(text))) for form, text in forms.items()}
        line = {"call": f"{self.test} #{self._calls} {name}", **short}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def _forms_of(found: Any) -> dict[str, str]:
    if not hasattr(found, "to_dict"):
        return {"repr": repr(found)}
    forms = {"to_dict": json.dumps(timeless(found.to_dict()), default=repr)}
    for name in _FORMS:
        if hasattr(found, name):
            try:
                forms[name] = str(getattr(found, name)())
            except Exception as error:
                forms[name] = repr(error)
    return forms


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_notes: list[_Notes] = []


def pytest_addoption(parser: Any) -> None:
    """Add ``--stored``."""
    parser.addoption("--stored", type=Path, help="folder for what public functions return")


def pytest_configure(config: Any) -> None:
    """Put the functions that write in the place of the public ones, before tests take them."""
    folder = config.getoption("--stored")
    if folder is None:
        return
    np.random.bit_generator.randbits = lambda _: 0  # entropy where no seed is given
    _notes.append(_Notes(folder))
    for module in map(import_module, _MODULES):
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, FunctionType):
                setattr(module, name, _notes[0].wrapped(value))


def pytest_runtest_setup(item: Any) -> None:
    """Name the test; random examples are not those of another run."""
    random = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    for notes in _notes:
        notes.begin(None if random else item.nodeid)


def pytest_runtest_teardown() -> None:
    """Write nothing between tests."""
    for notes in _notes:
        notes.test = None


def _stored(folder: str) -> dict[str, dict[str, str]]:
    files = Path(folder).glob("*.jsonl")
    lines = (json.loads(line) for file in files for line in file.open(encoding="utf-8"))
    return {line.pop("call"): line for line in lines}


def compare(before: str, after: str) -> Iterator[str]:
    """Yield the calls whose results differ, with the forms that do."""
    old, new = _stored(before), _stored(after)
    both = sorted(set(old) & set(new))
    n_different = 0
    for call in both:
        forms = sorted(set(old[call]) | set(new[call]))
        if different := [f for f in forms if old[call].get(f) != new[call].get(f)]:
            n_different += 1
            yield f"{call}: {', '.join(different)}"
    yield f"{n_different} of {len(both)} calls differ; {len(old)} before, {len(new)} after"


if __name__ == "__main__":
    for line in compare(*sys.argv[1:]):
        print(line)
