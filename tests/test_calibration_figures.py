"""The figures of the study have every error rate, and name those that are too high."""

import json

import pytest
from scipy import stats

from tests.docs_tools import ROOT, read, tool

pytest.importorskip("matplotlib").use("agg")
OWN_FIGURES = ("losses", "rivals", "nine_tenths")  # by metric: docs/_calibration_losses.py


def test_a_cell_is_above_where_chance_does_not_explain_it(monkeypatch):
    Dot = tool("_calibration_figures", monkeypatch)["Dot"]
    for replications in (200, 500, 2000):
        # The normal limit is a rejection or so from the binomial one.
        limit = stats.binom.isf(0.02275, replications, 0.05)
        assert not Dot("", (limit - 2) / replications, replications).above
        assert Dot("", (limit + 2) / replications, replications).above


def test_every_error_rate_of_the_study_is_a_dot(monkeypatch):
    made = tool("_calibration", monkeypatch)
    rates = made["read_rates"]()
    drawn = [
        dot
        for tables in made["TABLES"].values()
        for row in made["_errors"](tables, rates).values()
        for dot in row
    ]
    counted = []
    for path in (ROOT / "calibration" / "results").glob("*.json"):
        state = json.loads(path.read_text(encoding="utf-8"))
        if state["situation"] not in OWN_FIGURES:
            for setting in state["settings"].values():
                for row in setting["rows"]:
                    if row["quantity"] == "coverage":
                        counted.append(1 - row["rate"])
                    elif row["quantity"] in ("type I error", "family-wise error"):
                        counted.append(row["rate"])
    assert sorted(dot.error for dot in drawn) == pytest.approx(sorted(counted))


def test_every_cell_of_the_default_is_a_dot(monkeypatch):
    made = tool("_calibration_losses", monkeypatch)
    rates = tool("_calibration", monkeypatch)["read_rates"]()
    cells = made["read_cells"](rates, "losses", "rivals")
    default = made["DEFAULT"]
    (panel,) = made["_by_test"](cells, [default]).values()
    state = json.loads(read("calibration/results/losses.json"))
    counted = {
        (setting.partition(" (")[0], row["on"])
        for setting, found in state["settings"].items()
        for row in found["rows"]
        if (row["procedure"], row["on"].rsplit(", ", 1)[1]) == default
        and row["quantity"] in ("type I error", "coverage")
    }
    assert sum(map(len, panel.values())) == len(counted)


def test_a_figure_names_the_cells_that_are_above(tmp_path, monkeypatch):
    figures = tool("_calibration_figures", monkeypatch)
    Dot = figures["Dot"]
    rows = {
        "good": [Dot("small", 0.04, 1000), Dot("large", 0.05, 1000)],
        "bad": [Dot("small", 0.06, 1000), Dot("large", 0.31, 1000)],
    }
    rows = figures["worst_first"](rows)
    assert list(rows) == ["bad", "good"]
    text = figures["figure_of"]("some", {"": rows}, tmp_path)
    assert "1 of 4 lie above" in text
    assert "``bad``: 1 of 2, 0.310 (large)" in text and "``good``:" not in text
    for ground in ("light", "dark"):
        assert f"/_static/pictures/some-{ground}.svg" in text and text.count(":alt:") == 2
        drawn = tmp_path / "_static" / "pictures" / f"some-{ground}.svg"
        assert "<svg" in drawn.read_text(encoding="utf-8")
        # Drawn again it is the same file: a page is not built anew for nothing.
        before = drawn.stat().st_mtime_ns
        figures["figure_of"]("some", {"": rows}, tmp_path)
        assert drawn.stat().st_mtime_ns == before


def test_long_tables_are_folded(monkeypatch):
    titled = tool("_calibration", monkeypatch)["titled"]
    short, long = ([["a", "b"]] + [["1", "2"]] * count for count in (3, 30))
    assert titled("Power of ``t``", short).startswith(".. rubric:: Power of ``t``")
    folded = titled("Power of ``t``", long)
    assert "<summary>Table: Power of <code>t</code></summary>" in folded
    assert folded.count("<details") == folded.count("</details>") == 1
