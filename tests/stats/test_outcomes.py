"""Outcomes of all procedures: through JSON, what is refused, p-values, procedures of others."""

import contextlib
import dataclasses
import functools
import inspect
import json
import math
import types
import warnings
from functools import partial, wraps
from typing import Any, get_args

import numpy as np
import pytest

from skstat import compare_scores, stats
from skstat.stats import (
    Comparison,
    DependenceWarning,
    Law,
    PairedScores,
    SeedScores,
    Student,
    paired_t,
    procedure,
    sign_flip,
    wilcoxon,
)
from tests.cases import in_one_test
from tests.contract import procedures
from tests.stats.asked import PROCEDURES, A, B, error, units

CONSTANT = PairedScores([0.75, 0.5, 0.25], [0.5, 0.25, 0.0], unit="seed")
IDENTICAL = PairedScores([0.75, 0.5, 0.25], [0.75, 0.5, 0.25], unit="seed")
CONSTANT_RUNS = stats.SeedScores({"a": np.full((3, 20), 0.75), "b": np.full((3, 20), 0.5)})


MANY = PairedScores(*np.random.default_rng(4).normal(0.8, 0.03, (2, 600)), unit="instance")
MANY_PREDICTED = stats.Predictions(np.full(600, 0.8), {"a": MANY.a, "b": MANY.b}, error)
RANKS = stats.ScoreTable(np.stack([A[:30], B[:30], B[30:60]], axis=1), unit="dataset")


def in_company(k=3, **options):
    scores = np.stack([A[:90], B[:90], B[:90][::-1]], axis=1)[:, :k]
    return compare_scores(scores, unit="instance", random_state=0, **options)


def laws_of(kind):
    return {kind}.union(*(laws_of(below) for below in kind.__subclasses__()))


OUTCOMES = {
    **PROCEDURES,
    "paired t, less": lambda: paired_t(units(12), alternative="less"),
    "paired t, constant": lambda: paired_t(CONSTANT),
    "paired t, identical": lambda: paired_t(IDENTICAL),
    "wilcoxon, greater": lambda: wilcoxon(units(15), alternative="greater"),
    "wilcoxon, identical": lambda: wilcoxon(IDENTICAL),
    "sign flip, smooth": lambda: sign_flip(MANY),
    "sign flip, open": lambda: sign_flip(units(3)),
    "seeds, constant": lambda: stats.seeded_bootstrap(CONSTANT_RUNS, n_resamples=99, rng=0),
    "permutation, smooth": lambda: stats.paired_permutation(MANY_PREDICTED, rng=0),
    "simultaneous": lambda: in_company()["A", "B"].evidence.outcome,
    "smallest p": lambda: in_company(k=2, by=np.arange(90) % 3)["0"].evidence.outcome,
    "mean ranks": lambda: stats.pairwise_mean_ranks(RANKS).outcomes[0],
    "mean ranks, exact": lambda: stats.pairwise_mean_ranks(RANKS, method="exact").outcomes[1],
    "conover": lambda: stats.pairwise_mean_ranks(RANKS, method="t").outcomes[0],
    "nemenyi": lambda: stats.nemenyi(RANKS).outcomes[0],
    "bonferroni-dunn": lambda: stats.nemenyi(RANKS, control="system 1").outcomes[1],
}


every = in_one_test("name", OUTCOMES)


@functools.cache
def outcome_of(name):
    return OUTCOMES[name]()


def through_json(outcome):
    return Comparison.from_dict(json.loads(json.dumps(outcome.to_dict(), allow_nan=False)))


def same(x, y):
    return x == y or (math.isnan(x) and math.isnan(y))


def test_every_law_is_tested():
    laws = {kind for kind in laws_of(Law) if kind.__module__.startswith("skstat.")}
    tested = {type(outcome_of(name).law) for name in OUTCOMES}
    assert {kind for kind in laws if not kind.__subclasses__()} <= tested <= laws


@every
def test_a_restored_outcome_answers_as_the_one_that_was_stored(name):
    outcome = outcome_of(name)
    restored = through_json(outcome)
    assert type(restored) is type(outcome)
    assert isinstance(restored.assumptions, tuple)
    for name in ("df", "statistic", "pvalue", "smallest_pvalue", "monte_carlo_error"):
        assert same(getattr(restored, name), getattr(outcome, name))
    for level in (0.5, 0.8, 0.95, 0.99):
        expected = outcome.confidence_interval(level)
        assert all(map(same, restored.confidence_interval(level), expected))
    assert list(restored.effect_sizes) == list(outcome.effect_sizes)
    state = outcome.to_dict()
    assert restored.to_dict() == state
    assert set(kinds_in(state)) <= {dict, list, str, int, float, bool, type(None)}
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.estimate = 0.0


def kinds_in(value):
    """Yield the types of all that a stored state holds."""
    yield type(value)
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from kinds_in(item)


def test_unknown_type():
    state = paired_t(units(5)).to_dict() | {"type": "BayesFactor"}
    with pytest.raises(ValueError, match="'BayesFactor' is unknown"):
        Comparison.from_dict(state)
    state = paired_t(units(5)).to_dict()
    with pytest.raises(ValueError, match="'Cauchy' is unknown; import the module"):
        Comparison.from_dict(state | {"law": state["law"] | {"type": "Cauchy"}})


def test_outcomes_of_others_are_restored_once_they_are_imported():
    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Halved(Student):
        def pvalue(self, alternative):
            return super().pvalue(alternative) / 2

    state = paired_t(units(8)).to_dict()
    halved = Comparison.from_dict(state | {"law": state["law"] | {"type": "Halved"}})
    assert isinstance(halved.law, Halved)
    assert halved.pvalue == paired_t(units(8)).pvalue / 2


def test_arrays_are_restored_that_are_declared_by_an_alias():
    # As NDArray is one from NumPy 2.5 on: `type Row[T] = np.ndarray[Any, np.dtype[T]]`.
    class Row:
        __value__ = np.ndarray[Any, np.dtype[np.float64]]
        __class_getitem__ = classmethod(types.GenericAlias)

    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class WithRow(Student):
        row: Row[np.float64]

    state = WithRow(estimate=1.0, standard_error=1.0, row=np.array([0.5, np.inf])).to_dict()
    assert WithRow.from_dict(json.loads(json.dumps(state))).row.tolist() == [0.5, np.inf]


def kinds_of(function):
    first = next(iter(inspect.signature(function).parameters.values()))
    return [
        kind
        for kind in get_args(first.annotation) or (first.annotation,)
        if inspect.isclass(kind) and hasattr(kind, "example")
    ]


DECLARED = {
    name: function
    for name in stats.__all__
    if hasattr(function := getattr(stats, name), "declared") and kinds_of(function)
}
OTHERS = ([0.8, 0.7, 0.9], np.ones((3, 2)), {"a": [0.8, 0.7]}, "scores", None, PairedScores)


def options_of(function):
    """Give what else a procedure must be told."""
    more = list(inspect.signature(function).parameters.values())[1:]
    return {item.name: 0.5 for item in more if item.default is item.empty}


@in_one_test("name", DECLARED)
@in_one_test("other", OTHERS)
def test_what_is_no_sample_is_refused_with_the_line_to_write(name, other):
    assert len(DECLARED) >= 44
    function = DECLARED[name]
    with pytest.raises(TypeError) as caught:
        function(other, **options_of(function))
    said, lacking = str(caught.value), function.declared.needs  # by a plain sample, too
    assert said.startswith(f"{name} takes a sample: ")
    assert f"got {type(other).__name__}. {'It needs ' if lacking else f'Write {name}('}" in said
    for kind in kinds_of(function):
        assert kind.__name__ in said and (lacking or f"{name}({kind.example})" in said)


CHOICES = (
    "alternative", "method", "interval", "zero_method", "pvalue", "standard_error", "statistic"
)  # fmt: skip
WRONG = [*((name, "no such") for name in CHOICES), ("n_resamples", 0), ("n_resamples", 2.5)]


@in_one_test("ask", PROCEDURES.values(), ids=PROCEDURES)
@in_one_test("option, value", WRONG)
def test_unknown_choices_are_refused_by_name(ask, option, value):
    with pytest.raises((ValueError, TypeError)) as caught:
        ask(**{option: value})
    said = str(caught.value)
    assert f"{option}={value!r}" in said or f"argument '{option}'" in said


def test_a_missing_sample_is_said_as_python_says_it():
    with pytest.raises(TypeError, match=r"paired_t\(\) missing 1 required positional"):
        paired_t()
    with pytest.raises(TypeError, match="unexpected keyword argument 'side'"):
        paired_t(PairedScores([1.0, 2.0], [0.5, 1.0], unit="seed"), side="left")
    sample = PairedScores([1.0, 2.0], [0.5, 1.5], unit="seed")
    assert paired_t(sample=sample).estimate == 0.5


FOLDS = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]])


def degenerate(n):
    base = np.linspace(0.125, 0.875, n)
    yield base, base
    yield np.ones(n), np.ones(n)
    yield base + 0.125, base
    yield np.ones(n), np.zeros(n)
    yield base + 0.25 * (np.arange(n) == 0), base
    yield base + np.where(np.arange(n) % 2, 0.125, -0.125), base


def small_samples(a, b):
    n = len(a)
    for unit in ("instance", "seed", "dataset"):
        yield PairedScores(a, b, unit=unit)
    yield PairedScores(a, b, unit="instance", ordered=True)
    yield SeedScores({"a": a, "b": b})
    if n > 1:
        yield PairedScores(a, b, n_train=10, n_test=5)
    if n == 10:
        yield PairedScores(a, b, n_repeats=5)
    if n == 12:
        blocks = np.reshape(a, (3, 4)), np.reshape(b, (3, 4))
        yield PairedScores(a, b, n_blocks=4)
        yield PairedScores(a, b, groups=np.arange(12) // 2)
        for paired in (False, True):
            yield SeedScores({"a": blocks[0], "b": blocks[1]}, paired_seeds=paired)
        yield PairedScores.from_row_scores(*blocks, FOLDS)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n", [1, 2, 3, 10, 12])
@pytest.mark.filterwarnings("ignore")
def test_every_p_is_a_probability_or_nan_with_a_reason(n):
    n_asked = 0
    for sample in (each for ends in degenerate(n) for each in small_samples(*ends)):
        for function in DECLARED.values():
            try:
                outcome = function(sample)
            except (ValueError, TypeError):
                continue  # it is not for this sample
            if hasattr(outcome, "pvalue"):
                n_asked += 1
                why = outcome.why_no_pvalue("unit")
                assert math.isnan(outcome.pvalue) if why else 0 < outcome.pvalue <= 1
                assert not why or "to test it against" in why
    assert n_asked > 15


FOUR = PairedScores([3.0, 4, 5, 4], [1.0, 2, 4, 3], unit="instance")


@procedure(independent_units=True, units=("instance",))
def mine(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    return paired_t(sample, alternative=alternative)


def test_what_is_declared_is_found_through_partials_and_wrappers():
    @wraps(mine)
    def wrapped(sample, **options):
        return mine(sample, **options)

    def rests_on(test):
        return compare_scores(FOUR, test=test).to_dict()["evidence"]["sturdy"]

    again = wraps(partial(mine))(lambda sample, **options: mine(sample, **options))
    for function in (mine, partial(mine), wrapped, again):
        assert rests_on(function)
    # What declares nothing may do anything, and is asked once.
    assert rests_on(lambda sample, **options: mine(sample, **options)) is None


def test_postponed_annotations_are_refused_at_once():
    def late(sample: "PairedScores") -> Comparison:
        return paired_t(sample)

    with pytest.raises(TypeError, match="is 'PairedScores', no class"):
        procedure()(late)


def test_without_an_annotation_any_sample_is_taken():
    @procedure()
    def untyped(sample, *, alternative="two-sided"):
        return paired_t(sample, alternative=alternative)

    assert untyped(FOUR).estimate == mine(FOUR).estimate


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
