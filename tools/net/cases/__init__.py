"""The calls, by what they are about."""

from collections.abc import Iterator
from importlib import import_module

from tools.net.case import Case

_MODULES = (
    "scores", "score_tests", "predictions", "test_sets", "fits", "datasets",
    "boards", "plans", "degenerate", "logs", "commands",
    "forms", "pictures", "rarely",
)  # fmt: skip


def all_cases() -> Iterator[Case]:
    """Yield every case; two of one name are an error."""
    seen = set()
    for module in _MODULES:
        for one in import_module(f"tools.net.cases.{module}").cases():
            name = f"{module}: {one.name}"
            if name in seen:
                raise ValueError(f"two cases are called {name!r}")
            seen.add(name)
            yield Case(name, one.ask, one.needs)
