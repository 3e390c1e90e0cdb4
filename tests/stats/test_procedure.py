"""What a procedure of one's own is given by the decorator, and what it declares."""

import contextlib
import warnings
from functools import partial, wraps

import numpy as np
import pytest

from skstat.comparison._procedures import procedures_by_name
from skstat.stats import Comparison, DependenceWarning, PairedScores, Student, procedure
from skstat.stats._procedure import declared

SAMPLE = PairedScores([3.0, 4, 5, 4], [1.0, 2, 4, 3], unit="instance")


def outcome_of(sample, alternative):
    differences = sample.differences
    return Comparison(
        test="mean of differences",
        estimand="mean difference",
        null_hypothesis="the mean difference is 0",
        alternative=alternative,
        law=Student(
            estimate=float(differences.mean()),
            standard_error=float(np.sqrt(np.mean(differences**4)) ** 0.5),
            df=sample.n_units - 1,
        ),
    )


@procedure(independent_units=True, units=("instance",))
def mine(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    return outcome_of(sample, alternative)


def test_what_is_declared_is_found_through_partials_and_wrappers():
    @wraps(mine)
    def wrapped(sample, **options):
        return mine(sample, **options)

    for function in (mine, partial(mine), wrapped, wraps(partial(mine))(lambda sample: None)):
        facts = declared(function)
        assert facts.independent_units
        assert facts.units == ("instance",)
        assert not facts.side_effects


def test_postponed_annotations_are_refused_at_once():
    def late(sample: "PairedScores") -> Comparison:
        return outcome_of(sample, "two-sided")

    with pytest.raises(TypeError, match="annotated 'PairedScores'.*without postponed"):
        procedure()(late)


def test_without_an_annotation_any_sample_is_taken():
    @procedure()
    def untyped(sample, *, alternative="two-sided"):
        return outcome_of(sample, alternative)

    assert untyped(SAMPLE).estimate == mine(SAMPLE).estimate


def test_what_warns_of_splits_takes_its_units_for_independent():
    rng = np.random.default_rng(1)
    splits = PairedScores(*rng.normal(size=(2, 10)), n_train=90, n_test=10)
    warned = set()
    for name, function in procedures_by_name(PairedScores).items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DependenceWarning)
            with contextlib.suppress(ValueError):  # not for these splits
                function(splits)
        if caught:
            warned.add(name)
            assert declared(function).independent_units, name
    assert {"paired_t", "wilcoxon"} <= warned
