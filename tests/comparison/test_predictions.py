"""Predictions on one test set: choices, numbers from outside, units and refusals."""

import math
import re
from functools import partial

import numpy as np
import pytest
from scipy import stats as scipy_stats
from sklearn import metrics as sk

import skstat
from skstat import (
    binomial_test,
    compare_predictions,
    mcnemar_test,
    paired_bootstrap_test,
    paired_permutation_test,
    stats,
)
from tests.cases import codes, in_one_test
from tests.comparison.predictions_of_systems import (
    BINARY,
    GROUPS,
    LABELS,
    SCORES,
    THREE,
    N,
    Y,
    ask,
)
from tests.contract import check_report


def test_worked_numbers_of_tables():
    exact = mcnemar_test(table=[[54, 18], [6, 22]], method="exact")
    assert exact.pvalue == pytest.approx(0.0227, abs=5e-5)
    assert exact.estimate == pytest.approx(0.12)
    sign = stats.sign(
        stats.PairedScores([1] * 18 + [0] * 6, [0] * 18 + [1] * 6, unit="instance")
    )
    assert exact.pvalue == pytest.approx(sign.pvalue, abs=1e-15)
    corrected = mcnemar_test(table=[[54, 18], [6, 22]], method="edwards")
    assert corrected.evidence.outcome.critical_value(0.05) == pytest.approx(3.8415, abs=5e-5)
    assert corrected.evidence.outcome.critical_value(0.10) == pytest.approx(2.7055, abs=5e-5)
    six = binomial_test(successes=4, n=10, constant=0.7, alternative="less")
    five = binomial_test(successes=5, n=10, constant=0.7, alternative="less")
    assert six.pvalue == pytest.approx(0.0473, abs=5e-5)
    assert six.verdict == "worse" and five.verdict == "undecided"
    assert (
        six.evidence.outcome.critical_value(0.05)
        == 4
        == six.evidence.outcome.critical_value(0.10)
    )


def test_worked_numbers_of_ten_documents():
    a = np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    b = np.array([1, 1, 1, 0, 0, 0, 0, 1, 1, 0])
    report = paired_bootstrap_test(
        np.ones(10, dtype=int), a, b, metric="accuracy",
        pvalue="berg-kirkpatrick", n_resamples=99_999, random_state=0,
    )  # fmt: skip
    assert report.estimate == pytest.approx(0.2)
    # share of d* >= 0.4 over the multinomial law of (only A, only B, ties)
    law = scipy_stats.multinomial(10, [0.4, 0.2, 0.4])
    exact = sum(
        law.pmf([x, z, 10 - x - z]) for x in range(11) for z in range(11 - x) if x - z >= 4
    )
    assert exact == pytest.approx(0.2684, abs=5e-5)
    assert report.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact / 1e5))


def test_permutation_of_right_and_wrong_is_exact_mcnemar():
    report = ask(metric="accuracy", test="paired_permutation")
    exact = mcnemar_test(Y, *LABELS.values(), method="exact")
    assert report.pvalue == pytest.approx(exact.pvalue, abs=1e-12)
    assert report.evidence.outcome.law.exact


def test_costs():
    costs = np.array([[0, 1, 2], [2, 0, 1], [3, 1, 0]])
    report = mcnemar_test(Y, *LABELS.values(), cost_matrix=costs, random_state=0)
    a, b = (costs[Y, p].mean() for p in LABELS.values())
    assert report.estimate == pytest.approx(a - b)
    assert re.search(r" has a lower cost than \w+, by 0\.", report.conclusion)
    with pytest.raises(ValueError, match="method='midp' is of McNemar's test of accuracies"):
        mcnemar_test(Y, *LABELS.values(), cost_matrix=costs, method="midp")
    renamed = np.array(["x", "y", "z"])
    same = mcnemar_test(
        renamed[Y], renamed[LABELS["nb"]], renamed[LABELS["tree"]],
        cost_matrix=costs[::-1, ::-1], labels=["z", "y", "x"], random_state=0,
    )  # fmt: skip
    assert same.pvalue == report.pvalue
    with pytest.raises(ValueError, match=r"cost_matrix has shape \(2, 2\)"):
        mcnemar_test(Y, *LABELS.values(), cost_matrix=[[0, 1], [1, 0]])


def test_groups_are_the_unit_everywhere():
    for arguments in (
        {"metric": "f1_macro"},
        {"metric": "f1_macro", "test": "paired_bootstrap"},
        {"metric": "accuracy"},
        {"metric": "accuracy", "test": "wilcoxon"},
        {"metric": "accuracy", "test": "sign_flip"},
        {"metric": "accuracy", "test": "sign"},
    ):
        report = ask(groups=GROUPS, **arguments)
        assert (report.unit, report.n_units) == ("group", 30)
        assert any("30 groups" in note for note in report.design["notes"])
    y, scores = BINARY, SCORES
    assert ask(y, scores, metric="roc_auc", test="delong", groups=GROUPS).n_units == 30
    labels = np.array(["doc", 7, ("a", 1)] * 100, dtype=object)
    with pytest.raises(ValueError, match="groups has 3 different values; at least 6"):
        ask(metric="accuracy", groups=labels)


def test_rows_are_put_in_time_order(rng):
    shuffled = rng.permutation(N)
    ordered = ask(metric="accuracy", order=np.arange(N), horizon=3)
    again = ask(
        Y[shuffled], {name: p[shuffled] for name, p in LABELS.items()},
        metric="accuracy", order=shuffled, horizon=3,
    )  # fmt: skip
    assert again.pvalue == ordered.pvalue
    d = (LABELS["nb"] == Y) * 1.0 - (LABELS["tree"] == Y)
    c = d - d.mean()
    variance = (c @ c + 2 * sum(c[lag:] @ c[:-lag] for lag in (1, 2))) / N**2
    factor = (N + 1 - 6 + 3 * 2 / N) / N
    assert ordered.statistic == pytest.approx(
        d.mean() / math.sqrt(variance) * math.sqrt(factor)
    )


def test_corpus_level_metrics_over_strings():
    truth = ["the cat sat", "a dog", "on the mat"] * 10
    outputs = {"x": ["the cat", "a dog", "on mat"] * 10, "y": ["cat", "dog", "mat"] * 10}

    def recall(references, hypotheses):
        hits = sum(len(set(r.split()) & set(h.split()))
                   for r, h in zip(references, hypotheses, strict=True))  # fmt: skip
        return hits / sum(len(r.split()) for r in references)

    report = ask(truth, outputs, metric=recall, groups=np.repeat(np.arange(10), 3))
    assert report.metric == "recall"
    assert report.estimate == pytest.approx(6 / 8 - 3 / 8)
    assert "called anew on every resample" in " ".join(report.design["notes"])


def test_results_do_not_depend_on_workers():
    def metric(y, p):
        return float(np.mean(y == p))

    one = ask(metric=metric, n_jobs=1)
    two = ask(metric=metric, n_jobs=2)
    assert one.pvalue == two.pvalue
    assert np.array_equal(
        one.evidence.outcome.law.replicates, two.evidence.outcome.law.replicates
    )


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", lambda y, p: np.mean(y == p)])
@pytest.mark.parametrize("test", ["auto", "paired_permutation", "paired_bootstrap"])
def test_identical_systems(metric, test):
    report = ask(predictions={"a": LABELS["nb"], "b": LABELS["nb"]}, metric=metric, test=test)
    check_report(report)
    assert (report.pvalue, report.estimate, report.verdict) == (1, 0, "undecided")
    assert report.confidence_interval().low <= 0 <= report.confidence_interval().high
    assert "SKS201" in codes(report)


def test_identical_orders_of_scores():
    same = {"a": SCORES["nb"], "b": np.exp(SCORES["nb"])}
    for test in ("auto", "paired_permutation", "paired_bootstrap"):
        assert ask(BINARY, same, metric="roc_auc", test=test).pvalue == 1


def test_one_row_proves_nothing():
    def hit_rate(y, p):
        return float(y[0] == p[0])

    for metric in ("accuracy", "f1", hit_rate):
        for test in ("auto", "paired_bootstrap"):
            report = ask([1], {"a": [1], "b": [0]}, metric=metric, test=test)
            assert report.pvalue >= 0.5
            assert report.conclusion.startswith("No rejection is possible with 1 instance")


@pytest.mark.long
def test_studentising_is_robust_to_systems_that_err_differently(rng):
    # Both have precision 0.6, but one predicts a tenth of the rows and the other half.
    def reject(studentize):
        y = rng.random(300) < 0.3
        few = np.where(y, rng.random(300) < 0.2, rng.random(300) < 0.2 * 3 / 7 * 2 / 3)
        many = np.where(y, rng.random(300) < 0.9, rng.random(300) < 0.9 * 3 / 7 * 2 / 3)
        report = paired_permutation_test(
            y, few, many, metric="precision", studentize=studentize, n_resamples=199,
            random_state=0,
        )  # fmt: skip
        assert ("studentised" in report.test) == studentize
        return report.pvalue < 0.05

    assert np.mean([reject(True) for _ in range(100)]) < 0.11
    assert np.mean([reject(False) for _ in range(100)]) > 0.05


@pytest.mark.long
def test_an_area_that_is_not_whole_is_not_delongs():
    from functools import partial

    part = partial(sk.roc_auc_score, max_fpr=0.1)
    report = ask(BINARY, SCORES, metric=part, n_resamples=99)
    expected = [part(BINARY, s) for s in SCORES.values()]
    assert report.estimate == pytest.approx(expected[0] - expected[1])
    assert "DeLong" not in report.test
    negated = sk.make_scorer(sk.roc_auc_score, greater_is_better=False,
                             response_method="predict_proba")  # fmt: skip
    assert ask(BINARY, SCORES, metric=negated, n_resamples=99).estimate > 0


def test_tables_of_pandas_are_read_by_their_labels():
    pd = pytest.importorskip("pandas")
    right = {name: p == Y for name, p in LABELS.items()}
    table = pd.crosstab(right["nb"], right["tree"])
    assert mcnemar_test(table=table).estimate == pytest.approx(ask(metric="accuracy").estimate)


def test_a_metric_of_ones_own_with_a_kernel():
    class Hits:
        name, is_loss = "hits", False

        def kernel(self, predictions):
            return skstat.metrics.as_metric("accuracy").kernel(predictions)

    report = ask(metric=Hits())
    assert report.estimate == pytest.approx(ask(metric="accuracy").estimate)
    assert report.metric == "hits"


def test_a_ratio_of_sums_is_no_mean_over_rows(rng):
    words = rng.integers(1, 30, N).astype(float)

    class ErrorRate(skstat.metrics.ScoreMetric):
        def kernel(self, predictions):
            total = words
            edits = [-(words * (p != Y)) for p in predictions.outputs.values()]
            if predictions.groups is not None:
                total = np.bincount(predictions.groups, total)
                edits = [np.bincount(predictions.groups, e) for e in edits]
            return stats.SumKernel(
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


@in_one_test(
    ("arguments", "message"),
    [
        ({"metric": []}, "metric is empty"),
        ({"metric": ["f1_macro", "f1_macro"]}, "metric names a metric twice"),
        ({"metric": "f1"}, r"score of one class of two"),
        ({"metric": "f1_macro", "test": "mcnemar"}, "mcnemar compares the accuracy"),
        ({"metric": "f1_macro", "test": "wilcoxon"}, "wilcoxon needs a score for every row"),
        ({"metric": "f1_macro", "test": "delong"}, "delong compares whole areas"),
        ({"metric": "accuracy", "test": "corrected_t"}, "not a test for one test set"),
        ({"metric": "accuracy", "test": "clustered_t"}, "clustered_t needs groups"),
        ({"metric": "accuracy", "test": "diebold_mariano"}, "time order: pass order="),
        ({"metric": "roc_auc"}, "roc_auc needs scores or probabilities, and predictions"),
        ({"metric": "accuracy", "groups": np.arange(5)}, "groups has 5 rows but y_true has"),
        ({"metric": "accuracy", "groups": GROUPS, "strata": Y}, "groups cannot be combined"),
        ({"metric": "accuracy", "sample_weight": -np.ones(N)}, "sample_weight must hold"),
        ({"metric": "accuracy", "sample_weight": np.ones(N), "test": "sign_flip"},
         "sign_flip does not support sample_weight"),
        ({"metric": "accuracy", "labels": [0]}, "labels does not fit metric accuracy"),
        ({"metric": "accuracy", "pos_label": 1}, "pos_label does not fit metric accuracy"),
        ({"metric": "f1_macro", "interval": "wald"}, "interval='wald' is unknown"),
        ({"metric": "f1_macro", "n_resamples": 0}, "n_resamples=0 must be"),
        ({"metric": "f1_macro", "alternative": "more"}, "alternative='more' is unknown"),
        ({"metric": "f1_macro", "seeds": "all"}, "seeds='all' is unknown"),
        ({"metric": "f1_macro", "adjustment": "fdr"}, "adjustment='fdr' is unknown"),
        ({"metric": "f1_macro", "control": "svm"}, "control='svm' is not one of the systems"),
        ({"metric": "f1_macro", "order": np.arange(N), "test": "paired_permutation"},
         "rows in time order depend on each other"),
        ({"metric": "f1_macro", "higher_is_better": False}, "higher is better by definition"),
        ({"metric": "f1_macro", "horizon": 1}, "horizon=1 needs order="),
        ({"metric": "f1_macro", "paired_seeds": True}, "pass seeds= too"),
        ({"metric": "accuracy", "order": np.arange(N), "test": "mcnemar"},
         "treats rows as independent"),
        ({"metric": "f1_macro", "strata": np.arange(N)}, "a stratum of one row"),
        ({"metric": "f1_macro", "groups": [None] * N}, r"groups\[0\] is missing"),
        ({"metric": "f1_macro", "order": [str(i) for i in range(N)]}, "different lengths"),
        ({"metric": lambda y, p: -np.inf}, "undefined .-inf."),
        ({"metric": "accuracy", "test": "wilcoxon", "adjustment": "max-t",
          "predictions": THREE}, "estimates something else"),
    ],
)  # fmt: skip
def test_refusals_name_the_argument(arguments, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ask(**arguments)


def test_pandas_and_polars():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    expected = ask(metric="f1_macro").pvalue
    frame = pd.DataFrame(LABELS)[::-1]  # rows are matched by their labels
    assert ask(pd.Series(Y), frame, metric="f1_macro").pvalue == expected
    assert ask(pl.Series(Y), pl.DataFrame(LABELS), metric="f1_macro").pvalue == expected
    words = pd.Series(Y).map({0: "x", 1: "y", 2: "z"}).astype("category")
    named = {n: pd.Series(p).map({0: "x", 1: "y", 2: "z"}) for n, p in LABELS.items()}
    assert ask(words, named, metric="f1_macro").pvalue == expected


def test_binomial():
    report = binomial_test(Y, LABELS["nb"], constant=0.5)
    check_report(report)
    expected = scipy_stats.binomtest(int(np.sum(LABELS["nb"] == Y)), N, 0.5)
    assert report.pvalue == pytest.approx(expected.pvalue)  # a fair coin is symmetric
    for asked, method in ((None, "exact"), ("wilson", "wilson")):
        how = {} if asked is None else {"interval": asked}
        low, high = expected.proportion_ci(0.95, method=method)
        found = binomial_test(Y, LABELS["nb"], constant=0.5, **how).confidence_interval()
        assert found == pytest.approx((low - 0.5, high - 0.5))
    with pytest.raises(ValueError, match="give y_true and y_pred, or successes and n"):
        binomial_test(constant=0.5)


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
    report = skstat.compare_predictions(
        y, {"a": scores[0], "b": scores[1]}, metric=metric, n_resamples=999, random_state=0
    )
    assert 0 < report.pvalue <= 1 and "permutation" in report.test
    assert "no bootstrap interval as a check" in report.assumptions[-1]
    low, high = report.confidence_interval()
    assert (low > 0 or high < 0) == (report.pvalue < 0.05)
    assert np.isnan(report.evidence.outcome.law.by_replicates.limits(0.025)).all()
    check_report(report)
    for interval in ("percentile", "bca"):
        with pytest.raises(ValueError, match="undefined on|failed: ZeroDivisionError"):
            skstat.compare_predictions(
                y, {"a": scores[0], "b": scores[1]}, metric=metric, interval=interval
            )


def test_a_direction_that_was_given_is_not_taken_from_the_data():
    y, a, b = np.ones(40, int), np.arange(40) % 4 > 0, np.arange(40) % 3 > 0
    ask_by = partial(
        skstat.paired_bootstrap_test,
        *(y, a.astype(int), b.astype(int)),
        metric="accuracy",
        n_resamples=999,
        random_state=0,
    )
    own = ask_by(pvalue="berg-kirkpatrick")
    greater = ask_by(pvalue="berg-kirkpatrick", alternative="greater")
    less = ask_by(pvalue="berg-kirkpatrick", alternative="less")
    assert own.pvalue == greater.pvalue and less.pvalue > 0.5
    assert less.alternative == "less" and greater.confidence_interval()[1] == np.inf
    # In one direction its p-value is that of the shifted replicates.
    assert greater.pvalue == pytest.approx(ask_by(alternative="greater").pvalue, abs=0.01)
    assert "SKS210" in codes(own)
    assert "SKS210" not in codes(greater) | codes(less)


def test_means_of_many_rows_need_no_draws():
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    outputs = {name: y + spread * rng.normal(size=600) for name, spread in
               (("a", 1), ("b", 1.1), ("c", 1.05))}  # fmt: skip
    two = {name: outputs[name] for name in "ab"}
    for test in ("paired_permutation", "sign_flip"):
        asked = {"metric": "neg_mean_squared_error", "test": test}
        report, again = (
            compare_predictions(y, two, random_state=seed, **asked) for seed in (1, 2)
        )
        assert report.evidence.outcome.n_resamples == 0 and "saddlepoint" in report.test
        assert report.pvalue == again.pvalue
        assert report.confidence_interval() == again.confidence_interval()
        assert "random" not in str(report.methods_text()) + str(report)
        drawn = compare_predictions(y, two, n_resamples=500, random_state=1, **asked)
        assert drawn.evidence.outcome.n_resamples == 500
        family = compare_predictions(y, outputs, adjustment="holm", random_state=1, **asked)
        assert family["a", "b"].pvalue == pytest.approx(report.pvalue, rel=1e-12)


def agreement(y_true, y_pred):
    return float(np.mean(y_true == y_pred) ** 2)


SLOW = "skstat.comparison._engine.test_set._LONGEST"


@pytest.mark.long
def test_slow_functions_are_resampled_less_often_and_the_report_says_so(monkeypatch):
    y = np.arange(40) % 2
    named = {"a": np.where(np.arange(40) < 14, 1 - y, y), "b": np.where(y, y, 1), "c": 1 - y}
    two = {name: named[name] for name in "ab"}
    runs = {name: [own, np.roll(own, 2)] for name, own in two.items()}

    def ask(predictions=two, metric=agreement, **options):
        report = compare_predictions(y, predictions, metric=metric, random_state=0, **options)
        return report, report.design["notes"]

    usual, _ = ask()
    assert usual.evidence.outcome.n_resamples == 9999 and "metric is slow" not in usual.details
    monkeypatch.setattr(SLOW, 0.0)
    said = "999 resamples, because the metric is slow: n_resamples=9999 takes about"
    for options in ({}, {"predictions": named}, {"predictions": runs, "seeds": "average"}):
        assert said in " ".join(ask(**options)[1])
    fewer = ask()[0]
    assert fewer.evidence.outcome.n_resamples == 999
    assert ask(n_resamples=999)[0].pvalue == fewer.pvalue
    assert ask(n_resamples=2500)[0].n_resamples == 2500  # who says so gets it
    assert ask(test="paired_bootstrap")[0].n_resamples == 999
    assert "metric is slow" not in " ".join(ask(metric="f1")[1])
