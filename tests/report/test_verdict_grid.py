"""Reports on very many systems: a character per pair, and the surest pairs one by one."""

import re
from itertools import pairwise

import numpy as np
import pytest

from skstat import compare_scores


def _report(k, unit="dataset", **options):
    rng = np.random.default_rng(2)
    table = 0.7 + 0.004 * np.arange(k) + 0.02 * rng.standard_normal((40, k))
    scores = {f"s{j}": table[:, j] for j in range(k)}
    return compare_scores(scores, unit=unit, **options)


@pytest.fixture(scope="module")
def many():
    return _report(33)  # 528 pairs


def square(report):
    """Return the signs of every system, from the Markdown."""
    found = re.findall(r"^\| \d+ \| ([^|]+) \| `([^`|]+)` \|$", report.to_markdown(), re.M)
    return {name.replace("\\", ""): signs for name, signs in found}


def test_every_pair_has_its_sign_in_both_lines(many):
    signs, order = square(many), list(many.order)
    assert list(signs) == order
    turned = {"+": "-", "-": "+", ".": "."}
    for pair in many.to_dict()["pairs"]:
        i, j = order.index(pair["first"]), order.index(pair["second"])
        sign = signs[pair["first"]][j]
        expected = {None: ".", pair["first"]: "+", pair["second"]: "-"}[pair["better"]]
        assert sign == expected and signs[pair["second"]][i] == turned[sign]
    assert {signs[name][order.index(name)] for name in order} == {"o"}
    assert set("".join(signs.values())) == set("+-.o")


def test_pairs_within_a_margin_and_pairs_without_a_test():
    margin = _report(33, unit="seed", margin=0.5)
    assert set("".join(square(margin).values())) == set("=o")
    rng = np.random.default_rng(0)
    scores = {f"s{j}": column for j, column in enumerate(rng.random((33, 6)))}
    scores |= {"zero": np.zeros(6), "below": np.full(6, -1.0)}  # a difference without variance
    report = compare_scores(scores, unit="seed")
    signs = square(report)
    assert signs["below"][list(report.names).index("zero")] == "?"
    assert sum(line.count("?") for line in signs.values()) == 2
    assert "? no test" in report.to_markdown()


def test_forms_hold_the_overview_and_the_surest_pairs(many):
    html, markdown = many.to_html(), many.to_markdown()
    for signs in square(many).values():
        assert f">{signs}</pre>" in html and f"`{signs}`" in markdown
    for text in (html, markdown.replace("\\", "")):
        assert "28 more pairs in to_frame()" in text
        for said in ("+ the system of the line is better", "- it is worse"):
            assert said in text
        assert "= equivalent" not in text
    adjusted = re.findall(r"^s\d+ +s\d+ .*? ([\d.]+)  \S+$", many.details, re.M)
    assert len(adjusted) > 9 and all(a <= b for a, b in pairwise(map(float, adjusted)))
    assert "498 more pairs in to_frame()" in many.details
    pytest.importorskip("pandas")
    assert len(many.to_frame()) == 528


def test_few_pairs_are_listed_and_pairs_with_a_control_too():
    for report in (_report(8), _report(33, control="s0")):
        assert not square(report) and "more pairs" not in report.to_html()
