"""The order in which two systems are asked for is the order of the answer."""

import numpy as np
import pytest

from skstat import compare_predictions, compare_scores, report_from_dict
from tests.cases import in_one_test

pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
N = 300
TRUTH = RNG.integers(0, 2, N)
KIND = RNG.choice(["E", "W"], N)
SKILLS = {"old": 0.7, "new": 0.85, "other": 0.72}


def guesses(skill):
    return np.where(RNG.random(N) < skill, TRUTH, 1 - TRUTH)


ANSWERS = {name: guesses(skill) for name, skill in SKILLS.items()}
PROBABILITIES = {
    name: np.clip(0.2 + 0.6 * own + RNG.normal(0, 0.15, N), 0.01, 0.99)
    for name, own in ANSWERS.items()
}
SCORES = {name: RNG.normal(mean, 1, 40) for name, mean in (("old", 0), ("new", 1), ("x", 0.1))}
OPPOSITE = {"better": "worse", "worse": "better"}
# Numbers of a row that change sign or place in the other order; all others stay.
SIGNED = ("difference",)
SWAPPED = {"first_mean": "second_mean", "p_better": "p_worse"}
SAME = ("pvalue", "adjusted_pvalue", "equivalence_pvalue", "p_same", "n")


def predictions(outputs=ANSWERS, metric="accuracy", **options):
    options = {"n_resamples": 199, "random_state": 0} | options
    return compare_predictions(TRUTH, outputs, metric=metric, **options)


def close(numbers, others):
    assert np.asarray(numbers, float) == pytest.approx(np.asarray(others, float), nan_ok=True)


def check_mirror(one, other):
    assert other.names == one.names[::-1] and other.better == one.better
    assert OPPOSITE.get(one.verdict, other.verdict) == other.verdict
    row, mirrored = (report.to_frame().iloc[0] for report in (one, other))
    close([mirrored[name] for name in SAME], [row[name] for name in SAME])
    close([mirrored[name] for name in SIGNED], [-row[name] for name in SIGNED])
    for name, twin in SWAPPED.items():
        close((mirrored[name], mirrored[twin]), (row[twin], row[name]))
    low, high = one.confidence_interval(0.8)
    close(other.confidence_interval(0.8), (-high, -low))
    assert str(report_from_dict(other.to_dict())) == str(other)
    a, b = other.names
    if one.better is not None:
        words = other.results_text(style="apa")
        assert f"({a} − {b})" in words or f"(rank of {b} − rank of {a})" in words


@in_one_test("metric, outputs", [("accuracy", ANSWERS), ("neg_log_loss", PROBABILITIES)])
def test_the_order_in_which_systems_come_does_not_matter(metric, outputs):
    found, asked = (
        predictions(given, metric, by=KIND)["new", "old"]
        for given in (outputs, dict(reversed(outputs.items())))
    )
    assert found.systems == asked.systems == ("new", "old")
    for one, other in zip(found.reports.values(), asked.reports.values(), strict=True):
        assert one.verdict == other.verdict
        close(one.estimate, other.estimate)
        # Draws in another order: limits differ by Monte Carlo error.
        ends = one.confidence_interval(), other.confidence_interval()
        assert np.abs(np.subtract(*ends)).max() < 0.02


@in_one_test("metric", ["accuracy", "f1"])
def test_a_pair_in_slices_is_turned_as_a_whole(metric):
    report = predictions(metric=metric, by={"kind": KIND}, margin=0.1)
    for a, b in (("old", "new"), ("new", "other")):
        one, other = report[a, b], report[b, a]
        assert (one.systems, other.systems) == ((a, b), (b, a))
        assert (one.worse_in, one.better_in) == (other.better_in, other.worse_in)
        check_mirror(one.overall, other.overall)
        for name in one:
            check_mirror(one[name], other[name])
        drawn = [[*grid.pairs[0].shrunken.values()] for grid in (one, other)]
        close(drawn[1], np.negative(drawn[0]))
        assert other.title == f"{b} against {a}, in slices of the rows"
        assert f"Difference: {b} − {a}" in str(other)
        assert report_from_dict(other.to_dict()).verdicts == other.verdicts
    # That new is not worse than old anywhere is shown, whichever way the pair is stored.
    assert report["new", "old"].not_worse_anywhere
    assert not report["old", "new"].not_worse_anywhere


def test_a_name_stands_for_its_pair_with_the_control():
    report = predictions(control="old")
    assert report["new"].names == ("new", "old") and report["new"].better == "new"
    assert report["old", "new"].names == ("old", "new")
    report = compare_scores(SCORES["new"], constant=0.0, unit="seed")  # known in advance
    with pytest.raises(ValueError, match="has this order only"):
        report[report.names[::-1]]
    by = predictions(control="old", by=KIND)
    assert by["new"].systems == ("new", "old") and by["old", "new"].systems == ("old", "new")
