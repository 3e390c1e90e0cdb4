"""The pages, and the scripts beside them, which write parts of them."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def read(name):
    """Return the text of a file of the checkout."""
    return (ROOT / name).read_text(encoding="utf-8")


def said(name):
    """Return what a page says, on one line."""
    return " ".join(read(name).split())


def tool(name, monkeypatch):
    """Return what a script beside the pages defines."""
    monkeypatch.syspath_prepend(DOCS)
    return runpy.run_path(str(DOCS / f"{name}.py"))
