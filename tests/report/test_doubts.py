"""The catalogue of doubts; what triggers each is tested where it arises."""

import re

import numpy as np

from skstat import compare_scores
from skstat.report import DOUBTS
from skstat.stats import PairedScores


def codes(report):
    return {doubt.code for doubt in report.doubts}


def test_codes_are_unique_sorted_and_explained():
    found = [kind.code for kind in DOUBTS]
    assert found == sorted(set(found))
    for kind in DOUBTS:
        assert re.fullmatch(r"SKS\d{3}", kind.code)
        assert kind.title and kind.advice.endswith(".")


def test_doubts_link_to_their_page():
    report = compare_scores({"a": [1.0, 2, 3], "b": [1.0, 1, 1]}, unit="split", test="paired_t")
    assert report.doubts[0].url.endswith("doubts.html#sks101")
    assert report.to_dict()["doubts"][0]["url"] == report.doubts[0].url


def sample(d, **units):
    return PairedScores(np.asarray(d) + 0.5, np.full(len(d), 0.5), **units)


def test_ties():
    tied = [0.0] * 8 + [0.01] * 4
    assert "SKS204" in codes(compare_scores(sample(tied, n_train=90, n_test=45)))
    assert "SKS204" not in codes(compare_scores(sample(tied[5:], n_train=90, n_test=45)))
    # Most instances are ties between any two classifiers.
    assert "SKS204" not in codes(compare_scores(sample(tied, unit="instance")))


def test_no_interval_for_five_by_two():
    d = np.repeat([0.3, -0.3, 0.3, -0.3, 0.3], 2) + np.tile([1e-3, -1e-3], 5)
    report = compare_scores(sample(d, n_repeats=5))
    assert "SKS205" in codes(report)
    assert np.isnan(report.confidence_interval().low)
    assert "none exists" in report.conclusion


def test_direction_needs_a_clear_disagreement():
    assert "SKS203" not in codes(compare_scores(sample([0.1, -0.2, 0.05, 0.06], unit="seed")))
    assert "SKS203" in codes(compare_scores(sample([0.1] * 9 + [-1.0] * 2, unit="seed")))


def test_bare_repeated_folds_come_from_learners_nobody_knows():
    d = np.random.default_rng(0).normal(size=100)
    report = compare_scores(sample(d, n_repeats=10))
    doubt = next(doubt for doubt in report.doubts if doubt.code == "SKS103")
    assert "the learners behind these scores are not known" in doubt.text
