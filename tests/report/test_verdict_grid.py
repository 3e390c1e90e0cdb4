"""Reports on very many systems: a character per pair, and the surest pairs one by one."""

import re
from itertools import pairwise

import numpy as np
import pytest

from skstat import compare_scores


def report_on(k, unit="dataset", **options):
    rng = np.random.default_rng(2)
    table = 0.7 + 0.004 * np.arange(k) + 0.02 * rng.standard_normal((40, k))
    return compare_scores({f"s{j}": table[:, j] for j in range(k)}, unit=unit, **options)


@pytest.fixture(scope="module")
def many():
    return report_on(33)  # 528 pairs


def square(report):
    """The signs of every system, from the Markdown."""
    found = re.findall(r"^\| \d+ \| ([^|]+) \| `([^`|]+)` \|$", report.to_markdown(), re.M)
    return {name.replace("\\", ""): signs for name, signs in found}


def test_every_pair_has_its_sign_in_both_lines(many):
    pytest.importorskip("pandas")
    signs, order = square(many), list(many.names)
    assert list(signs) == order
    frame = many.to_frame()
    assert len(frame) == 528
    for _, (first, second, better) in frame[["first", "second", "better"]].iterrows():
        mine = {first: "+", second: "-"}.get(better, ".")
        theirs = {first: "-", second: "+"}.get(better, ".")
        assert signs[first][order.index(second)] == mine
        assert signs[second][order.index(first)] == theirs
    assert {signs[name][order.index(name)] for name in order} == {"o"}
    assert set("".join(signs.values())) == set("+-.o")
    adjusted = re.findall(r"^s\d+ +s\d+ .*? ([\d.]+)  \S+$", many.details, re.M)
    assert len(adjusted) > 9 and all(a <= b for a, b in pairwise(map(float, adjusted)))
    assert "498 more in to_frame()" in many.details


def test_pairs_within_a_margin_and_pairs_without_a_test():
    margin = report_on(33, unit="seed", margin=0.5)
    assert set("".join(square(margin).values())) == set("=o")
    scores = {f"s{j}": own for j, own in enumerate(np.random.default_rng(0).random((33, 6)))}
    scores |= {"zero": np.zeros(6), "below": np.full(6, -1.0)}  # a difference without variance
    report = compare_scores(scores, unit="seed")
    signs = square(report)
    assert signs["below"][list(report.names).index("zero")] == "?"
    assert sum(line.count("?") for line in signs.values()) == 2
    assert "? no test" in report.to_markdown()


def test_where_no_direction_is_known_signs_name_no_winner():
    text = report_on(33, scoring="delta").to_markdown().replace("\\", "")
    assert "+ the system of the line is higher, - it is lower" in text
    assert "is better" not in text.replace("higher_is_better", "")


def test_few_pairs_are_listed_and_pairs_with_a_control_too():
    for report in (report_on(8), report_on(33, control="s0")):
        assert not square(report) and "more in to_frame" not in report.to_html()
