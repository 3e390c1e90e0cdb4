"""Strengths by preferences: against scikit-learn, sums written out, and tables of scores."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special
from sklearn.linear_model import LogisticRegression

from skstat.stats import Preferences, bradley_terry, strength_t, strength_table

STRENGTHS = np.array([0.8, 0.4, 0.0, -0.6])


def drawn(
    n_items, *, each=3, judges=1, spread=0.8, side=0.4, ties=0.2, strengths=STRENGTHS, seed=0
):
    """Preferences on items whose answers are good or bad for all of their comparisons."""
    rng = np.random.default_rng(seed)
    k, n = len(strengths), n_items * each
    items = np.repeat(np.arange(n_items), each)
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    quality = strengths + spread * rng.standard_normal((n_items, k))
    apart = quality[items, first] - quality[items, second] + side
    items, first, second, apart = (np.repeat(x, judges) for x in (items, first, second, apart))
    apart = apart + rng.logistic(size=len(apart))
    outcomes = np.where(np.abs(apart) < ties, 0.5, apart > 0)
    names = np.array([f"m{place}" for place in range(k)])
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

    def test_refused(self):
        sample = drawn(40)
        with pytest.raises(ValueError, match="rope=0.1 is of scores"):
            bradley_terry(sample, 0.1)
        with pytest.raises(ValueError, match="weight=2"):
            bradley_terry(sample, weight=2)
        apart = Preferences(["a", "c"] * 4, ["b", "d"] * 4, [1, 0] * 4)
        for procedure in (bradley_terry, strength_table):
            with pytest.raises(ValueError, match="have no unit in common"):
                procedure(apart)
            with pytest.raises(ValueError, match="two items or more, got 1"):
                procedure(Preferences(["a", "b"], ["b", "a"], [1, 0], items=[1, 1]))


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
             "w='A' in row 1 may be a system's name, but not of the two there "
             ".'C' and 'D'., and may also mean the first of the two"),
            (["a", "c"], ["b", "d"], ["A", "B"], "w='A' in row 0 may be a system's name"),
            ([1, 3], [2, 1], ["1", "2"], "w='2' in row 1 may be a system's name"),
            (["tie", "x"], ["x", "y"], ["tie", "tie"], "w='tie' in row 1 .* mean a tie"),
            (["x", "x"], ["y", "y"], ["x", "z"], "w='z' in row 1 is not one of the two"),
            (["x", "x"], ["y", "y"], [1, 0], "w='0' in row 1 is not one of the two"),
            (["x", "x"], ["y", "y"], [True, False], "w='True' in row 0 is not one of the two"),
        ],
    )  # fmt: skip
    def test_what_is_not_clear_is_refused(self, first, second, words, message):
        frame = {"a": first, "b": second, "w": words}
        with pytest.raises(ValueError, match=message):
            Preferences.from_columns(frame, first="a", second="b", winner="w", item=None)

    def test_a_tie_is_no_system(self):
        frame = {"won": ["x", "x", "y"], "lost": ["y", "tie", "x"]}
        with pytest.raises(ValueError, match="'tie' in row 1 of won and lost is not a system"):
            Preferences.from_columns(frame, winner="won", loser="lost", item=None)
        with pytest.raises(ValueError, match="'Draw' in row 2 of won and lost is not a system"):
            Preferences.from_columns(
                {"won": ["x"] * 3, "lost": ["y", "z", "Draw"]},
                winner="won", loser="lost", item=None,
            )  # fmt: skip

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
            ({"w": ["x", "q"]}, {}, "w='q' in row 1 is not one of the two systems"),
            ({}, {"item": "z"}, "item='z' is not a column; there are 'a', 'b', 'w'"),
            ({}, {"second": None}, "first= and second=, or give loser="),
            ({}, {"loser": "b"}, "first= and second=, or give loser="),
        ):
            with pytest.raises(ValueError, match=message):
                Preferences.from_columns(frame | change, **about | options)
        with pytest.raises(TypeError, match="give a DataFrame"):
            Preferences.from_columns([1, 2], **about)
