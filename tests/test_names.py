"""Names that are shortened together still differ, and fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat import compare_scores
from skstat._names import clip_all

RUNS = [f"meta-llama/Llama-3.1-{size}B-Instruct-0-shot" for size in (8, 70, 405)]


@given(
    st.lists(st.text("ab-", min_size=1, max_size=60), min_size=1, max_size=6, unique=True),
    st.sampled_from([12, 14, 28]),
)
def test_any_names_differ_and_fit(names, limit):
    short = clip_all(names, limit)
    assert max(map(len, short)) <= limit
    assert len(set(short)) == len(names)


def test_texts_and_pictures_tell_systems_apart():
    scores = np.random.default_rng(0).normal(size=(12, 3)) + np.arange(3)
    named = dict(zip(RUNS, scores.T, strict=True))
    two = compare_scores({name: named[name] for name in RUNS[:2]}, unit="instance")
    (drawn,) = (line for line in str(two).splitlines() if line.count(" better") == 2)
    right, left = drawn.split(" better")[:2]
    assert "70B" in right and "8B" in left
    report = compare_scores(named, unit="instance")
    page = report.to_html()
    for size in ("8B", "70B", "405B"):
        assert f"{size}-" in page
    pytest.importorskip("matplotlib")
    display = report.plot(kind="intervals")
    assert len({str(label) for label in display.labels}) == 3
