"""What a procedure of one's own is given by the decorator, and what it declares."""

import contextlib
import warnings
from functools import partial, wraps

import numpy as np
import pytest

from skstat import compare_scores
from skstat.stats import Comparison, DependenceWarning, PairedScores, paired_t, procedure
from tests.contract import procedures

SAMPLE = PairedScores([3.0, 4, 5, 4], [1.0, 2, 4, 3], unit="instance")


@procedure(independent_units=True, units=("instance",))
def mine(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    return paired_t(sample, alternative=alternative)


def test_what_is_declared_is_found_through_partials_and_wrappers():
    @wraps(mine)
    def wrapped(sample, **options):
        return mine(sample, **options)

    def rests_on(test):
        return compare_scores(SAMPLE, test=test).to_dict()["evidence"]["sturdy"]

    again = wraps(partial(mine))(lambda sample, **options: mine(sample, **options))
    for function in (mine, partial(mine), wrapped, again):
        assert rests_on(function)
    # What declares nothing may do anything, and is asked once.
    assert rests_on(lambda sample, **options: mine(sample, **options)) is None


def test_postponed_annotations_are_refused_at_once():
    def late(sample: "PairedScores") -> Comparison:
        return paired_t(sample)

    with pytest.raises(TypeError, match="annotated 'PairedScores', no class"):
        procedure()(late)


def test_without_an_annotation_any_sample_is_taken():
    @procedure()
    def untyped(sample, *, alternative="two-sided"):
        return paired_t(sample, alternative=alternative)

    assert untyped(SAMPLE).estimate == mine(SAMPLE).estimate


def test_what_warns_of_splits_takes_its_units_for_independent():
    rng = np.random.default_rng(1)
    splits = PairedScores(*rng.normal(size=(2, 10)), n_train=90, n_test=10)
    warned = set()
    for name, function in procedures().items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DependenceWarning)
            with contextlib.suppress(ValueError):  # not for these splits
                function(splits)
        if caught:
            warned.add(name)
            assert function.declared.independent_units, name
    assert {"paired_t", "wilcoxon"} <= warned
