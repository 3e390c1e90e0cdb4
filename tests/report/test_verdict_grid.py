"""Reports on very many systems: a character per pair, and the surest pairs one by one."""

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


def test_pairs_within_a_margin_and_pairs_without_a_test():
    report = _report(33, unit="seed", margin=0.5)
    assert set(report._contents().sections[0].grids[1].rows[0][2]) == {"o", "="}
    rng = np.random.default_rng(0)
    scores = {f"s{j}": rng.random(6) for j in range(32)} | {"same": np.zeros(6)}
    scores["constant"] = scores["same"] - 1  # a difference without variance
    rows = compare_scores(scores, unit="seed")._contents().sections[0].grids[1].rows
    by_name = {row[1]: row[2] for row in rows}
    assert by_name["same"].count("?") == by_name["constant"].count("?") == 1


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
