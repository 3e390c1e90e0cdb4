"""Tiles of the rows on which two systems agree."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import AgreementDisplay
from skstat.testing import HOSTILE, check_display


def texts(display):
    ax = display.ax_
    return [text.get_text() for text in ax.texts]


def numbers(display):
    """Counts and shares, without the words above them."""
    return [text for place, text in enumerate(texts(display)) if place % 3]


def agreement(both, only_a, only_b, neither, **changes):
    facts = {"names": ("tree", "$bayes$")} | changes
    return AgreementDisplay(
        both=both, only_a=only_a, only_b=only_b, neither=neither, **facts
    ).plot()


def test_tiles_say_counts_and_shares_in_their_places():
    display = agreement(540, 180, 60, 220)
    assert numbers(display) == [
        *("540", "54.0%", "180", "18.0%"),
        *("60", "6.0%", "220", "22.0%"),
    ]
    assert texts(display)[::3] == [
        *("both right", "only tree right", "only $bayes$ right", "both wrong"),
    ]
    ax = display.ax_
    assert ax.get_legend() is None
    places = [ax.transData.transform(text.get_position()) for text in ax.texts[::3]]
    (both, only_a, only_b, _) = places
    assert only_a[0] > both[0] and only_a[1] == both[1]  # same row: A is right
    assert only_b[0] == both[0] and only_b[1] < both[1]  # same column: B is right
    assert ax.get_ylabel() == "tree (accuracy 72.0%)"
    assert ax.get_xlabel() == "$bayes$ (accuracy 60.0%)"
    assert repr(display) == "<AgreementDisplay of 'tree' and '$bayes$'>"


def test_more_instances_are_darker_and_only_disagreement_is_framed():
    display = agreement(540, 180, 60, 220)
    grey = [np.dot(tile.get_facecolor()[:3], (0.3, 0.6, 0.1)) for tile in display.tiles_]
    assert np.argsort(grey).tolist() == [0, 3, 1, 2]
    assert [tile.get_edgecolor()[3] for tile in display.tiles_] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ((999_999, 1, 0, 0), ["999,999", "> 99.9%", "1", "< 0.1%", "0", "0%", "0", "0%"]),
        ((0, 0, 0, 7), ["0", "0%", "0", "0%", "0", "0%", "7", "100%"]),
        ((1_000_000, 0, 0, 0), ["1,000,000", "100%", "0", "0%", "0", "0%", "0", "0%"]),
    ],
)
def test_only_nothing_is_zero_percent_and_only_all_is_hundred(counts, shown):
    display = agreement(*counts)
    check_display(display)
    assert numbers(display) == shown


def test_agreement_of_hostile_names():
    check_display(agreement(5, 4, 3, 2, names=(HOSTILE, "x" * 300), metric=HOSTILE))
