"""How much probabilities depend on prior and region; and their draws, for ArviZ."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate
from scipy import stats as scipy_stats

import skstat
from skstat.stats import sign_posterior
from tests.contract import check_forms

RNG = np.random.default_rng(1)
FOLDS = {"n_train": 90, "n_test": 10}
SCORES = {"a": 0.82 + 0.05 * RNG.random(10), "b": 0.8 + 0.05 * RNG.random(10)}
OVER = {"a": RNG.normal(0.81, 0.04, 12), "b": RNG.normal(0.78, 0.04, 12)}


def of_scores(**more):
    return skstat.compare_scores(SCORES, **FOLDS, **more)


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
            assert_allclose(
                of(reading), of_scores(rope=reading.rope).evidence.posterior.probabilities
            )


def test_a_sceptical_prior_by_quadrature():
    report, rope = of_scores(rope=0.01), 0.01
    (found,) = (one for one in report.sensitivity([]).readings if one.prior == "sceptical")
    law = report.evidence.posterior
    prior = scipy_stats.norm(0, rope / scipy_stats.norm.ppf(0.75))
    assert_allclose(prior.cdf(rope) - prior.cdf(-rope), 0.5)

    def height(at):
        z = (at - law.estimate) / law.spread
        return scipy_stats.t.pdf(z, law.df) * prior.pdf(at)

    below, inside, above = (
        integrate.quad(height, *ends)[0] for ends in ((-1, -rope), (-rope, rope), (rope, 1))
    )
    expected = np.array((above, inside, below)) / (below + inside + above)
    assert_allclose(of(found), expected, atol=1e-3)


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_over_data_sets_the_prior_is_put_elsewhere(test):
    report = skstat.compare_scores(OVER, unit="dataset", rope=0.01, test=test, random_state=0)
    found = report.sensitivity([]).readings
    assert len(found) == 3
    every, (low, high) = np.array([*map(of, found)]), report.evidence.posterior.bounds
    assert_allclose((every.min(axis=0), every.max(axis=0)), (low, high))
    if test == "sign":
        expected = sign_posterior(report.evidence.sample, 0.01, prior="better").probabilities
        assert_allclose(of(found[1]), expected)


def test_right_and_wrong():
    outputs = {"a": np.arange(60) > 5, "b": np.arange(60) < 50}
    outputs = {name: right.astype(int) for name, right in outputs.items()}
    report = skstat.compare_predictions(np.ones(60), outputs, metric="accuracy", rope=0.05)
    found = report.sensitivity([])
    assert [each.prior for each in found.readings] == [
        "Jeffreys", "two rows for A", "two rows for B", "two rows for neither", "sceptical",
    ]  # fmt: skip
    low, high = report.evidence.posterior.bounds
    every = [each.better for each in found.readings[:4]]
    assert_allclose((min(every), max(every)), (low.better, high.better))
    assert "two rows for b" in str(found).replace("\n", " ")


def test_what_the_sentence_says():
    sure = {"a": [x + 0.3 for x in SCORES["a"]], "b": SCORES["b"]}
    report = skstat.compare_scores(sure, **FOLDS, rope=0.01)
    said = report.sensitivity([0.02]).conclusion
    assert "does not depend on prior and region (tried: 4): a is better" in said
    depends = report.sensitivity([5.0]).conclusion
    assert "something else): as asked a is better; elsewhere (region: ±5; " in depends


def test_what_is_refused():
    three = skstat.compare_scores({**SCORES, "c": SCORES["a"]}, **FOLDS)
    with pytest.raises(ValueError, match="no probabilities whose sensitivity"):
        three["a", "b"].sensitivity()
    for ropes in ([-0.1], ["0.1"], [np.nan]):
        with pytest.raises(ValueError, match="ropes=.* must be a finite number"):
            of_scores(rope=0.01).sensitivity(ropes)
