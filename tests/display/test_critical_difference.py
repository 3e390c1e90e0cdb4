"""Mean ranks on a ruler, joined where they do not differ."""

from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import CriticalDifferenceDisplay
from tests.contract import HOSTILE, check_display
from tests.display.drawn import check_readable

FEW = {
    "names": ["A", "B", "C"],
    "mean_ranks": [1.0, 2.125, 2.875],
    "groups": [("A", "B"), ("B", "C")],
    "critical_difference": 1.657,
}
TWENTY = {
    "names": [f"HistGradientBoostingClassifier({i})" for i in range(18)] + ["A", HOSTILE],
    "mean_ranks": [*np.linspace(4, 9, 8), 9.0, 9.0, 9.0, *np.linspace(11, 17, 7), 4.0, 17.0],
}
TWENTY["groups"] = [tuple(TWENTY["names"][3:9])]


def critical_difference(**changes):
    display = CriticalDifferenceDisplay(**(FEW | changes)).plot()
    display.figure_.canvas.draw()
    return display


def lines(display):
    return [line for line in display.ax_.lines if line not in display.bars_]


def words(display):
    return " ".join(" ".join(text.get_text() for text in display.ax_.texts).split())


@pytest.mark.long(keep=3)
@pytest.mark.parametrize(
    "facts",
    [
        FEW,
        FEW | {"names": ["A", "B"], "mean_ranks": [1.5, 1.5], "groups": [("A", "B")]},
        FEW | {"names": ["A", "B" * 99], "mean_ranks": [1.0, 2.0], "groups": []},
        FEW | {"names": ["A"], "mean_ranks": [1.0], "groups": [("A",)]},
        FEW | {"names": list("ABCDEFGH"), "mean_ranks": [4.5] * 8, "groups": [(*"ABCDEFGH",)]},
        TWENTY | {"critical_difference": 3.1},
        TWENTY | {"critical_difference": None},
        TWENTY | {"critical_difference": 28.0, "mean_ranks": [10.5] * 20},
        TWENTY | {"control": "A", "n_datasets": 30, "test": "Dunn " * 40},
        TWENTY | {"families": dict(zip(TWENTY["names"], "abcdefgh" * 3, strict=False))},
        TWENTY | {"best": "left", "undrawn": list(combinations(TWENTY["names"], 2))},
    ],
)
def test_texts_do_not_overlap(facts):
    display = critical_difference(**facts)
    check_readable(display)
    check_display(display)


def test_a_control_has_a_band_and_no_bars():
    display = critical_difference(control="B", critical_difference=0.5)
    assert display.bars_ == []
    box = display.band_.get_paths()[0].get_extents()
    assert (box.x0, box.x1) == pytest.approx((1.625, 2.625))
    assert "shaded: no significant difference from B" in words(display)
    assert [text.get_fontweight() for text in display.labels_] == ["normal", "bold", "normal"]
    clipped = critical_difference(control="A").band_.get_paths()[0].get_extents()
    assert (clipped.x0, clipped.x1) == pytest.approx((1.0, 2.657))
    assert critical_difference(control="A", critical_difference=None).band_ is None


def test_pairs_without_a_bar_are_listed_in_words():
    pairs = list(combinations("ABCDEF", 2))[:11]
    display = critical_difference(undrawn=pairs, test="Holm", n_datasets=1)
    text = words(display)
    assert "A and B; A and C; A and D; A and E; and 7 more" in text
    assert "Holm, 1 data set" in text
    few = words(critical_difference(undrawn=pairs[:4], untested=[("A", "B")]))
    assert "more" not in few and "no test is possible: A and B" in few


def test_colours_and_families_are_those_of_the_leaders():
    kinds = {"A": "_trees", "B": "$bayes$", "C": "_trees"}
    display = critical_difference(colors={"A": "C3"}, families=kinds)
    first, second, third = (line for line in lines(display) if len(line.get_xdata()) == 3)
    assert first.get_color() == "C3" != third.get_color() != second.get_color()
    assert first.get_marker() == third.get_marker() != second.get_marker()
    legend = display.ax_.get_legend().get_texts()
    assert [text.get_text() for text in legend] == ["_trees", "$bayes$"]
    with pytest.raises(ValueError, match=r"families names 'Z', which is not one of .*'A', 'B'"):
        critical_difference(families={"A": "trees", "Z": "bayes"})
