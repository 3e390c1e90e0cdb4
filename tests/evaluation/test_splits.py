"""Splitters: one contract for all of them, what is special to each, and designs."""

import pickle
from copy import deepcopy
from functools import partial
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import stats
from skstat.evaluation import (
    BootstrapOutOfBag,
    FiveByTwo,
    LeaveTwoBlocksOut,
    NestedKFold,
    RepeatedGroupKFold,
    RepeatedHalves,
)
from tests.cases import Untouched, in_one_test, refusals

rng = np.random.default_rng(0)
N = 61
Y = np.array(["hen", "cat", "dog"])[np.arange(N) % 5 % 3]
X = rng.normal(size=(N, 2)) + (Y == "cat")[:, None]
GROUPS = np.array([f"g{number}" for number in rng.permutation(np.arange(N) // 3)])
ESTIMATORS = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}

SMALL = {
    BootstrapOutOfBag: {"n_splits": 6},
    RepeatedHalves: {"n_repeats": 3},
    FiveByTwo: {},
    RepeatedGroupKFold: {"n_splits": 3, "n_repeats": 2},
    NestedKFold: {"n_splits": 4, "n_repeats": 2},
    LeaveTwoBlocksOut: {"n_blocks": 4},
}
# Splitter, whether groups are given, and whether y is given for its classes.
CASES = {
    "bootstrap": (BootstrapOutOfBag, {}, False),
    "bootstrap of classes": (BootstrapOutOfBag, {"stratify": True}, False),
    "bootstrap of groups": (BootstrapOutOfBag, {}, True),
    "halves": (RepeatedHalves, {}, False),
    "balanced halves": (RepeatedHalves, {"balanced": True}, False),
    "balanced halves of classes": (RepeatedHalves, {"balanced": True, "stratify": True}, False),
    "balanced halves of groups": (RepeatedHalves, {"balanced": True}, True),
    "5x2": (FiveByTwo, {"stratify": True}, False),
    "5x2 of groups and classes": (FiveByTwo, {"stratify": True}, True),
    "group folds": (RepeatedGroupKFold, {}, True),
    "group folds of classes": (RepeatedGroupKFold, {"stratify": True}, True),
    "nested folds": (NestedKFold, {}, False),
    "nested folds of classes": (NestedKFold, {"stratify": True}, False),
    "pairs of blocks": (LeaveTwoBlocksOut, {}, False),
    "pairs of blocks of classes": (LeaveTwoBlocksOut, {"stratify": True}, False),
    "pairs of blocks of groups": (LeaveTwoBlocksOut, {}, True),
    "pairs of blocks of groups and classes": (LeaveTwoBlocksOut, {"stratify": True}, True),
}


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request):
    kind, options, grouped = request.param
    groups = GROUPS if grouped else None
    return lambda seed=0: kind(**SMALL[kind], **options, random_state=seed), groups


def splits(cv, X=X, y=Y, groups=None):
    return [(train.tolist(), test.tolist()) for train, test in cv.split(X, y, groups)]


def test_contract_of_every_splitter(case):
    make, groups = case
    cv = make()
    found = list(cv.split(X, Y, groups))
    assert len(found) == cv.get_n_splits() == cv.get_n_splits(X, Y, groups)
    for train, test in found:
        assert train.dtype.kind == test.dtype.kind == "i"
        assert train.size and test.size and not np.isin(test, train).any()
        assert (np.diff(train) >= 0).all()
        assert min(train.min(), test.min()) >= 0 and max(train.max(), test.max()) < N
        if groups is not None:
            assert not np.isin(groups[test], groups[train]).any()
            # Groups come whole, as often as each is drawn.
            times = np.bincount(train, minlength=N)
            for group in np.unique(groups):
                assert len(set(times[groups == group])) == 1


def test_seeds_copies_and_repr(case):
    make, groups = case
    cv = make()
    first = splits(cv, groups=groups)
    same = [cv, deepcopy(cv), clone(cv, safe=False), pickle.loads(pickle.dumps(cv))]
    same += [eval(repr(cv), vars(skstat.evaluation)), make(np.int64(0))]
    assert all(splits(one, groups=groups) == first for one in same)
    assert "\n" not in repr(cv) and repr(same[-2]) == repr(cv)
    assert splits(make(1), groups=groups) != first
    fresh = make(None)
    assert splits(fresh, groups=groups) != splits(fresh, groups=groups)
    state = make(np.random.RandomState(0))
    drawn = splits(state, groups=groups)
    assert drawn == splits(make(np.random.RandomState(0)), groups=groups)
    assert drawn != splits(state, groups=groups)


@pytest.mark.long(keep=7)
@pytest.mark.parametrize("routing", [False, True])
def test_scikit_learn_takes_them(case, routing):
    make, groups = case
    cv = make()
    given = list(cv.split(X, Y, groups))
    with config_context(enable_metadata_routing=routing):
        by_group = {} if groups is None else {"groups": groups}
        passed = {"params": by_group} if routing else by_group
        found = ms.cross_validate(GaussianNB(), X, Y, cv=cv, **passed)
        search = ms.GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, cv=cv)
        search.fit(X, Y, **by_group)
    direct = [GaussianNB().fit(X[a], Y[a]).score(X[b], Y[b]) for a, b in given]
    np.testing.assert_allclose(found["test_score"], direct)
    names = [f"split{number}_test_score" for number in range(len(given))]
    np.testing.assert_allclose([search.cv_results_[n][0] for n in names], direct)


def folds(n_splits, seed, stratify, groups=None):
    """Training and test rows of the folds that scikit-learn makes."""
    if groups is None:
        kind = ms.StratifiedKFold if stratify else ms.KFold
    else:
        kind = ms.StratifiedGroupKFold if stratify else ms.GroupKFold
    return splits(kind(n_splits, shuffle=True, random_state=seed), groups=groups)


def without_two(folds):
    """What is left where two folds are left out, and these two."""
    tests = [test for _, test in folds]
    for one, other in combinations(tests, 2):
        yield sorted({*range(N)} - {*one, *other}), one + other


@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_splits_are_made_of_scikit_learns_shuffled_folds(stratify, groups):
    def repeats(n, n_splits):
        seeds = np.random.SeedSequence(11).generate_state(n).tolist()
        return [folds(n_splits, seed, stratify, groups) for seed in seeds]

    options = {"stratify": stratify, "random_state": 11}
    cv = FiveByTwo(**options)
    assert splits(cv, groups=groups) == [*chain(*repeats(5, 2))]
    assert splits(RepeatedHalves(5, **options), groups=groups) == [*chain(*repeats(5, 2))]
    assert repr(cv) == f"FiveByTwo(stratify={stratify}, random_state=11)"
    blocks = without_two(folds(5, 11, stratify, groups))
    assert splits(LeaveTwoBlocksOut(5, **options), groups=groups) == [*blocks]
    if groups is None:
        nested = [[*own, *without_two(own)] for own in repeats(2, 5)]
        assert splits(NestedKFold(5, 2, **options)) == [*chain(*nested)]
        return
    cv = RepeatedGroupKFold(4, 5, **options)
    assert splits(cv, groups=groups) == [*chain(*repeats(5, 4))]
    assert design(cv, groups=groups).n_repeats == 5


def overlaps(signs):
    """Rows common to any half of one repeat and any half of another, for all pairs."""
    columns = [frozenset(np.flatnonzero(column > 0)) for column in signs.T]
    everything = frozenset(range(len(signs)))
    return [
        len(a & b)
        for one, other in combinations(columns, 2)
        for a in (one, everything - one)
        for b in (other, everything - other)
    ]


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.integers(1, 23), st.lists(st.integers(1, 90), min_size=2, max_size=4), st.integers(0, 99)
)
def test_balanced_halves_are_balanced_in_every_class(n_repeats, sizes, seed):
    fewest = 4 * (n_repeats // 4) + 3  # one less than the order of a Hadamard matrix
    assume(max(sizes) >= fewest)
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    cv = RepeatedHalves(n_repeats, balanced=True, stratify=True, random_state=seed)
    signs = -np.ones((len(y), n_repeats), dtype=int)
    for column, (rows, _) in enumerate(list(cv.split(y, y))[::2]):
        signs[rows, column] = 1
    assert abs(signs.sum(axis=0)).max() <= 1
    for label, n in enumerate(sizes):
        own = signs[y == label]
        assert abs(own.sum(axis=0)).max() <= 1
        if n >= fewest:
            assert set(overlaps(own)) <= {n // 4, -(-n // 4)}


@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_sizes_of_blocks(stratify, groups):
    K = 5
    of_design = design(LeaveTwoBlocksOut(K, stratify=stratify, random_state=7), groups=groups)
    blocks = [np.array(test) for _, test in folds(K, 7, stratify, groups)]
    expected = [[len(one), len(other)] for one, other in combinations(blocks, 2)]
    assert of_design.n_scored.tolist() == expected
    assert of_design.fewest_tested == N - max(map(len, blocks))
    sample = of_design.null_table().pair("A", "B")
    count = len if groups is None else lambda rows: len(np.unique(groups[rows]))
    pairs = [(g, h) for g in range(K) for h in range(K) if h != g]
    assert sample.n_test.tolist() == [count(blocks[h]) for _, h in pairs]
    sizes = [count(block) for block in blocks]
    assert sample.n_train.tolist() == [sum(sizes) - sizes[g] - sizes[h] for g, h in pairs]


# Designs and doors


def design(cv=None, y=Y, **options):
    return skstat.paired_cross_validate([GaussianNB()], X, y, cv=cv, **options).design


@in_one_test("cv, kind, n_repeats, ratio", [
    (ms.StratifiedKFold(5), "5-fold cross-validation", 1, 1 / 4),
    (ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=10), "10x10-fold", 10, 1 / 9),
    (ms.KFold(7, shuffle=True), "7-fold cross-validation", 1, 1 / 6),
    (ms.LeaveOneOut(), "leave-one-out cross-validation", 1, 1 / 60),
    (FiveByTwo(stratify=True, random_state=0), "5x2-fold", 5, 1),
    (ms.ShuffleSplit(20, test_size=0.25), "20 random splits", None, 16 / 45),
    (ms.StratifiedShuffleSplit(9, test_size=0.5), "9 stratified random", None, 31 / 30),
])  # fmt: skip
def test_kind_is_read_from_the_rows(cv, kind, n_repeats, ratio):
    found = design(cv)
    assert found.kind.startswith(kind)
    assert found.n_repeats == n_repeats
    n_train, n_test = found.sizes
    assert n_test.sum() / n_train.sum() == pytest.approx(ratio)
    assert not found.ordered
    # Given as bare splits, the same facts are found.
    bare = design(list(found.splits))
    assert (bare.n_repeats, bare.ordered) == (found.n_repeats, found.ordered)


def test_time_series_are_ordered():
    found = design(ms.TimeSeriesSplit(5))
    assert found.ordered
    assert found.n_repeats is None


def test_default_is_fifteen_balanced_halvings():
    y = np.arange(N) % 3
    found = design(y=y, random_state=5)
    assert (found.n_splits, found.random_state) == (30, 5)
    assert (found.n_repeats, found.kind) == (15, "15x2-fold cross-validation")
    assert {*found.row_sizes[1].tolist()} == {30, 31}
    assert not found.stratifies(y)
    halves = splits(RepeatedHalves(15, balanced=True, random_state=5))
    assert [(train.tolist(), test.tolist()) for train, test in found.splits] == halves


def test_groups_that_a_splitter_ignores_are_noticed():
    with pytest.warns(UserWarning, match="groups parameter is ignored"):
        found = design(ms.StratifiedKFold(5, shuffle=True, random_state=0), groups=GROUPS)
    assert found.splits_groups
    assert found.size_unit == "row"


def test_seed_is_reported_and_repeats_the_run():
    first = design()
    second = design(random_state=first.random_state)
    assert first.describe()["random_state"] == first.random_state
    np.testing.assert_equal(first.splits, second.splits)


def test_seeds_leave_the_global_generator_alone():
    np.random.seed(0)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    design()
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    for make in (np.random.RandomState, np.random.default_rng):
        one, other = (design(random_state=make(0)).random_state for _ in range(2))
        assert one == other


def test_sizes_count_different_rows():
    found = design(BootstrapOutOfBag(50, random_state=0))
    n_train, n_test = found.sizes
    assert n_train.tolist() == [len(set(train.tolist())) for train, _ in found.splits]
    np.testing.assert_array_equal(n_train + n_test, N)
    # About .368 / .632; counted with copies it would be .368, and the interval too narrow.
    assert n_test.sum() / n_train.sum() == pytest.approx(0.582, abs=0.03)
    # Given as bare splits, the same is found; copies alone make no bootstrap of folds.
    assert design(list(found.splits)).kind == "50 bootstrap samples, tested out of bag"
    copied = [(np.r_[train, train[:5]], test) for train, test in ms.KFold(5).split(X)]
    assert design(copied).kind == "5-fold cross-validation"
    assert design(copied).row_sizes[0].tolist() == [48, 49, 49, 49, 49]
    twice = design([(train, test) for train, test in copied[:3]])
    assert not twice.out_of_bag and twice.kind == "3 splits"


# Seeds that learners draw from


def imitated(package, seed=None):
    """A learner as a package has it: a parameter random_state, and a module of its own."""

    class Boosted(GaussianNB):
        def __init__(self, random_state=None):
            super().__init__()
            self.random_state = random_state

    Boosted.__module__ = f"{package}.sklearn"
    return Boosted(seed)


@pytest.mark.parametrize("package", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("seed", [None, 0])
def test_packages_that_take_a_fixed_seed_of_their_own(package, seed):
    learner = imitated(package, seed)
    within = make_pipeline(StandardScaler(), learner)

    class Tuned(type(learner)):
        pass

    for estimator in (learner, within, Tuned(seed)):
        run = skstat.paired_cross_validate({"it": estimator}, X, Y, cv=2)
        assert not run.unseeded and run.fixed_seeds == {"it"}


# Errors


def first(cv, **given):
    return next(cv.split(**{"X": X, "y": Y, "groups": None} | given))


def few(n, **more):
    return {"X": X[:n], "y": Y[:n]} | more


def test_a_bootstrap_keeps_classes_in_proportion():
    for train, _ in BootstrapOutOfBag(5, stratify=True, random_state=0).split(X, Y):
        assert sorted(Y[train]) == sorted(Y)


GROUPED, RARE = {"groups": GROUPS}, {"y": np.r_[[0] * (N - 7), [1] * 7]}
SEVERAL, LONELY = rng.integers(0, 2, (N, 3)), np.array([0, 1, 2] * 20 + [7])
NEVER, NESTED = dict.fromkeys(ESTIMATORS, Untouched()), NestedKFold(3, stratify=True)
NOT_ONE = r"estimate_performance\(method='nested_cv'\)"
test_what_cannot_be_split_is_refused = refusals([
    (partial(BootstrapOutOfBag, 0), "n_splits=0 must be a whole number of at least 1"),
    (partial(RepeatedHalves, 24, balanced=True), "up to 23 repeats"),
    (partial(RepeatedGroupKFold, 1), "n_splits=1 must be a whole number of at least 2"),
    (partial(NestedKFold, 2), "n_splits=2 must be a whole number of at least 3"),
    (partial(LeaveTwoBlocksOut, 2), "n_blocks=2 must be a whole number of at least 3"),
    (partial(RepeatedHalves, stratify=Y), "stratify must be a bool, got ndarray"),
    # Classes that are none
    *(
        (partial(first, kind(**small, stratify=True), **GROUPED, y=y), words)
        for kind, small in SMALL.items()
        if kind in (RepeatedGroupKFold, FiveByTwo, LeaveTwoBlocksOut)
        for y, words in (
            (SEVERAL, "y is multilabel-indicator, not one class per row"),
            (X[:, 0], "y is continuous, not one class per row"),
            (None, "stratify=True needs y"),
        )
    ),
    # Data that do not suit
    *(
        (partial(first, cv, **given), words)
        for cv, given, words in (
            (BootstrapOutOfBag(stratify=True), GROUPED, "cannot be combined with groups"),
            (RepeatedHalves(balanced=True, stratify=True), GROUPED, "Use stratify=False"),
            (BootstrapOutOfBag(), few(1), "one row to draw from"),
            (BootstrapOutOfBag(), {"groups": np.zeros(N)}, "one group to draw from"),
            (BootstrapOutOfBag(stratify=True), few(3, y=list("abc")), "one row of each"),
            (RepeatedHalves(), {"groups": np.zeros(N)}, "1 group cannot be halved"),
            (RepeatedHalves(8, balanced=True), few(10), "needs 11 rows at least, .* 10"),
            (RepeatedGroupKFold(), {}, "RepeatedGroupKFold needs groups"),
            (RepeatedGroupKFold(30, stratify=True), GROUPED, "30 folds need .*, .* are 21"),
            (NestedKFold(), GROUPED, "NestedKFold takes no groups"),
            (LeaveTwoBlocksOut(), few(7), "8 blocks need as many rows, and .* 7"),
            (LeaveTwoBlocksOut(22), GROUPED, "22 blocks need as many groups"),
            (LeaveTwoBlocksOut(stratify=True), RARE, "7 rows of class 1:"),
            (RepeatedHalves(), {"groups": GROUPS[:5]}, "inconsistent numbers of samples"),
            (RepeatedHalves(), {"groups": [None, *GROUPS[1:]]}, "groups is missing for 1"),
            (RepeatedHalves(), {"groups": np.c_[GROUPS, GROUPS]}, "one group per row"),
        )
    ),
    # Splits that no run can use
    *(
        (partial(design, cv), words)
        for cv, words in (
            (1, "setting n_splits=2 or more"),
            (iter([]), "cv gave no splits"),
            ([([0, 1], [1, 2])], "split 0 trains and tests on 1 common rows"),
            ([([0, 1, 2], [7]), ([], [1])], "split 1 has no training rows"),
            ([([0, 30, 50], [])], "split 0 has no test rows"),
            ([([0, 30, 50], [99])], "names row 99; X has 61 rows"),
            ([([0, 1, 3], [45])], "split 0 hold no row of class 'dog'"),
            (ms.GroupShuffleSplit(), "'groups' parameter should not be None"),
            (ms.StratifiedGroupKFold(), "groups"),
            (ms.StratifiedKFold(30), "cannot split this data"),
        )
    ),
    (partial(design, y=LONELY), "the number of rows of class 7 is 1, and"),
    # Splits of several kinds are not one sample, whichever test is asked
    *(
        (partial(*ask, cv=NESTED), NOT_ONE)
        for ask in (
            (skstat.compare_estimators, NEVER, X, Y),
            (partial(skstat.compare_estimators, test=stats.corrected_t), NEVER, X, Y),
            (skstat.paired_cv_ttest, *NEVER.values(), X, Y),
            (skstat.compare_to_baseline, Untouched(), X, Y),
            (skstat.compare_over_datasets, NEVER, {"a": (X, Y), "b": (X, Y)}),
        )
    ),
    (partial(skstat.recommend_test, "estimators", cv=NESTED), "estimate_performance"),
], error=(ValueError, TypeError))  # fmt: skip


def test_scores_of_splits_of_several_kinds_can_be_had():
    run = skstat.paired_cross_validate(ESTIMATORS, X, Y, cv=NESTED)
    assert run.scores["accuracy"].shape == (NESTED.get_n_splits(), 2)
    with pytest.raises(ValueError, match=NOT_ONE):
        skstat.compare_scores(run)
