"""The scripts beside the pages, which write parts of them."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def tool(name, monkeypatch):
    """Return what a script beside the pages defines."""
    monkeypatch.syspath_prepend(DOCS)
    return runpy.run_path(str(DOCS / f"{name}.py"))
