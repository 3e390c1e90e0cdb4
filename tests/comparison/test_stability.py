"""Other partitions of the same rows: what they say, and how it is reported."""

from functools import partial

import numpy as np
import pytest
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_estimators, compare_scores, five_by_two_cv_test, paired_cv_ttest
from skstat.report import Stability
from tests.cases import refusals, text_of
from tests.contract import changed
from tests.timeless import timeless

NB, TREE = GaussianNB(), DecisionTreeClassifier(random_state=0)
THREE = {"nb": NB, "tree": TREE, "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
BY_T, BY_HALVES = (partial(door, NB, TREE) for door in (paired_cv_ttest, five_by_two_cv_test))


def by_splitter(splitter, *data, random_state, **options):
    return BY_T(*data, cv=splitter(random_state=random_state), **options)


ASKS = {
    "halves": BY_HALVES,
    "the default": BY_T,
    "repeats": partial(by_splitter, partial(RepeatedStratifiedKFold, n_splits=5, n_repeats=2)),
    "random": partial(by_splitter, partial(ShuffleSplit, 10, test_size=0.3)),
}


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_the_other_partitions_are_those_of_their_seeds(cancer, ask):
    report, alone = (ask(*cancer, random_state=7, stability=n) for n in (2, 0))
    assert report.pvalue == alone.pvalue and not alone.stability
    (found,) = report.stability.values()
    assert len(set(found.seeds)) == 2 and 7 not in found.seeds
    told = zip(found.seeds, found.estimates, found.pvalues, found.verdicts, strict=True)
    for seed, *expected in told:
        other = ask(*cancer, random_state=seed)
        assert [other.estimate, other.pvalue, other.verdict] == expected
    again = ask(*cancer, random_state=7, stability=2, n_jobs=2)
    assert timeless(again.to_dict()) == timeless(report.to_dict())


X, Y = np.ones((240, 1)), np.arange(240) % 2
test_what_has_no_other_partitions_is_refused = refusals(
    [
        ({"cv": 5}, "cv=5 depends on none"),
        ({"cv": KFold(5)}, "depends on none"),
        ({"cv": StratifiedKFold(5, shuffle=False)}, "depends on none"),
        ({"cv": [(range(100), range(100, 240))] * 3}, "a list of splits"),
        *(({"stability": wrong}, "stability=") for wrong in (-1, True, 1.5, "3")),
    ],
    partial(BY_T, X, Y, stability=2),
)


def stability(verdict, *others):
    known = {name: tuple(range(len(others))) for name in ("seeds", "estimates", "pvalues")}
    return Stability(verdict=verdict, verdicts=others, **known)


@pytest.fixture(scope="module")
def scores():
    return {name: np.arange(12.0) ** power for power, name in enumerate("pqrst")}


def test_stability_is_a_value():
    state = {
        "type": "Stability", "verdict": "better", "seeds": [1], "estimates": [None],
        "pvalues": [None], "verdicts": ["undecided"],
    }  # fmt: skip
    found = Stability.from_dict(state)
    assert np.isnan(found.estimates[0])
    assert found.to_dict() == state | {"n_same": 0, "share": 0.0}
    for wrong in ({"seeds": [1, 2]}, {key: [] for key in [*state][2:]}):
        with pytest.raises(ValueError, match="must be equally long"):
            Stability.from_dict(state | wrong)


def test_pairs_that_depend_are_told_once(cancer):
    cv = ShuffleSplit(6, test_size=1 / 3, random_state=0)
    report = compare_estimators(
        THREE, *cancer, cv=cv, scoring="roc_auc", random_state=0, stability=4
    )
    shares = [found.share for found in report.stability.values()]
    assert min(shares) < 0.8
    assert text_of(report, "SKS214")


def test_the_least_steady_are_shown_first(scores):
    report = compare_scores(scores, n_train=90, n_test=10)
    found = {}
    for n, pair in zip(range(9, 0, -1), report.pairs, strict=False):
        found[pair[:2]] = stability("better", *["better"] * n, *["worse"] * (9 - n))
    said = " ".join(changed(report, stability=found).details.split())
    least = [f"{' and '.join(pair)} ({n} of 9)" for n, pair in enumerate(reversed(found), 1)]
    assert f"same verdict in: {'; '.join(least[:6])}; 3 more" in said
