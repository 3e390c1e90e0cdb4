"""What holds for all procedures: symmetry, order, scale, degenerate scores, warnings."""

import math
import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skstat.stats import (
    DependenceWarning,
    PairedScores,
    Scores,
    block_jackknife_t,
    clustered_t,
    corrected_t,
    diebold_mariano,
    effect_sizes,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    projection_t,
    sign,
    sign_flip,
    wilcoxon,
)
from tests.cases import in_one_test

FLIPPED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
OF_TEN = "mean of all ten differences"  # the only effect size in the unit of the score
LEVELS = st.sampled_from([0.6, 0.9, 0.95])
several = settings(max_examples=settings.default.max_examples // 2)


@dataclass
class Procedure:
    """A procedure, the units it is for, and what it may be asked."""

    function: Any
    units: dict[str, Any]
    options: dict[str, Any]
    n: tuple[int, int]
    alternatives: tuple[str, ...] = tuple(FLIPPED)
    order_free: bool = True
    kind: Any = PairedScores

    def __call__(self, sample, alternative="two-sided"):
        return self.function(sample, alternative=alternative, **self.options)

    def sample(self, a, b):
        return self.kind(a, b, **self.units)


def on(units, function, n, /, **options):
    return Procedure(function, units, options, n)


def in_order(units, function, n, /, kind=PairedScores, **options):
    """A procedure to which the order of units matters."""
    return Procedure(function, units, options, (n, n), order_free=False, kind=kind)


def halves(a, b, **units):
    """Take scores for those of eight rows in each of several halvings."""
    folds = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1] * 2, [0, 1] * 4, [0, 1, 1, 0] * 2])
    rows = (np.reshape(each, folds.shape) for each in (a, b))
    return PairedScores.from_row_scores(*rows, folds, **units)


PROCEDURES = {
    "paired_t": on({"unit": "seed"}, paired_t, (2, 12)),
    "corrected_t, random splits": on({"n_train": 20, "n_test": 10}, corrected_t, (3, 12)),
    "corrected_t, partition": on({"n_repeats": 1}, corrected_t, (3, 12)),
    "bouckaert_t": on({"n_repeats": 10}, partial(corrected_t, calibrated=True), (100, 100)),
    "five_by_two_f": Procedure(
        five_by_two_f, {"n_repeats": 5}, {}, (10, 10), ("two-sided",), order_free=False
    ),
    "five_by_two_t": in_order({"n_repeats": 5}, five_by_two_t, 10),
    "block_jackknife_t": in_order({"n_blocks": 4}, block_jackknife_t, 12),
    "clustered_t": in_order({"groups": list("eaabcccdeffg")}, clustered_t, 12),
    **{
        f"diebold_mariano, {horizon}": in_order(
            {"unit": "instance", "ordered": True}, diebold_mariano, 12, horizon=horizon
        )
        for horizon in (None, 1, 2, 5)
    },
    "projection_t": in_order({}, projection_t, 32, kind=halves),
    "projection_t, weights": in_order(
        {"sample_weight": [1, 2, 3, 4, 4, 3, 2, 1]}, projection_t, 32, kind=halves
    ),
    "projection_t, groups": in_order(
        {"groups": list("abcdefgh")}, projection_t, 32, kind=halves
    ),
    "wilcoxon, pratt": on({"unit": "instance"}, wilcoxon, (1, 12)),
    "wilcoxon, wilcox": on({"unit": "dataset"}, wilcoxon, (1, 12), zero_method="wilcox"),
    "wilcoxon, zsplit": on({"unit": "dataset"}, wilcoxon, (1, 12), zero_method="zsplit"),
    "wilcoxon, many": on({"unit": "instance"}, wilcoxon, (60, 70)),
    "wilcoxon, normal": on({"unit": "instance"}, wilcoxon, (1, 12), method="asymptotic"),
    "sign": on({"unit": "seed"}, sign, (1, 12)),
    "sign_flip, counted": on({"unit": "seed"}, sign_flip, (1, 9)),
    "sign_flip, drawn": Procedure(
        sign_flip, {"unit": "seed"}, {"rng": 0, "n_resamples": 99}, (21, 25), order_free=False
    ),
}
T_PROCEDURES = {
    name: procedure
    for name, procedure in PROCEDURES.items()
    if procedure.function not in (wilcoxon, sign, sign_flip)
}

every_procedure = pytest.mark.parametrize("procedure", PROCEDURES.values(), ids=PROCEDURES)
every_t_at_once = in_one_test("procedure", T_PROCEDURES.values(), ids=T_PROCEDURES)
every_at_once = in_one_test("procedure", PROCEDURES.values(), ids=PROCEDURES)
every_t_procedure = pytest.mark.parametrize(
    "procedure", T_PROCEDURES.values(), ids=T_PROCEDURES
)


@st.composite
def asked(draw, procedure, max_size=1000):
    """Draw scores with three decimals, which tie and carry float noise, and a question."""
    n = draw(st.integers(*procedure.n))
    if n > 30:  # long lists are slow to draw
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        thousandths = rng.integers(0, max_size, (2, n), endpoint=True)
    else:
        scores = st.lists(st.integers(0, max_size), min_size=n, max_size=n)
        thousandths = np.array([draw(scores), draw(scores)])
    a, b = thousandths / 1000
    return a, b, draw(st.sampled_from(procedure.alternatives))


def same(found, expected, scale=1.0):
    """Whether two numbers or intervals are equal up to float noise, nan included."""
    return found == pytest.approx(expected, rel=1e-9, abs=1e-9 * scale, nan_ok=True)


@every_procedure
@several
@given(data=st.data())
def test_changing_places_flips_the_effect_and_keeps_p(procedure, data):
    a, b, alternative = data.draw(asked(procedure))
    level = data.draw(LEVELS)
    here = procedure(procedure.sample(a, b), alternative)
    there = procedure(procedure.sample(b, a), FLIPPED[alternative])
    assert there.estimate == -here.estimate
    # To the last bit: a verdict must not depend on which system is called A.
    assert there.pvalue == here.pvalue or (math.isnan(here.pvalue) and math.isnan(there.pvalue))
    low, high = here.confidence_interval(level)
    np.testing.assert_array_equal(there.confidence_interval(level), (-high, -low))
    if math.isnan(here.pvalue):
        assert math.isinf(here.statistic)
    else:
        assert 0 < here.pvalue <= 1
        if "normal" not in here.test:  # the law of few units has no tails that thin
            assert here.pvalue >= here.smallest_pvalue * (1 - 1e-12)


@every_procedure
@several
@given(
    data=st.data(),
    factor=st.sampled_from([1, 1e-6, 0.1, 1 / 3, 7.0, 100.0, 1e9]),
    shift=st.sampled_from([0, -1.0, 0.1, 1 / 3, 10.0]),
)
def test_neither_order_of_units_nor_unit_and_zero_of_scores_matter(
    procedure, data, factor, shift
):
    a, b, alternative = data.draw(asked(procedure))
    order = range(len(a))
    if procedure.order_free:
        order = data.draw(st.permutations(order))
    here = procedure(procedure.sample(a, b), alternative)
    moved = (factor * (each[list(order)] + shift) for each in (a, b))
    there = procedure(procedure.sample(*moved), alternative)
    assert same(there.pvalue, here.pvalue)
    assert same(there.estimate, factor * here.estimate, scale=factor)
    low, high = here.confidence_interval()
    assert same(there.confidence_interval(), (factor * low, factor * high), scale=factor)
    for name in here.effect_sizes.keys() - {OF_TEN}:
        assert same(there.effect_sizes[name], here.effect_sizes[name])


@every_procedure
@several
@given(data=st.data(), power=st.sampled_from([-180, -100, 100, 180]))
def test_scores_in_any_unit_are_judged_alike(procedure, data, power):
    a, b, alternative = data.draw(asked(procedure))
    level = data.draw(LEVELS)
    here = procedure(procedure.sample(a, b), alternative)
    there = procedure(procedure.sample(a * 2.0**power, b * 2.0**power), alternative)
    # Powers of two change no digit, and so nothing may change but the unit.
    np.testing.assert_array_equal(there.pvalue, here.pvalue)
    np.testing.assert_array_equal(there.estimate, np.ldexp(here.estimate, power))
    limits = np.ldexp(here.confidence_interval(level), power)
    np.testing.assert_array_equal(there.confidence_interval(level), limits)
    for name in here.effect_sizes.keys() - {OF_TEN}:
        np.testing.assert_array_equal(there.effect_sizes[name], here.effect_sizes[name])
    if OF_TEN in here.effect_sizes:
        assert there.effect_sizes[OF_TEN] == np.ldexp(here.effect_sizes[OF_TEN], power)


@every_t_procedure
@several
@given(data=st.data(), level=LEVELS)
def test_the_interval_excludes_zero_exactly_when_the_test_rejects(procedure, data, level):
    # A narrow range beside a drawn advantage, so that both verdicts occur.
    a, b, alternative = data.draw(asked(procedure, max_size=50))
    a = a + data.draw(st.sampled_from([-0.05, -0.02, 0.0, 0.02, 0.05]))
    outcome = procedure(procedure.sample(a, b), alternative)
    assume(not math.isnan(outcome.pvalue))
    assume(abs(outcome.pvalue - (1 - level)) > 1e-9)
    low, high = outcome.confidence_interval(level)
    # The interval of F can be empty (nan): then F rejects every shift.
    assert (not low <= 0 <= high) == (outcome.pvalue < 1 - level)


@in_one_test("procedure", [sign, wilcoxon, sign_flip])
@in_one_test("alternative", FLIPPED)
@in_one_test("level", [0.5, 0.8, 0.95, 0.99])
@in_one_test("n", [4, 7, 11])
def test_limits_are_the_shifts_that_the_test_just_keeps(procedure, alternative, level, n):
    differences = np.random.default_rng(n).normal(0.3, 1, n)

    def asked(shift=0.0):
        sample = PairedScores(differences - shift, np.zeros(n), unit="instance")
        return procedure(sample, alternative=alternative)

    for limit, inwards in zip(asked().confidence_interval(level), (1, -1), strict=True):
        if math.isinf(limit):
            assert math.copysign(1, limit) == -inwards
            assert asked(-1e6 * inwards).pvalue > 1 - level
        else:
            assert asked(limit + 1e-6 * inwards).pvalue > 1 - level
            assert asked(limit - 1e-6 * inwards).pvalue <= 1 - level + 1e-12


@every_at_once
@in_one_test("noise", [False, True], ids=["exact", "noise"])
def test_identical_scores_show_no_difference(procedure, noise):
    a = np.tile([0.3, 0.7, 0.9, 0.55, 0.0], 20)[: procedure.n[1]]
    b = np.where(a == 0.3, 0.1 + 0.2, a) if noise else a
    assert np.any(a != b) == noise
    for alternative in procedure.alternatives:
        outcome = procedure(procedure.sample(a, b), alternative)
        assert (outcome.estimate, outcome.pvalue) == (0, 1)
        # Half of the ranks of the zeros, whichever side wins.
        split = "zsplit" in str(procedure.options)
        n = procedure.n[1]
        assert outcome.statistic == (n * (n + 1) / 4 if split else 0)
        low, high = outcome.confidence_interval()
        assert {low, high} <= {0, -math.inf, math.inf}
        assert low <= 0 <= high
        assert outcome.effect_sizes["rank-biserial"] == 0


@every_t_at_once
@in_one_test("sign", [1, -1], ids=["better", "worse"])
@in_one_test("noise", [False, True], ids=["exact", "noise"])
def test_a_constant_difference_is_no_proof(procedure, sign, noise):
    b = np.tile([0.3, 0.7, 0.9, 0.55, 0.6] if noise else [0.25, 0.5], 50)[: procedure.n[1]]
    difference = 0.05 if noise else 0.125  # 0.35 - 0.3 is not 0.75 - 0.7
    a = b + sign * difference
    assert (len(np.unique(a - b)) > 1) == noise
    for alternative in procedure.alternatives:
        outcome = procedure(procedure.sample(a, b), alternative)
        directed = procedure.function is not five_by_two_f
        assert outcome.statistic == (sign * math.inf if directed else math.inf)
        assert math.isnan(outcome.pvalue)
        assert all(map(math.isnan, outcome.confidence_interval()))
        assert outcome.estimate == pytest.approx(sign * difference)


@in_one_test("procedure", [wilcoxon, sign, sign_flip])
@in_one_test("n", [8, 25])
def test_a_constant_difference_is_a_clean_sweep_for_sign_patterns(procedure, n):
    b = np.random.default_rng(0).integers(10, 90, n) / 100
    outcome = procedure(PairedScores(b + 0.05, b, unit="dataset"))
    assert outcome.pvalue == pytest.approx(2 / 2**n, rel=1e-12)
    assert outcome.confidence_interval() == pytest.approx((0.05, 0.05))


@every_at_once
def test_directions_add_up(procedure):
    with pytest.raises(ValueError, match="alternative='bigger'"):
        procedure(procedure.sample(*sure(procedure)), "bigger")
    if procedure.alternatives == ("two-sided",):
        with pytest.raises(ValueError, match="no direction"):
            procedure(procedure.sample(*sure(procedure)), "greater")
        return
    a, b = sure(procedure)
    two, less, greater = (
        procedure(procedure.sample(a, b), alternative).pvalue
        for alternative in ("two-sided", "less", "greater")
    )
    assert greater < 0.5 < less
    assert less + greater >= 1 - 1e-12
    # Drawn one-sided and two-sided p-values count patterns of their own.
    drawn = procedure.options.get("n_resamples") is not None
    assert two == pytest.approx(2 * greater, abs=0.1 if drawn else 1e-12)


def sure(procedure):
    """Scores on which A is better, with a few losses."""
    rng = np.random.default_rng(12)
    n = procedure.n[1]
    b = rng.normal(0.7, 0.05, n)
    return b + rng.normal(0.01, 0.01, n), b


@every_at_once
def test_estimand_and_hypothesis_speak_of_the_units(procedure):
    sample = procedure.sample(*sure(procedure))
    outcome = procedure(sample)
    what = {
        "split": "training sets of",
        "instance": "instances, for these two fitted systems",
        "seed": "seeds, for this data set",
        "dataset": "data sets",
        "group": "instances, for these two fitted systems",
    }[sample.unit]
    assert what in outcome.estimand
    assert outcome.estimand != outcome.null_hypothesis
    assert outcome.assumptions


def splits(n=10, **units):
    rng = np.random.default_rng(n)
    b = rng.normal(0.7, 0.05, n)
    return PairedScores(b + rng.normal(0.01, 0.01, n), b, **({"unit": "split"} | units))


def one_system(sample, **units):
    return Scores(sample.a, **({"unit": "split"} | units))


INDEPENDENT = [paired_t, wilcoxon, sign, sign_flip]


@in_one_test(
    "name, ask",
    [
        *(
            (procedure.__name__, partial(procedure, sample))
            for procedure in INDEPENDENT
            for sample in (splits(), splits(n_train=20, n_test=10), splits(n_repeats=5))
        ),
        ("paired_t", partial(paired_t, one_system(splits()).against(0.5))),
    ],
)
def test_splits_taken_for_independent_are_warned_of(name, ask):
    with pytest.warns(DependenceWarning) as caught:
        ask()
    assert [warning.filename for warning in caught] == [__file__]
    assert f"{name} treats its units as independent" in str(caught[0].message)
    assert "corrected_t" in str(caught[0].message)


@in_one_test(
    "ask",
    [
        lambda: corrected_t(splits(n_train=20, n_test=10)),
        lambda: corrected_t(splits(n_repeats=1)),
        lambda: projection_t(halves(*np.random.default_rng(0).random((2, 32)))),
        lambda: corrected_t(splits(100, n_repeats=10), calibrated=True),
        lambda: five_by_two_f(splits(n_repeats=5)),
        lambda: five_by_two_t(splits(n_repeats=5)),
        lambda: corrected_t(one_system(splits(), n_repeats=1).against(0.5)),
        lambda: paired_t(Scores([0.7, 0.8, 0.6], unit="seed").against(0.5)),
        lambda: effect_sizes(splits()),
        *(
            partial(procedure, splits(unit=unit))
            for procedure in INDEPENDENT
            for unit in ("instance", "seed", "dataset")
        ),
    ],
)
def test_nothing_else_is_warned_of(ask):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert ask()
    assert caught == []
