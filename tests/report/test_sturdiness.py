"""How firmly a report stands: on how few units, on which prior and region."""

import math
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate
from scipy import stats as scipy_stats

import skstat
from skstat.stats import sign_posterior
from tests.cases import in_one_test
from tests.contract import changed, check_forms

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
    found = re.search(r"^\| Leaving out [a-z ]+ \| (.*) \|$", report.to_markdown(), re.M)
    return "" if found is None else found[1]


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


def test_outliers_are_doubted_and_a_p_near_the_level_is_not():
    def codes(differences, **options):
        scores = {"new": differences, "old": 0 * differences}
        report = skstat.compare_scores(scores, unit="instance", **options)
        assert report.verdict == "better"
        return {doubt.code: doubt for doubt in report.doubts}

    doubt = codes(outliers())["SKS129"]
    assert doubt.weight == "weak" and "of 5000 instances" in doubt.text
    assert "SKS129" not in codes(outliers(pvalue_t=2.05))
    bell = np.random.default_rng(0).normal(size=5000)
    assert "SKS129" not in codes(bell - bell.mean() + 2.8 / math.sqrt(5000))


# --- other priors and regions ---

RNG = np.random.default_rng(1)
SCORES = {"a": 0.82 + 0.05 * RNG.random(10), "b": 0.8 + 0.05 * RNG.random(10)}
OVER = {"a": RNG.normal(0.81, 0.04, 12), "b": RNG.normal(0.78, 0.04, 12)}


def of_scores(**more):
    return skstat.compare_scores(SCORES, n_train=90, n_test=10, **more)


def of(reading):
    return reading.better, reading.same, reading.worse


def test_the_first_is_the_report_and_other_regions_are_those_of_other_reports():
    report = of_scores(rope=0.01)
    found = report.sensitivity()
    first, *others = found.readings
    assert first.asked and not any(each.asked for each in others)
    assert of(first) == report.evidence.posterior.probabilities
    assert [each.rope for each in others] == [0.01, 0, 0.005, 0.005, 0.02, 0.02]
    check_forms(found)
    for reading in report.sensitivity([0.03]).readings:
        if reading.prior == "flat":
            other = of_scores(rope=reading.rope).evidence.posterior
            assert_allclose(of(reading), other.probabilities)


def test_a_sceptical_prior_by_quadrature():
    report, rope = of_scores(rope=0.01), 0.01
    (found,) = (one for one in report.sensitivity([]).readings if one.prior == "sceptical")
    law = report.evidence.posterior
    prior = scipy_stats.norm(0, rope / scipy_stats.norm.ppf(0.75))
    assert_allclose(prior.cdf(rope) - prior.cdf(-rope), 0.5)

    def height(at):
        z = (at - law.estimate) / law.spread
        return scipy_stats.t.pdf(z, law.df) * prior.pdf(at)

    ends = ((-1, -rope), (-rope, rope), (rope, 1))
    below, inside, above = (integrate.quad(height, *each)[0] for each in ends)
    expected = np.array((above, inside, below)) / (below + inside + above)
    assert_allclose(of(found), expected, atol=1e-3)


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_over_data_sets_the_prior_is_put_elsewhere(test):
    report = skstat.compare_scores(OVER, unit="dataset", rope=0.01, test=test, random_state=0)
    found = report.sensitivity([]).readings
    assert len(found) == 3
    every, posterior = np.array([*map(of, found)]), report.evidence.posterior
    low, high = posterior.lowest, posterior.highest
    assert_allclose((every.min(axis=0), every.max(axis=0)), (low, high))
    if test == "sign":
        expected = sign_posterior(report.evidence.sample, 0.01, prior="better").probabilities
        assert_allclose(of(found[1]), expected)


def test_right_and_wrong():
    outputs = {"a": np.arange(60) > 5, "b": np.arange(60) < 50}
    outputs = {name: right.astype(int) for name, right in outputs.items()}
    report = skstat.compare_predictions(np.ones(60), outputs, metric="accuracy", rope=0.05)
    found = report.sensitivity([])
    two = [f"two rows for {name}" for name in ("a", "b", "neither")]
    assert [each.prior for each in found.readings] == ["Jeffreys", *two, "sceptical"]
    posterior = report.evidence.posterior
    low, high = posterior.lowest, posterior.highest
    every = [each.better for each in found.readings[:4]]
    assert_allclose((min(every), max(every)), (low.better, high.better))
    assert "two rows for b" in str(found).replace("\n", " ")


def test_what_is_refused():
    three = skstat.compare_scores({**SCORES, "c": SCORES["a"]}, n_train=90, n_test=10)
    with pytest.raises(ValueError, match="no probabilities whose sensitivity"):
        three["a", "b"].sensitivity()
    for ropes in ([-0.1], ["0.1"], [np.nan]):
        with pytest.raises(ValueError, match="ropes=.* must be a finite number"):
            of_scores(rope=0.01).sensitivity(ropes)
