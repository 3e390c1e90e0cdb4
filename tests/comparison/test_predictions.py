"""Predictions on one test set: choices, numbers from outside, units and refusals."""

import math
import re
from itertools import count

import numpy as np
import pytest
from scipy import stats as scipy_stats

import skstat
from skstat.metrics import cost_sensitive_scorer
from tests.cases import refusals
from tests.comparison.systems import GROUPS, LABELS, THREE, N, Y, ask
from tests.contract import check_report


def test_worked_numbers_of_tables():
    exact = skstat.mcnemar_test(table=[[54, 18], [6, 22]], method="exact")
    assert exact.pvalue == pytest.approx(0.0227, abs=5e-5)
    assert exact.estimate == pytest.approx(0.12)
    sign = skstat.stats.sign(
        skstat.stats.PairedScores([1] * 18 + [0] * 6, [0] * 18 + [1] * 6, unit="instance")
    )
    assert exact.pvalue == pytest.approx(sign.pvalue, abs=1e-15)
    corrected = skstat.mcnemar_test(table=[[54, 18], [6, 22]], method="edwards")
    assert corrected.evidence.outcome.critical_value(0.05) == pytest.approx(3.8415, abs=5e-5)
    assert corrected.evidence.outcome.critical_value(0.10) == pytest.approx(2.7055, abs=5e-5)
    six = skstat.binomial_test(successes=4, n=10, constant=0.7, alternative="less")
    five = skstat.binomial_test(successes=5, n=10, constant=0.7, alternative="less")
    assert six.pvalue == pytest.approx(0.0473, abs=5e-5)
    assert six.verdict == "worse" and five.verdict == "undecided"
    assert {six.evidence.outcome.critical_value(alpha) for alpha in (0.05, 0.10)} == {4}


def test_worked_numbers_of_ten_documents():
    a = np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    b = np.array([1, 1, 1, 0, 0, 0, 0, 1, 1, 0])
    asked = {"pvalue": "berg-kirkpatrick", "n_resamples": 99_999, "random_state": 0}
    report = skstat.paired_bootstrap_test(np.ones(10), a, b, metric="accuracy", **asked)
    assert report.estimate == pytest.approx(0.2)
    # share of d* >= 0.4 over the multinomial law of (only A, only B, ties)
    law = scipy_stats.multinomial(10, [0.4, 0.2, 0.4])
    exact = sum(
        law.pmf([x, z, 10 - x - z]) for x in range(11) for z in range(11 - x) if x - z >= 4
    )
    assert exact == pytest.approx(0.2684, abs=5e-5)
    assert report.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact / 1e5))


def test_costs():
    costs = np.array([[0, 1, 2], [2, 0, 1], [3, 1, 0]])
    asked = {"metric": {"neg_cost": cost_sensitive_scorer(costs)}, "random_state": 0}
    report = skstat.compare_predictions(Y, LABELS, **asked)
    a, b = (costs[Y, p].mean() for p in LABELS.values())
    assert report.estimate == pytest.approx(a - b)
    assert re.search(r" has a lower cost than \w+, by 0\.", report.conclusion)
    renamed = np.array(["x", "y", "z"])
    turned = cost_sensitive_scorer(costs[::-1, ::-1], labels=["z", "y", "x"])
    named = {name: renamed[labels] for name, labels in LABELS.items()}
    same = skstat.compare_predictions(renamed[Y], named, metric=turned, random_state=0)
    assert same.pvalue == report.pvalue
    with pytest.raises(TypeError, match="cost_matrix.*compare_predictions"):
        skstat.mcnemar_test(Y, *LABELS.values(), cost_matrix=costs)


def test_rows_are_put_in_time_order(rng):
    shuffled = rng.permutation(N)
    in_order = {"metric": "accuracy", "horizon": 3}
    again = {name: p[shuffled] for name, p in LABELS.items()}
    found = ask(Y[shuffled], again, order=shuffled, **in_order)
    assert found.pvalue == ask(order=range(N), **in_order).pvalue
    d = (LABELS["nb"] == Y) * 1.0 - (LABELS["tree"] == Y)
    c = d - d.mean()
    variance = (c @ c + 2 * sum(c[lag:] @ c[:-lag] for lag in (1, 2))) / N**2
    factor = (N + 1 - 6 + 3 * 2 / N) / N
    expected = d.mean() / math.sqrt(variance) * math.sqrt(factor)
    assert found.statistic == pytest.approx(expected)


def test_one_row_proves_nothing():
    def hit_rate(y, p):
        return float(y[0] == p[0])

    for metric in ("accuracy", "f1", hit_rate):
        for test in ("auto", "paired_bootstrap"):
            report = ask([1], {"a": [1], "b": [0]}, metric=metric, test=test)
            assert report.pvalue > 0.5 - 1e-12
            assert report.conclusion.startswith("No rejection is possible with 1 instance")


def test_tables_of_pandas_are_read_by_their_labels():
    pd = pytest.importorskip("pandas")
    right = {name: p == Y for name, p in LABELS.items()}
    table = pd.crosstab(right["nb"], right["tree"])
    assert skstat.mcnemar_test(table=table).estimate == pytest.approx(
        ask(metric="accuracy").estimate
    )


def test_a_metric_of_ones_own_with_a_kernel():
    class Hits:
        name, is_loss = "hits", False

        def kernel(self, predictions):
            return skstat.metrics.as_metric("accuracy").kernel(predictions)

    report = ask(metric=Hits())
    assert report.estimate == pytest.approx(ask(metric="accuracy").estimate)
    assert report.metric == "hits"


def test_metrics_are_found_by_the_names_that_the_caller_gives_them():
    gap = skstat.metrics.as_metric(lambda truth, said: 0.0, name="gap", higher_is_better=False)
    assert [*ask(metric={"own gap": gap, "right": "accuracy"})] == ["own gap", "right"]


def test_a_ratio_of_sums_is_no_mean_over_rows(rng):
    words = rng.integers(1, 30, N).astype(float)

    class ErrorRate(skstat.metrics.ScoreMetric):
        def kernel(self, predictions):
            total = words
            edits = [-(words * (p != Y)) for p in predictions.outputs.values()]
            if predictions.groups is not None:
                total = np.bincount(predictions.groups, total)
                edits = [np.bincount(predictions.groups, e) for e in edits]
            return skstat.stats.SumKernel(
                plan=predictions.plan, common=total[:, None],
                own=tuple(e[:, None] for e in edits),
                formula=lambda common, own: own[..., 0] / common[..., 0],
                is_mean=True, how="sums of edits and words",
            )  # fmt: skip

    metric = ErrorRate(name="error_rate", is_loss=True, function=len, known="accuracy_score")
    rate = [(words * (p != Y)).sum() / words.sum() for p in LABELS.values()]
    for groups in (None, GROUPS):
        report = ask(metric=metric, groups=groups, test="auto" if groups is not None else
                     "paired_permutation")  # fmt: skip
        assert report.estimate == pytest.approx(rate[0] - rate[1])


def test_undefined_resamples_are_redrawn_counted_and_told(rng):
    y = (np.arange(40) < 5).astype(int)  # missing from 5 in 1000 resamples
    scores = {"a": y + rng.normal(size=40), "b": rng.normal(size=40)}
    report = ask(y, scores, metric="roc_auc", n_resamples=1_999)
    assert report.evidence.outcome.law.n_redrawn > 0
    assert np.isfinite(report.evidence.outcome.law.replicates).all()
    kept = ask(y, scores, metric="roc_auc", strata=y, n_resamples=1_999)
    told = [any("drawn anew" in one.text for one in r.doubts) for r in (report, kept)]
    assert kept.evidence.outcome.law.n_redrawn == 0 and told == [True, False]
    with pytest.raises(ValueError, match="undefined on .* Pass strata=y_true"):
        ask((np.arange(40) < 2).astype(int), scores, metric="roc_auc", test="bootstrap")


def test_binomial():
    report = skstat.binomial_test(Y, LABELS["nb"], constant=0.5)
    check_report(report)
    expected = scipy_stats.binomtest(int(np.sum(LABELS["nb"] == Y)), N, 0.5)
    assert report.pvalue == pytest.approx(expected.pvalue)  # a fair coin is symmetric
    for asked, method in ((None, "exact"), ("wilson", "wilson")):
        how = {} if asked is None else {"interval": asked}
        low, high = expected.proportion_ci(0.95, method=method)
        found = skstat.binomial_test(Y, LABELS["nb"], constant=0.5, **how).confidence_interval()
        assert found == pytest.approx((low - 0.5, high - 0.5))


def f1_of_the_first_class(y_true, y_pred):
    if not (y_true == 1).any():
        raise ZeroDivisionError("no positive row")
    return float(np.mean(y_pred[y_true == 1] == 1) - np.mean(y_pred[y_true == 0] == 1))


@pytest.mark.parametrize("metric", ["roc_auc", f1_of_the_first_class])
def test_swaps_need_no_bootstrap_beside_them(metric):
    y = np.array([1, *[0] * 30])  # most resamples lack the positive row
    scores = np.random.default_rng(0).random((2, 31))
    if metric != "roc_auc":
        scores = (scores > 0.5).astype(int)
    named = dict(zip("ab", scores, strict=True))
    report = ask(y, named, metric=metric, n_resamples=999)
    assert 0 < report.pvalue <= 1 and "permutation" in report.test
    assert "no bootstrap interval as a check" in report.assumptions[-1]
    low, high = report.confidence_interval()
    assert (low > 0 or high < 0) == (report.pvalue < 0.05)
    assert np.isnan(report.evidence.outcome.law.by_replicates.limits(0.025)).all()
    check_report(report)
    for interval in ("percentile", "bca"):
        with pytest.raises(ValueError, match="undefined on|failed: ZeroDivisionError"):
            ask(y, named, metric=metric, interval=interval)


def agreement(y_true, y_pred):
    return float(np.mean(y_true == y_pred) ** 2)


@pytest.mark.long
def test_slow_functions_are_resampled_less_often_and_the_report_says_so(monkeypatch):
    y = np.arange(40) % 2
    named = {"a": np.where(np.arange(40) < 14, 1 - y, y), "b": np.where(y, y, 1), "c": 1 - y}
    two = {name: named[name] for name in "ab"}
    runs = {name: [own, np.roll(own, 2)] for name, own in two.items()}

    def ask(predictions=two, metric=agreement, **options):
        report = skstat.compare_predictions(
            y, predictions, metric=metric, random_state=0, **options
        )
        return report, report.design["notes"]

    usual, _ = ask()
    assert usual.evidence.outcome.n_resamples == 9999 and "metric is slow" not in usual.details
    monkeypatch.setattr("time.perf_counter", count().__next__)  # every call takes a second
    said = "999 resamples, because the metric is slow: n_resamples=9999 takes about"
    for options in ({}, {"predictions": named}, {"predictions": runs, "seeds": "average"}):
        assert said in " ".join(ask(**options)[1])
    fewer = ask()[0]
    assert fewer.evidence.outcome.n_resamples == 999
    assert ask(n_resamples=999)[0].pvalue == fewer.pvalue
    assert ask(n_resamples=2500)[0].n_resamples == 2500  # who says so gets it
    assert ask(test="paired_bootstrap")[0].n_resamples == 999
    assert "metric is slow" not in " ".join(ask(metric="f1")[1])


F1, HITS, ORDER = {"metric": "f1_macro"}, {"metric": "accuracy"}, {"order": np.arange(N)}
test_refusals_name_the_argument = refusals([
    ({"metric": []}, "metric is empty"),
    ({"metric": ["f1_macro", "f1_macro"]}, "metric names a metric twice"),
    (F1 | {"test": "mcnemar"}, "mcnemar compares the accuracy"),
    (F1 | {"test": "wilcoxon"}, "wilcoxon needs a score for every row"),
    (F1 | {"test": "delong"}, "delong compares whole areas"),
    (HITS | {"test": "corrected_t"}, "not a test for one test set"),
    (HITS | {"test": "clustered_t"}, "clustered_t needs groups"),
    (HITS | {"test": "diebold_mariano"}, "time order: pass order="),
    (HITS | {"sample_weight": np.ones(N), "test": "sign_flip"},
     "sign_flip does not support sample_weight"),
    (HITS | {"pos_label": 1}, "pos_label does not fit metric accuracy"),
    (F1 | {"seeds": "all"}, "seeds='all' is unknown"),
    (F1 | ORDER | {"test": "paired_permutation"}, "rows in time order cannot be swapped"),
    (F1 | {"higher_is_better": False}, "is for functions"),
    (F1 | {"horizon": 1}, "horizon=1 needs order="),
    (F1 | {"paired_seeds": True}, "pass seeds= too"),
    (HITS | ORDER | {"test": "mcnemar"}, "treats rows as independent"),
    (F1 | {"strata": np.arange(N)}, "a stratum of one row"),
    (F1 | {"order": [str(i) for i in range(N)]}, "sorts text"),
    (HITS | {"test": "wilcoxon", "adjustment": "max-t", "predictions": THREE},
     "estimates something else"),
    ({"metric": cost_sensitive_scorer([[0, 1], [1, 0]])}, r"cost_matrix has shape \(2"),
], ask, error=(ValueError, TypeError))  # fmt: skip
