"""Names that are shortened together still differ, and fit."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skstat import compare_scores

RUNS = [f"meta-llama/Llama-3.1-{size}B-Instruct-0-shot" for size in (8, 70, 405)]


def compared(names):
    scores = np.random.default_rng(0).normal(size=(12, len(names))) + np.arange(len(names))
    return compare_scores(dict(zip(names, scores.T, strict=True)), unit="instance")


@given(st.lists(st.text("ab-", min_size=1, max_size=60), min_size=3, max_size=6, unique=True))
@settings(max_examples=40, deadline=None)
def test_any_names_differ_and_fit(names):
    labels = re.findall(r'text-anchor="end"[^>]*>([ab…-]+)<', compared(names).to_html())
    assert len(set(labels)) == len(names) and max(map(len, labels)) <= 31
    text = str(compared(names[:2]))
    ((first, second),) = re.findall(r"^ *([ab…-]+) better ·+.*·+ ([ab…-]+) better$", text, re.M)
    assert first != second and max(len(first), len(second)) <= 20


def test_texts_and_pictures_tell_systems_apart():
    two = compared(RUNS[:2])
    (drawn,) = (line for line in str(two).splitlines() if line.count(" better") == 2)
    right, left = drawn.split(" better")[:2]
    assert "70B" in right and "8B" in left
    report = compared(RUNS)
    page = report.to_html()
    for size in ("8B", "70B", "405B"):
        assert f"{size}-" in page
    pytest.importorskip("matplotlib")
    display = report.plot(kind="intervals")
    assert len({str(label) for label in display.labels}) == 3
