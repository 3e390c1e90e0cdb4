"""Whether standard errors from one data set fit a learner: arithmetic, and what it finds."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skstat import LearnerStability, measure_learner_stability
from skstat.comparison._learner_stability import _SubsetDraws, disagreement, inflation
from skstat.evaluation._inputs.data import check_data
from skstat.report import LearnerRow
from skstat.stats import Scores, one_sample_t
from tests.cases import in_one_test

NB = GaussianNB()
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)


def two_classes(n=240, p=10, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n // 2)
    return rng.normal(size=(n, p)) + 0.5 * (y[:, None] - 0.5), y


def test_inflation_is_that_of_two_corrected_t_tests():
    scores = np.random.default_rng(0).normal(size=(6, 2, 8))
    ratio = np.full((6, 2), 12 / 108)
    squares, expected = [], []
    for pair in scores:
        first, second = (
            one_sample_t(Scores(half, n_train=108, n_test=12), 0.0) for half in pair
        )
        squares.append((first.estimate - second.estimate) ** 2)
        expected.append(first.standard_error**2 + second.standard_error**2)
    found = np.sqrt(np.sum(squares) / np.sum(expected))
    assert inflation(scores, ratio, of_splits=8) == pytest.approx(found)


@in_one_test("correlation", [0.0, 0.1, 0.5])
@in_one_test("of_splits", [5, 30, 100])
def test_the_number_of_splits_is_allowed_for(correlation, of_splits):
    # Splits of one half correlate; between halves nothing does.
    rng = np.random.default_rng(1)
    shared = np.sqrt(correlation) * rng.normal(size=(20_000, 2, 1))
    scores = shared + np.sqrt(1 - correlation) * rng.normal(size=(20_000, 2, 5))
    true = correlation + (1 - correlation) / of_splits
    claimed = (1 - correlation) * (1 / of_splits + 0.1)
    found = inflation(scores, np.full((20_000, 2), 0.1), of_splits=of_splits)
    assert found**2 == pytest.approx(true / claimed, rel=0.03, abs=0.06)


@given(
    st.integers(0, 2**32 - 1),
    st.floats(-100, 100),
    st.sampled_from([-3.0, 0.01, 1.0, 50.0]),
)
def test_inflation_knows_no_unit_and_no_side(seed, shift, factor):
    scores = np.random.default_rng(seed).normal(size=(5, 2, 6))
    ratio = np.full((5, 2), 0.1)
    expected = inflation(scores, ratio)
    assert inflation(shift + factor * scores, ratio) == pytest.approx(expected, rel=1e-6)
    assert inflation(scores[:, ::-1], ratio) == pytest.approx(expected)


def test_without_variance_there_is_no_inflation():
    ratio = np.full((3, 2), 0.1)
    assert np.isnan(inflation(np.full((3, 2, 5), 0.7), ratio))
    apart = np.full((3, 2, 5), 0.7)
    apart[:, 1] = 0.8
    assert np.isnan(inflation(apart, ratio))
    apart[:, :, 0] += 0.01
    assert np.isfinite(inflation(apart, ratio))


def test_disagreement_counts_pairs_of_models():
    labels = [np.array(list(word)) for word in ("aabb", "aabb", "abbb")]
    assert disagreement(labels, None) == pytest.approx((0 + 1 / 4 + 1 / 4) / 3)
    several = [np.array([[0, 1], [0, 1]]), np.array([[0, 1], [1, 1]])]
    assert disagreement(several, None) == 0.5
    y = np.array([0.0, 2.0, 4.0])
    numbers = [np.array([1.0, 2.0]), np.array([3.0, 2.0])]
    # Variances 2 and 0 of two rows, mean 1, against sd(y) = 2.
    assert disagreement(numbers, y) == pytest.approx(0.5)
    assert np.isnan(disagreement(numbers, np.ones(3)))


@pytest.mark.parametrize("kind", ["classes", "numbers", "groups"])
def test_halves_are_disjoint_and_complete(kind):
    X, y = two_classes(200)
    groups = np.arange(200) // 4 if kind == "groups" else None
    numbers = kind == "numbers"
    data = check_data(X, X[:, 0] if numbers else y, groups, [] if numbers else [NB])
    splits = _SubsetDraws(data, 0).halves(3, 5, 0.2)
    assert len(splits) == 3 * 2 * 5
    for start in range(0, 30, 10):
        first, second = ({*splits[k][0], *splits[k][1]} for k in (start, start + 5))
        assert not first & second and len(first | second) == 200
        for train, test in splits[start : start + 5]:
            assert {*train, *test} == first and not {*train} & {*test}
            if groups is not None:
                assert not {*groups[train]} & {*groups[test]}
    models = _SubsetDraws(data, 0).models(4, 0.9)
    assert len({tuple(test) for _, test in models}) == 1
    assert all(not {*train} & {*test} for train, test in models)
    assert len({tuple(train) for train, _ in models}) == 4


@pytest.mark.long
def test_a_stump_among_equal_features_is_found_and_naive_bayes_is_not():
    X, y = two_classes(seed=1)
    found = measure_learner_stability(
        {"NB": NB, "stump": STUMP}, X, y, n_models=3, random_state=0
    )
    assert (found.stable[0], found.unstable[0]) == ("NB", "stump")
    assert [row.name for row in found.rows] == ["NB", "stump", "NB - stump"]
    assert found["NB - stump"].disagreement is None
    assert "stump: two halves" in found.conclusion
    assert "one third of the rows" in found.conclusion
    assert " NB - stump" not in found.conclusion and "NB \N{MINUS SIGN} stump" in str(found)
    third = measure_learner_stability(
        {"stump": STUMP}, X, y, n_halvings=20, test_size=1 / 3, random_state=0
    )
    assert third.stable == ("stump",)


def test_the_seed_repeats_it_whatever_n_jobs():
    X, y = two_classes(120)
    options = {"n_halvings": 5, "n_splits": 5, "n_models": 3}
    first = measure_learner_stability([NB], X, y, random_state=3, **options)
    assert measure_learner_stability([NB], X, y, random_state=3, n_jobs=2, **options) == first
    unseeded = measure_learner_stability([NB], X, y, **options)
    seed = unseeded.random_state
    assert measure_learner_stability([NB], X, y, random_state=seed, **options) == unseeded


def test_regression_and_groups():
    X, _ = two_classes(160)
    y = X[:, 0] + np.random.default_rng(0).normal(size=160)
    learners = {"line": LinearRegression(), "stump": DecisionTreeRegressor(max_depth=1)}
    found = measure_learner_stability(
        learners, X, y, groups=np.arange(160) // 2, n_halvings=5, n_splits=5, random_state=0
    )
    assert found.metric == "r2" and not found.is_classification
    assert 0 < found["line"].disagreement < found["stump"].disagreement
    assert "sd / sd of y" in str(found)


def test_forms():
    X, y = two_classes(120)
    found = measure_learner_stability(
        {"<b>": NB, "constant": DummyClassifier()}, X, y, n_halvings=5, n_splits=5,
        random_state=0,
    )  # fmt: skip
    assert np.isnan(found["constant"].inflation)
    assert "nothing is known of constant" in found.conclusion
    assert " ".join(found.conclusion.split()) in " ".join(str(found).split())
    assert "<b>" not in found.to_html() and "&lt;b&gt;" in found.to_html()
    state = json.loads(found.to_json())
    assert LearnerStability.from_dict(state).to_dict() == found.to_dict()
    with pytest.raises(KeyError, match="no row 'c'"):
        found["c"]
    with pytest.raises(ValueError, match="schema"):
        LearnerStability.from_dict({})


def test_what_an_inflation_means_for_the_level():
    row = LearnerRow(name="x", inflation=1.0)
    assert row.type_1_error == pytest.approx(0.05)
    # By simulation: a t statistic with 29 df whose numerator varies 1.5 times too much.
    rng = np.random.default_rng(0)
    t = 1.5 * student.rvs(29, size=200_000, random_state=rng)
    wide = LearnerRow(name="x", inflation=1.5)
    simulated = np.mean(np.abs(t) > student.isf(0.025, 29))
    assert wide.type_1_error == pytest.approx(simulated, abs=0.003)


@in_one_test(
    "options, match",
    [
        ({"n_halvings": 4}, "n_halvings=4 is too few"),
        ({"n_splits": 1}, "n_splits=1 is too few"),
        ({"n_models": 1}, "n_models=1 is too few"),
        ({"test_size": 1.0}, "test_size=1.0 must lie"),
        ({"subsample": 0}, "subsample=0 must lie"),
        ({"scoring": ["accuracy", "f1"]}, "2 metrics"),
        ({"scoring": {"a": "accuracy", "b": "f1"}}, "2 metrics"),
    ],
)
def test_refused_before_any_fit(options, match):
    class Untouched(GaussianNB):
        def fit(self, X, y):
            raise AssertionError("fitted")

    X, y = two_classes(120)
    small = {"n_halvings": 5, "n_splits": 5, "n_models": 2}
    with pytest.raises(ValueError, match=match):
        measure_learner_stability([Untouched()], X, y, **small | options)


def test_too_little_to_halve():
    X, y = two_classes(40)
    with pytest.raises(ValueError, match="X has 40 rows"):
        measure_learner_stability([NB], X, y)
    X, y = two_classes(120)
    y[:] = np.where(np.arange(120) < 3, 1, 0)
    with pytest.raises(ValueError, match="too small to be halved"):
        measure_learner_stability([NB], X, y)


def test_the_row_of_a_difference_is_explained():
    X, y = two_classes(120)
    made = measure_learner_stability(
        {"a": NB, "b": STUMP}, X, y, n_halvings=5, n_splits=5, n_models=2, random_state=0
    )
    found = {"a": 1.0, "b": 1.5, "a - b": 1.1}
    rows = [LearnerRow(name=name, inflation=value) for name, value in found.items()]
    said = replace(made, rows=tuple(rows)).conclusion
    assert said.endswith(
        "No sign of a standard error that is too small was found for a and the difference of a "
        "and b, on which a comparison rests. In other comparisons of b test on one third of "
        "the "
        "rows, the default design."
    )
    rows[2] = LearnerRow(name="a - b", inflation=1.5)
    said = replace(made, rows=tuple(rows)).conclusion
    assert "the difference of a and b: two halves of the rows lie 1.50 times" in said
    assert said.endswith("for a. Test on one third of the rows, the default design.")
    three = [LearnerRow(name=n, inflation=1.0) for n in "abc"]
    assert replace(made, rows=tuple(three)).conclusion == (
        "No sign of a standard error that is too small was found for a, b and c."
    )
