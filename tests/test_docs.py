"""The examples in the guide's pages are true."""

import doctest
from pathlib import Path

import pytest

# Beside the documentation's own tools its numbers were made with the newest versions.
pytest.importorskip("numpydoc")
DOCS = Path(__file__).parents[1] / "docs"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS


@pytest.mark.parametrize("page", ["predictions", "metrics"])
def test_examples(page):
    found = doctest.testfile(
        str(DOCS / f"{page}.rst"), module_relative=False, optionflags=FLAGS
    )
    assert found.attempted > 10 and found.failed == 0
