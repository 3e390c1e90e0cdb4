"""Strengths and preferences: published tables, scikit-learn, sums written out, exact laws."""

import csv
import math
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special
from sklearn.linear_model import LogisticRegression

from skstat.stats import (
    Preferences,
    ScoreTable,
    bradley_terry,
    strength_t,
    strength_table,
    win_shares,
)
from tests.cases import refusals

PACKAGES = Path(__file__).parents[1] / "reference" / "packages"

# Wainer (2023), Table "wins 2": contests of the first and the second on 21 data sets; what
# Stan finds of the model, mean chance, P(above one half), P(between 0.45 and 0.55).
WAINER = {
    ("dt", "lda"): (7, 14), ("dt", "lgbm"): (2, 19), ("dt", "xgb"): (2, 19),
    ("dt", "svm"): (6, 15), ("lda", "lgbm"): (7, 14), ("lda", "xgb"): (6, 15),
    ("lda", "svm"): (5, 15), ("lgbm", "xgb"): (11, 10), ("lgbm", "svm"): (11, 10),
    ("xgb", "svm"): (12, 9),
}  # fmt: skip
BY_STAN = {
    ("xgb", "lgbm"): (0.510, 0.557, 0.512), ("xgb", "svm"): (0.563, 0.817, 0.368),
    ("xgb", "lda"): (0.718, 1.0, 0.005), ("xgb", "dt"): (0.831, 1.0, 0.0),
    ("lgbm", "svm"): (0.553, 0.777, 0.406), ("lgbm", "lda"): (0.710, 1.0, 0.005),
    ("svm", "lda"): (0.664, 0.992, 0.044), ("svm", "dt"): (0.793, 1.0, 0.0),
    ("lda", "dt"): (0.660, 0.988, 0.057),
}  # fmt: skip

# Of the table of García & Herrera (2008): mean, P(above one half), P(practically even), and
# where they were computed the limits, with half of the contests counted.
TEMPERED = {
    ("C4.5", "NB"): (0.522, 0.604, 0.422, 0.382, 0.664),
    ("C4.5", "1-NN"): (0.726, 0.998, 0.011, 0.603, 0.834),
    ("C4.5", "CN2"): (0.704, 0.995, 0.023),
    ("C4.5", "Kernel"): (0.877, 1.0, 0.0),
    ("NB", "CN2"): (0.685, 0.990, 0.041),
    ("NB", "1-NN"): (0.708, 0.996, 0.020),
    ("CN2", "1-NN"): (0.528, 0.634, 0.425),
}
MEAN, PROBABILITY, STRENGTH = 0.005, 0.012, 0.02


with (PACKAGES / "garcia_herrera_2008.csv").open(encoding="utf-8") as file:
    _, *ROWS = csv.reader(file)
GARCIA = ScoreTable(
    [[float(cell) for cell in row[1:]] for row in ROWS],
    systems=["C4.5", "1-NN", "NB", "Kernel", "CN2"],
    datasets=[row[0] for row in ROWS],
)


@pytest.fixture(scope="module")
def found():
    return bradley_terry(GARCIA, n_draws=60_000, rng=0)


def judged(names, wins, losses, **options):
    """Preferences with so many wins and losses of every pair, halves of which are ties."""
    rows = []
    for (a, b), won, lost in zip(combinations(names, 2), wins, losses, strict=True):
        rows += [(a, b, 1.0)] * int(won) + [(a, b, 0.0)] * int(lost)
        rows += [(a, b, 0.5)] * int(2 * (won % 1))
    return Preferences(*zip(*rows, strict=True), **{"sided": False} | options)


def test_a_published_table_as_stan_has_it():
    names = ("dt", "lda", "lgbm", "xgb", "svm")
    counts = zip(*(WAINER[pair] for pair in combinations(names, 2)), strict=True)
    found = bradley_terry(judged(names, *counts), weight=1, n_draws=30_000, rng=0)
    for pair, (mean, better, even) in BY_STAN.items():
        one = found.model.pair(*pair)
        assert_allclose(one.mean, mean, atol=MEAN, err_msg=str(pair))
        assert_allclose((one.better, one.even), (better, even), atol=PROBABILITY)


class TestGarciaHerrera:
    def test_wins(self, found):
        wins = dict(zip(found.pairs, found.wins.tolist(), strict=True))
        expected = {"1-NN": 22.5, "NB": 14, "Kernel": 27, "CN2": 23.5}
        assert {b: wins["C4.5", b] for b in expected} == expected
        assert (wins["NB", "Kernel"], wins["NB", "CN2"]) == (25, 22)
        assert wins["Kernel", "CN2"] == 5 and set(found.met) == {30}

    def test_strengths(self, found):
        assert found.weight == 0.5 and found.names[0] == "C4.5"
        expected = [0.804, -0.201, 0.712, -1.229, -0.086]
        assert_allclose(found.strengths, expected, atol=STRENGTH)
        assert found.order == ("C4.5", "NB", "CN2", "1-NN", "Kernel")
        assert found.inside == 1.0 and found.outside == () and found.fits

    def test_pairs(self, found):
        for pair, expected in TEMPERED.items():
            one = found.model.pair(*pair)
            assert_allclose(one.mean, expected[0], atol=MEAN, err_msg=str(pair))
            assert_allclose((one.better, one.even), expected[1:3], atol=PROBABILITY)
            if len(expected) > 3:
                assert_allclose(one.interval, expected[3:], atol=0.012)


def test_the_accuracies_of_benavoli_and_others():
    with np.load(PACKAGES / "benavoli_2017.npz") as held:
        scores, names = held["A"].mean(axis=2).T, tuple(map(str, held["classifiers"]))
    table = ScoreTable(scores, systems=names, unit="dataset")
    found = bradley_terry(table, rope=1, n_draws=60_000, rng=0)
    best = [found.best_probabilities[name] for name in ("nbc", "aode", "hnb", "j48", "j48gr")]
    assert_allclose(best, [0, 0.401, 0.587, 0.005, 0.007], atol=PROBABILITY)
    for pair, mean, better in (
        (("aode", "j48"), 0.604, 0.966),
        (("hnb", "nbc"), 0.653, 0.997),
        (("aode", "nbc"), 0.641, 0.994),
    ):
        one = found.model.pair(*pair)
        assert_allclose(one.mean, mean, atol=MEAN)
        assert_allclose(one.better, better, atol=PROBABILITY)
    published = bradley_terry(table, rope=1, weight=1, rng=0).model.pair("aode", "j48")
    assert_allclose(published.better, 0.996, atol=0.005)


class TestDraws:
    """Against sums over a grid, without draws."""

    @staticmethod
    def by_quadrature(wins, losses):
        """Expectations of three systems: chances, P(first ahead of second), spread.

        The likelihood knows two differences only, which are normal with correlation -1/2. The
        grid is fine about 0, and reaches to 30.
        """
        t = np.linspace(-3, 3, 301)
        axis, width = 3 * np.sinh(t), 3 * np.cosh(t)
        u, v = np.meshgrid(axis, axis, indexing="ij")  # first - second, second - third
        apart = np.stack([u, u + v, v])
        log = -np.tensordot(wins, np.logaddexp(0, -apart), axes=1)
        log -= np.tensordot(losses, np.logaddexp(0, apart), axes=1)
        likelihood = np.exp(log - log.max()) * np.outer(width, width)
        squares = 2 / 3 * (u**2 + u * v + v**2)
        kinds = [*special.expit(apart), (u > 0) + (u == 0) / 2]
        total, found = 0.0, np.zeros(5)
        for log_spread in np.linspace(-2.5, 2.5, 61):
            spread = math.exp(log_spread)
            mass = likelihood * np.exp(-squares / (2 * spread**2) - 2 * log_spread**2)
            mass /= spread**2
            total += mass.sum()
            found += [*(np.sum(kind * mass) for kind in kinds), spread * mass.sum()]
        return found / total

    @pytest.mark.parametrize(
        "wins, losses",
        [((6, 4, 5.5), (4, 6, 4.5)), ((9, 10, 3), (1, 0, 7)), ((2, 2, 2), (0, 0, 0))],
    )
    def test_three_systems(self, wins, losses):
        sample = judged("abc", wins, losses)
        found = bradley_terry(sample, weight=1, n_draws=60_000, rng=0)
        expected = self.by_quadrature(wins, losses)
        assert_allclose(found.model.mean, expected[:3], atol=0.004)
        assert_allclose([found.model.better[0], found.spread], expected[3:], atol=0.015)

    def test_the_side(self):
        # Without any difference of strengths the side is one logistic regression with a
        # standard normal prior.
        ends, won = (["a", "b"] * 40, ["b", "a"] * 40), np.repeat([1.0, 0.0], [60, 20])
        found = bradley_terry(Preferences(*ends, won), weight=1, n_draws=60_000, rng=0)
        grid = np.linspace(-4, 4, 2001)
        mass = np.exp(-60 * np.logaddexp(0, -grid) - 20 * np.logaddexp(0, grid) - grid**2 / 2)
        mean = special.expit(grid) @ mass / mass.sum()
        assert_allclose(found.side.mean, mean, atol=0.005)
        assert_allclose(found.strengths, [0, 0], atol=0.02)
        # What is won on one side only, is shared between side and strength.
        shared = bradley_terry(judged("ab", [40], [0], sided=True), weight=1, rng=0)
        assert shared.side.mean > special.expit(0.5)
        assert shared.strengths[0] - shared.strengths[1] > 0.5


class TestWinShares:
    def test_of_two_they_are_the_beta_law(self):
        # The weights of wins and losses are gamma variables, and the prior's tie favours none.
        a, b = np.arange(17) % 5 + 1.0, np.full(17, 2.5)
        found = win_shares(ScoreTable({"a": a, "b": b}, unit="dataset"), n_draws=400_000, rng=0)
        n = int(np.sum(a > b))
        one = found.pair("a", "b")
        assert_allclose(one.mean, (n + 0.5) / 18, atol=0.001)
        assert_allclose(one.better, special.betaincc(n, 17 - n, 0.5), atol=0.003)
        assert_allclose(found.best_probabilities["a"], one.better, atol=1e-12)
        turned = found.pair("b", "a")
        assert turned[:2] == (1 - one.mean, 1 - one.better) and turned.even == one.even
        assert turned.interval == (1 - one.interval.high, 1 - one.interval.low)


STRENGTHS = np.array([0.8, 0.4, 0.0, -0.6])


def drawn(n_items):
    """Preferences on items whose answers are good or bad for all of their comparisons."""
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(n_items), 3)
    first = rng.integers(0, 4, len(items))
    second = (first + rng.integers(1, 4, len(items))) % 4
    quality = STRENGTHS + 0.8 * rng.standard_normal((n_items, 4))
    apart = quality[items, first] - quality[items, second] + 0.4
    apart = apart + rng.logistic(size=len(apart))
    outcomes = np.where(np.abs(apart) < 0.2, 0.5, apart > 0)
    names = np.array(["m0", "m1", "m2", "m3"])
    return Preferences(names[first], names[second], outcomes, items=items)


def by_sklearn(sample):
    """Strengths and side of a penalised logistic regression, ties as half of each."""
    k = len(sample.names)
    design = np.zeros((sample.n_comparisons, k + sample.sided))
    rows = np.arange(sample.n_comparisons)
    design[rows, sample.first], design[rows, sample.second] = 1, -1
    if sample.sided:
        design[:, -1] = 1
    both = np.concatenate([design, design])
    labels = np.repeat([1, 0], sample.n_comparisons)
    weights = np.concatenate([sample.outcomes, 1 - sample.outcomes])
    model = LogisticRegression(C=9, fit_intercept=False, tol=1e-10, max_iter=1000)
    return design, model.fit(both, labels, sample_weight=weights).coef_[0]


class TestFit:
    @pytest.mark.parametrize("sided", [True, False])
    def test_as_scikit_learn_has_it(self, sided):
        found = drawn(100)
        sample = Preferences(
            [found.names[i] for i in found.first], [found.names[i] for i in found.second],
            found.outcomes, items=found.items.tolist(), sided=sided,
        )  # fmt: skip
        fitted, (_, expected) = strength_table(sample).scores.mean(axis=0), by_sklearn(sample)
        assert_allclose(fitted, expected[:4], atol=1e-4)
        assert_allclose(fitted.sum(), 0, atol=1e-9)
        assert (bradley_terry(sample, rng=0).side is None) != sided

    def test_the_variance_is_that_of_sums_of_items(self):
        sample = drawn(80)
        design, coefficients = by_sklearn(sample)
        chance = special.expit(design @ coefficients)
        information = design.T @ (design * (chance * (1 - chance))[:, None]) + np.eye(5) / 9
        residuals = sample.outcomes - chance
        middle, n = np.zeros((5, 5)), sample.n_items
        slopes = np.array(
            [
                (design[sample.items == item] * residuals[sample.items == item, None]).sum(
                    axis=0
                )
                for item in range(n)
            ]
        )
        for slope in slopes - slopes.mean(axis=0):
            middle += np.outer(slope, slope) * n / (n - 1)
        inverse = np.linalg.inv(information)
        covariance = inverse @ middle @ inverse
        table = strength_table(sample)
        one = strength_t(table.pair(*table.names[:2]))
        contrast = np.array([1.0, -1, 0, 0, 0])
        assert_allclose(
            one.standard_error, math.sqrt(contrast @ covariance @ contrast), rtol=1e-3
        )
        assert_allclose(one.estimate, contrast @ coefficients, atol=1e-3)
        assert one.df == n - 1
        assert_allclose(one.effect_sizes["chance to be preferred"], special.expit(one.estimate))


class TestBradleyTerry:
    def test_the_side_is_found_and_allowed_for(self):
        # b is better, but a was shown first nine times of ten.
        rng = np.random.default_rng(0)
        first = np.array([*["a"] * 9, "b"] * 100)
        second = np.where(first == "a", "b", "a")
        odds = np.where(first == "a", -0.4, 0.4) + 0.8
        won = (rng.random(1000) < special.expit(odds)).astype(float)
        found = bradley_terry(Preferences(first, second, won), rng=0)
        assert found.order == ("b", "a") and found.model.pair("b", "a").better > 0.95
        low, high = found.side.low, found.side.high
        assert 0.5 < low < special.expit(0.8) < high
        ignored = bradley_terry(Preferences(first, second, won, sided=False), rng=0)
        assert ignored.order == ("a", "b")


def refused_by(procedure, *cases):
    """Yield calls of a procedure, and with what words it refuses them."""
    for sample, options, message in cases:
        yield partial(procedure, sample, **options), message


APART = [[1, 2, np.nan, np.nan], [np.nan, np.nan, 1, 2]] * 4
TABLES = [
    (ScoreTable(np.eye(4), unit="split", n_train=90, n_test=10), {}, "needs independent units"),
    (GARCIA, {"rope": -1}, "rope=-1"),
    (GARCIA, {"n_draws": 0}, "n_draws=0"),
    (ScoreTable([[1, 2, 3]], unit="dataset"), {}, "two units or more.*got 1"),
    (ScoreTable(APART, unit="dataset"), {}, "system 3, system 4 and system 1"),
]
JUDGED = [
    (Preferences(["a", "c"] * 4, ["b", "d"] * 4, [1, 0] * 4), {}, "no units connect"),
    (Preferences(["a", "b"], ["b", "a"], [1, 0], items=[1, 1]), {}, "two items or more, got 1"),
]
test_refused = refusals([
    *refused_by(win_shares, *TABLES),
    *refused_by(bradley_terry, *TABLES, *JUDGED),
    *refused_by(strength_table, *JUDGED),
    *((partial(bradley_terry, GARCIA, weight=weight), "weight=.*above 0 and at most 1")
      for weight in (0, 1.5, -1)),
    (lambda: bradley_terry(drawn(40), 0.1), "rope=0.1 is of scores"),
    (lambda: bradley_terry(drawn(40), weight=2), "weight=2"),
    (lambda: win_shares(GARCIA, rng=0).pair("x", "NB"), "'x' is not one of the systems .'C4.5"),
    (lambda: win_shares(GARCIA, rng=0).pair("NB", "NB"), "does not meet itself"),
])  # fmt: skip


class TestSample:
    def test_winners_in_the_words_of_others(self):
        ends = {"a": ["x", "x", "y"], "b": ["y", "y", "x"]}
        about = {"first": "a", "second": "b", "winner": "w", "item": None}
        for words in (
            ["x", "tie", "x"], ["first", "draw", "second"], ["model_a", "both", "model_b"],
            ["A", "tie (bothbad)", "B"], ["left", "neither", "right"], [1, "tie", 2],
            [1.0, "Tie", 2.0],
        ):  # fmt: skip
            found = Preferences.from_columns(ends | {"w": words}, **about)
            assert found.outcomes.tolist() == [1, 0.5, 0] and found.sided, words
        # The name of a system comes before a word.
        named = {"a": ["first", "second"], "b": ["second", "first"], "w": ["first", "first"]}
        assert Preferences.from_columns(named, **about).outcomes.tolist() == [1, 0]

    @pytest.mark.parametrize(
        ("first", "second", "words", "message"),
        [
            (["A", "C"], ["B", "D"], ["A", "A"],
             "w='A' in row 1 is the name of another system, and may also mean "
             "the first of the two"),
            (["a", "c"], ["b", "d"], ["A", "B"], "w='A' in row 0 is the name of another"),
            ([1, 3], [2, 1], ["1", "2"], "w='2' in row 1 is the name of another system"),
            (["tie", "x"], ["x", "y"], ["tie", "tie"], "w='tie' in row 1 .* mean a tie"),
            (["x", "x"], ["y", "y"], ["x", "z"], "w='z' in row 1 is unknown"),
            (["x", "x"], ["y", "y"], [1, 0], "w='0' in row 1 is unknown"),
            (["x", "x"], ["y", "y"], [True, False], "w='True' in row 0 is unknown"),
        ],
    )  # fmt: skip
    def test_what_is_not_clear_is_refused(self, first, second, words, message):
        frame = {"a": first, "b": second, "w": words}
        with pytest.raises(ValueError, match=message):
            Preferences.from_columns(frame, first="a", second="b", winner="w", item=None)

    def test_a_tie_is_no_system(self):
        for lost, said in (
            (["y", "tie", "x"], "'tie' in row 1 is not a system"),
            (["y", "z", "Draw"], "'Draw' in row 2 is not a system"),
        ):
            frame = {"won": ["x", "x", "y"], "lost": lost}
            with pytest.raises(ValueError, match=said):
                Preferences.from_columns(frame, winner="won", loser="lost", item=None)

    def test_columns_of_places_are_known(self):
        for one, other in (
            ("model_a", "model_b"),
            ("left", "right"),
            ("Response 1", "Response 2"),
        ):
            frame = {"winner": ["x", "tie"], other: ["y", "y"], one: ["x", "x"], "q": [1, 2]}
            found = Preferences.from_columns(frame, winner="winner", item="q")
            assert found.outcomes.tolist() == [1, 0.5] and found.names == ("x", "y")
        with pytest.raises(ValueError, match="name the columns of both systems .* 'model_a'"):
            Preferences.from_columns(frame | {"model_a": "xx"}, winner="winner", item="q")

    def test_series_have_an_index(self):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame({
            "model_a": ["x", "x", "y"], "model_b": ["y", "z", "z"], "q": [1, 2, 3],
            "winner": ["model_a", "model_b", "tie"],
        })  # fmt: skip
        about = {"winner": "winner", "item": "q"}
        expected = Preferences.from_columns(frame, **about)
        columns = {name: frame[name] for name in frame}
        shuffled = columns | {"winner": frame["winner"].iloc[[2, 0, 1]]}
        found = Preferences.from_columns(shuffled, **about)
        assert expected.outcomes.tolist() == [1, 0, 0.5]
        assert found.outcomes.tolist() == [0.5, 1, 0]  # in the order of the winners
        for winner, message in (
            (frame["winner"].rename({0: 7}), "no comparison for 7"),
            (frame["winner"].iloc[:2].tolist(), "first, second and outcomes .* 3, 3 and 2"),
        ):
            with pytest.raises(ValueError, match=message):
                Preferences.from_columns(columns | {"winner": winner}, **about)
        twice = pandas.concat([frame, frame[["winner"]]], axis=1)
        with pytest.raises(ValueError, match="winner='winner' is twice a column"):
            Preferences.from_columns(twice, **about)

    def test_refused(self):
        for options, message in (
            ({"first": ["a"]}, "first, second and outcomes.*1, 2 and 2"),
            ({"outcomes": [1, 2]}, r"outcomes\[1\] is 2"),
            ({"outcomes": [1, np.nan]}, r"outcomes\[1\] is nan"),
            ({"second": ["b", "a"]}, "'a' is compared with itself in row 1"),
            ({"first": ["a", None]}, "first has no name in row 1"),
            ({"items": [1]}, "items has 1 labels for 2"),
        ):
            given = {"first": ["a", "a"], "second": ["b", "b"], "outcomes": [1, 0]} | options
            with pytest.raises(ValueError, match=message):
                Preferences(**given)
        frame = {"a": ["x", "x"], "b": ["y", "y"], "w": ["x", None]}
        about = {"first": "a", "second": "b", "winner": "w", "item": None}
        for change, options, message in (
            ({}, {}, "w has no name in row 1"),
            ({"w": ["x", "q"]}, {}, "w='q' in row 1 is unknown"),
            ({}, {"item": "z"}, "item='z' is not a column; there are 'a', 'b', 'w'"),
            ({}, {"second": None}, "first= and second=, or give loser="),
            ({}, {"loser": "b"}, "first= and second=, or give loser="),
        ):
            with pytest.raises(ValueError, match=message):
                Preferences.from_columns(frame | change, **about | options)
        with pytest.raises(TypeError, match="give a DataFrame"):
            Preferences.from_columns([1, 2], **about)
