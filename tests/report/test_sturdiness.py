"""The line on how few units a verdict rests on, and the doubt."""

import json
import math
import pickle
import re

import numpy as np

import skstat
from skstat.stats import AgreementTable, PairedScores, mcnemar, paired_t
from tests.cases import in_one_test
from tests.contract import changed

Y = [1] * 100
RIGHT = {"new": [1] * 90 + [0] * 10, "old": [1] * 60 + [0] * 30 + [1] * 10}


def accuracy(**options):
    return skstat.compare_predictions(Y, RIGHT, metric="accuracy", **options)


def outliers(n=5000, pvalue_t=2.8):
    """Return differences that a t test finds, because of the largest."""
    x = np.random.default_rng(0).lognormal(0, 1.8, size=n)
    return x - x.mean() + pvalue_t * x.std() / math.sqrt(n)


def sturdy_line(report):
    """Return the line on what the verdict rests on, from the Markdown; empty without one."""
    found = re.search(
        r"^\| Leaving out [a-z ]+ \| (.*) \|$", report.to_markdown(), re.MULTILINE
    )
    return "" if found is None else found[1]


def test_the_details_have_a_line_and_the_first_sight_has_none():
    report = accuracy()
    found = report.sturdiness()
    assert (found.n_to_undecide, found.n_to_reverse, found.is_exact) == (9, 20, True)
    assert sturdy_line(report) == (
        "without 9 of 100 instances (9%) that favour new most, the difference would not be "
        "significant; fewer are not enough; without 20 (20%) it would not favour new"
    )
    assert "Leaving out instances" in report.details and "Leaving out" not in str(report)
    swapped = report["old", "new"]
    assert sturdy_line(swapped) == sturdy_line(report)
    restored = skstat.report_from_dict(json.loads(report.to_json()))
    sent = pickle.loads(pickle.dumps(accuracy()))
    assert restored.sturdiness() == sent.sturdiness() == found


def test_the_test_of_the_report_is_asked_again():
    report = accuracy(test="mcnemar", confidence_level=0.9, alternative="greater")
    found, (both, a, b, neither) = report.sturdiness(), (60, 30, 10, 0)
    ps = [mcnemar(AgreementTable(both, a - k, b, neither), alternative="greater").pvalue
          for k in range(found.n_to_undecide - 1, found.n_to_undecide + 1)]  # fmt: skip
    assert ps[0] < 0.1 <= ps[1]


SPLITS = {"n_train": 60, "n_test": 30, "n_repeats": 2}
LEAD = np.linspace(0.1, 0.3, 12)


@in_one_test(
    "why, scores, options",
    [
        ("undecided", LEAD - 0.2, {"unit": "dataset"}),
        ("splits", LEAD, SPLITS),
        ("not valid", LEAD, {"unit": "split", "test": "paired_t"}),
        ("identical", 0 * LEAD, {"unit": "dataset"}),
    ],
)
def test_where_there_is_nothing_honest_to_say_it_says_nothing(why, scores, options):
    sample = {"a": 0.5 + scores, "b": np.full(12, 0.5)}
    report = skstat.compare_scores(sample, **options)
    assert report.sturdiness() is None and not sturdy_line(report), why
    assert report.to_dict()["evidence"]["sturdy"] is None
    if why == "not valid":
        assert changed(accuracy(), doubts=report.doubts).sturdiness() is None


def test_a_function_of_the_users_own_is_asked_once_and_pairs_of_several_are_left_out():
    asked = []

    def own(sample, *, alternative="two-sided"):
        asked.append(sample)
        return paired_t(sample, alternative=alternative)

    scores = {"a": LEAD, "b": 0 * LEAD}
    report = skstat.compare_scores(scores, unit="dataset", test=own)
    three = skstat.compare_scores({**scores, "c": 0.1 + 0 * LEAD}, unit="dataset")
    for pair in (report, three["a", "b"]):
        assert pair.sturdiness() is None and "Leaving out" not in pair.details
    assert len(asked) == 1


def test_outliers_are_doubted_and_a_p_near_the_level_is_not():
    def codes(differences, **options):
        sample = PairedScores(differences, 0 * differences, unit="instance")
        report = skstat.compare_scores(sample, names=("new", "old"), **options)
        assert report.verdict == "better"
        return {doubt.code: doubt for doubt in report.doubts}

    doubt = codes(outliers())["SKS129"]
    assert doubt.weight == "weak" and "of 5000 instances" in doubt.text
    assert "SKS129" not in codes(outliers(pvalue_t=2.05))
    bell = np.random.default_rng(0).normal(size=5000)
    assert "SKS129" not in codes(bell - bell.mean() + 2.8 / math.sqrt(5000))
