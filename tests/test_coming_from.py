"""Pages for people who know another package: its numbers, and those of skstat beside them."""

import json
import re

import pytest

from tests.docs_tools import DOCS, read
from tests.test_docs import run_page

FOLDER = DOCS / "coming_from"
STORED = json.loads(read("tests/reference/packages/values.json"))
# What a sentence says of a call of skstat.
SAID = re.compile(r"``([^`]+)`` is (\d\S*\d)")
# The package's call, its number, the call of skstat, its number.
ROW = re.compile(r"^   \* - ``(.+)``\n     - (\S+)\n     - ``(.+)``\n     - (\S+)$", re.M)


def numbers_of(text):
    """The heading and the rows of the table of numbers."""
    (table,) = re.findall(r"   :class: numbers\n.*?\n\n(   \* - .*?)\n\n", text, re.S)
    heading, *rows = re.split(r"^(?=   \* - )", table + "\n", flags=re.M)[1:]
    found = ROW.findall("".join(rows))
    assert len(found) == len(rows)
    return heading, found


@pytest.mark.parametrize(
    "page",
    [
        *("mlxtend", "autorank", "scikit_posthocs", "baycomp", "scipy_statsmodels"),
        *("r", "matlab"),
        pytest.param("scikit_learn", marks=pytest.mark.long),  # fits a grid search
    ],
)
def test_numbers_of_another_package(page):
    examples, left, text = run_page(f"coming_from/{page}")
    assert examples.attempted and not examples.failed
    heading, rows = numbers_of(text)
    stored = STORED["numbers"][page]
    assert sorted(theirs for theirs, *_ in rows) == sorted(stored)
    for package, number in re.findall(r"([\w-]+) (\d+\.\d+\.\d+)", heading):
        assert package == "R" or STORED["versions"][package.lower()] == number
    for theirs, shown, ours, shown_ours in rows:
        value = eval(ours, left)
        assert (f"{stored[theirs]:.4g}", f"{value:.4g}") == (shown, shown_ours), ours
        if shown == shown_ours:  # autorank reads quantiles of Nemenyi's test from a table
            assert value == pytest.approx(stored[theirs], rel=1e-5), ours
    for ours, shown in SAID.findall(" ".join(text.split())):
        digits = len(shown.lstrip("0."))
        assert f"{eval(ours, left):.{digits}g}" == shown, ours


def test_every_page_is_held_and_says_what_is_missing():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.rst")}
    assert set(pages) == set(STORED["numbers"])
    assert all(re.search(r"^     - not in skstat", text, re.M) for text in pages.values())
