"""Numbers of mean_ranks.R."""

import pytest

from skstat.stats import nemenyi, pairwise_mean_ranks

# Of out - narrow, out - wide and narrow - wide.
PAIRS = (("out", "narrow"), ("out", "wide"), ("narrow", "wide"))


def test_normal(rounding_times):
    outcome = pairwise_mean_ranks(rounding_times)
    assert outcome.pairs == PAIRS
    statistics = [abs(pair.statistic) for pair in outcome.outcomes]
    expected = [0.904534033733292, 3.16586911806652, 2.26133508433323]
    assert statistics == pytest.approx(expected, rel=1e-13)
    expected = [0.365712296281513, 0.00154620347708074, 0.0237385152500546]
    assert outcome.pvalues == pytest.approx(expected, rel=1e-12)


def test_nemenyi(rounding_times):
    outcome = nemenyi(rounding_times)
    assert outcome.pairs == PAIRS
    expected = [0.637427167018665, 0.00440982044545224, 0.0613707592551845]
    assert outcome.adjusted_pvalues == pytest.approx(expected, rel=1e-9)
    assert outcome.critical_difference(0.05) == pytest.approx(0.70665231554607, rel=1e-9)
    means = [2.40909090909091, 2.13636363636364, 1.45454545454545]
    assert rounding_times.mean_ranks == pytest.approx(means, rel=1e-13)


def test_bonferroni_dunn(rounding_times):
    outcome = nemenyi(rounding_times, control="wide")
    assert {frozenset(pair) for pair in outcome.pairs} == {
        frozenset(pair) for pair in PAIRS if "wide" in pair
    }
    expected = [0.00309240695416148, 0.0474770305001092]
    assert outcome.adjusted_pvalues == pytest.approx(expected, rel=1e-12)
    assert outcome.critical_difference(0.05) == pytest.approx(0.675808350140434, rel=1e-13)


@pytest.mark.parametrize(
    "ranking, statistics, pvalues",
    [
        (
            "friedman",
            [1.04673405118638, 3.66356917915232, 2.61683512796594],
            [0.30120902143937, 0.000691453476085365, 0.0122828573478989],
        ),
        (
            "quade",
            [1.40600406764601, 3.54430192052433, 2.13829785287831],
            [0.167078336926072, 0.00098108907173276, 0.0383545510279667],
        ),
    ],
)
def test_conover(rounding_times, ranking, statistics, pvalues):
    outcome = pairwise_mean_ranks(rounding_times, ranking=ranking, method="t")
    assert outcome.pairs == PAIRS
    found = [abs(pair.statistic) for pair in outcome.outcomes]
    assert found == pytest.approx(statistics, rel=1e-12)
    assert outcome.pvalues == pytest.approx(pvalues, rel=1e-11)


def test_conover_adjusted(rounding_times):
    outcome = pairwise_mean_ranks(rounding_times, method="t")
    expected = [0.30120902143937, 0.0020743604282561, 0.0245657146957979]
    assert outcome.adjusted_pvalues == pytest.approx(expected, rel=1e-11)
