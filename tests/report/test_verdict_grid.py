"""Reports on very many systems: a character per pair, and the surest pairs one by one."""

import numpy as np
import pytest

from skstat import compare_scores
from skstat.report._contents.verdict_grid import verdict_grid


def _report(k, unit="dataset", **options):
    rng = np.random.default_rng(2)
    table = 0.7 + 0.004 * np.arange(k) + 0.02 * rng.standard_normal((40, k))
    scores = {f"s{j}": table[:, j] for j in range(k)}
    return compare_scores(scores, unit=unit, **options)


@pytest.fixture(scope="module")
def many():
    return _report(33)  # 528 pairs


def test_every_pair_has_its_sign_in_both_lines(many):
    overview = many._contents().sections[0].grids[1]
    order = list(many.order)
    assert [row[1] for row in overview.rows] == order
    signs = {row[1]: row[2] for row in overview.rows}
    turned = {"+": "-", "-": "+", ".": "."}
    for pair in many.to_dict()["pairs"]:
        i, j = order.index(pair["first"]), order.index(pair["second"])
        sign = signs[pair["first"]][j]
        expected = {None: ".", pair["first"]: "+", pair["second"]: "-"}[pair["better"]]
        assert sign == expected and signs[pair["second"]][i] == turned[sign]
    assert {signs[name][order.index(name)] for name in order} == {"o"}
    assert set("".join(signs.values())) == set("+-.o")
    assert overview.header[2] == "123456789012345678901234567890123"
    for sign in "+-.":
        assert f"{sign} " in overview.note
    assert "equivalent" not in overview.note


def test_pairs_within_a_margin_and_pairs_without_a_test(monkeypatch):
    monkeypatch.setattr("skstat.report._contents.verdict_grid.MOST_IN_FULL", 2)
    grid = verdict_grid(_report(4, unit="seed", margin=0.5)._shown())
    assert [row[2] for row in grid.rows] == ["o===", "=o==", "==o=", "===o"]
    scores = np.random.default_rng(0).random((6, 4))
    scores[:, 2], scores[:, 3] = 0, -1  # a difference without variance
    names = ("a", "b", "zero", "below")
    report = compare_scores(dict(zip(names, scores.T, strict=True)), unit="seed")
    grid = verdict_grid(report._shown())
    of_pair = {row[1]: row[2][list(report.order).index("zero")] for row in grid.rows}
    assert of_pair["below"] == "?" and "no test" in grid.note
    assert sum(row[2].count("?") for row in grid.rows) == 2


def test_forms_hold_the_overview_and_the_surest_pairs(many):
    overview = many._contents().sections[0].grids[1]
    html, markdown = many.to_html(), many.to_markdown()
    for *_, signs in overview.rows:
        assert f">{signs}</pre>" in html and f"`{signs}`" in markdown
    for text in (html, markdown.replace("\\", "")):
        assert "28 more pairs in to_frame()" in text
    pytest.importorskip("pandas")
    assert len(many.to_frame()) == 528


def test_few_pairs_are_listed_and_pairs_with_a_control_too():
    assert len(_report(8)._contents().sections[0].grids) == 2
    report = _report(33, control="s0")
    assert [len(grid.rows) for grid in report._contents().sections[0].grids] == [33, 32]
