"""Colours can be read on their ground, and told from each other by the colour-blind."""

import re
from itertools import combinations

import numpy as np

from skstat import compare_scores
from tests.cases import in_one_test

# For light and for dark grounds, as a page has them.
_TONE = r"\.skstat-(\w+){--skstat-tone:light-dark\((#\w+),(#\w+)\)}"
_PAGE = compare_scores({"a": [1, 2, 4], "b": [2, 2, 3]}, unit="seed").to_html()
COLOURS = {name: pair for name, *pair in re.findall(_TONE, _PAGE)}

GROUNDS = ("#ffffff", "#1e1e1e")
# Machado, Oliveira and Fernandes (2009), of full severity.
SEEN_BY = {
    "everybody else": np.eye(3),
    "deuteranopes": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protanopes": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    """Return the light of red, green and blue."""
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """Return the contrast of the Web Content Accessibility Guidelines."""
    low, high = sorted(float(linear(colour) @ XYZ[1]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light):
    """Return lightness and the two opponent colours."""
    xyz = XYZ @ np.clip(light, 0, 1) / [0.9505, 1, 1.089]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@in_one_test("name", COLOURS)
def test_letters_can_be_read(name):
    for colour, ground in zip(COLOURS[name], GROUNDS, strict=True):
        assert contrast(colour, ground) >= 4.5


@in_one_test("eyes", SEEN_BY)
@in_one_test("ground", [0, 1])
@in_one_test(
    "names", [("better", "worse", "equivalent", "undecided"), ("invalid", "weak", "note")]
)
def test_verdicts_and_weights_are_told_apart(names, ground, eyes):
    for pair in combinations(names, 2):
        colours = (linear(COLOURS[name][ground]) for name in pair)
        one, other = (lab(np.dot(SEEN_BY[eyes], colour)) for colour in colours)
        assert np.linalg.norm(one - other) > 12, pair
