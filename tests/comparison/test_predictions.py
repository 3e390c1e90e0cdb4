"""Predictions on one test set: choices, numbers from outside, several systems, seeds."""

import itertools
import math
import pickle
import re
import tracemalloc
from functools import partial
from itertools import count

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.stats import norm
from sklearn.metrics import f1_score, mean_absolute_error, zero_one_loss

import skstat
from skstat import stats
from skstat.metrics import cost_sensitive_scorer
from skstat.stats import Predictions
from tests.cases import in_one_test, refusals
from tests.comparison.systems import BINARY, GROUPS, LABELS, SEEDS, THREE, N, Y, ask
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


def test_several_systems(rng):
    family = ask(predictions=THREE, metric="accuracy")
    check_report(family)
    pairs = [pair[:2] for pair in family.pairs]
    assert pairs == [("nb", "tree"), ("nb", "svm"), ("tree", "svm")]
    raw = family.pairs.column("pvalue")
    assert family.adjustment == "max-t"
    by_holm = ask(predictions=THREE, metric="accuracy", adjustment="holm")
    check_report(by_holm)
    assert by_holm.pairs.column("adjusted") == pytest.approx(stats.adjust_pvalues(raw))
    assert raw == [skstat.mcnemar_test(Y, THREE[a], THREE[b]).pvalue for a, b in
                   itertools.combinations(THREE, 2)]  # fmt: skip
    right = np.column_stack([p == Y for p in THREE.values()])
    g, rows = right.sum(axis=0), right.sum(axis=1)
    q = 2 * (3 * (g**2).sum() - g.sum() ** 2) / (3 * g.sum() - (rows**2).sum())
    assert family.statistic == pytest.approx(q)
    assert family.conclusion.startswith("nb has the highest accuracy (0.870).")
    assert family["tree", "svm"].names == ("tree", "svm")
    with pytest.raises(KeyError):
        family["tree"]
    scores = family.systems.column("mean")
    assert scores == sorted(scores, reverse=True)
    named = skstat.cochran_q_test(Y, THREE)
    assert named.pvalue == family.pvalue
    assert named.adjustment == "holm"  # McNemar's tests have no joint law
    many = dict(enumerate(np.random.default_rng(0).integers(0, 2, (20, 3))))
    drawn = skstat.cochran_q_test([1, 1, 1], many, n_resamples=49, random_state=0).omnibus
    assert drawn["n_resamples"] == 49
    areas = {name: BINARY + sd * rng.normal(size=N) for sd, name in enumerate("abc", 1)}
    wald = skstat.delong_test(BINARY, areas)
    assert wald.omnibus is not None and wald.df == 2 and wald.pvalue < 0.05
    assert wald.adjustment == "max-t"
    against = ask(predictions=THREE, metric="f1_macro", control="tree")
    assert [pair[:2] for pair in against.pairs] == [("nb", "tree"), ("svm", "tree")]


def test_max_t_by_brute_force():
    scores = np.array([[1.0, 0.2, 0.4], [0.9, 0.5, 0.3], [0.3, 0.4, 0.1], [0.8, 0.1, 0.9]])
    pairs = [(0, 1), (0, 2), (1, 2)]
    d = np.column_stack([scores[:, a] - scores[:, b] for a, b in pairs])

    def t(signs):
        flipped = d * np.array(signs)[:, None]
        return np.abs(flipped.mean(axis=0)) / (flipped.std(axis=0, ddof=1) / 2)

    maxima = np.array([t(signs).max() for signs in itertools.product((1, -1), repeat=4)])
    expected = [np.mean(maxima >= x - 1e-9) for x in t((1, 1, 1, 1))]
    asked = {"unit": "instance", "test": "sign_flip", "adjustment": "max-t"}
    report = skstat.compare_scores(scores, **asked)
    assert report.pairs.column("adjusted") == pytest.approx(expected)
    assert np.abs(report.pairs.column("statistic")) == pytest.approx(t((1, 1, 1, 1)))


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("seeds", ["crossed", "average", "means", "per-seed", "pooled"])
def test_seeds(seeds, paired, metric):
    if (metric, seeds, paired) == ("f1_macro", "means", False):
        with pytest.raises(ValueError, match="needs paired_seeds=True"):
            ask(predictions=SEEDS, metric=metric, seeds=seeds)
        return
    report = ask(predictions=SEEDS, metric=metric, seeds=seeds, paired_seeds=paired)
    check_report(report)
    if seeds == "per-seed":
        assert len(report) == 4 and report.systems == ("a", "b")
        n_better = list(report.verdicts.values()).count("better")
        said = f"a is significantly better than b in {metric} with {n_better} of 4 seeds"
        assert report.conclusion.startswith(said)
        assert report[4].names == ("a", "b")
        with pytest.raises(KeyError, match="no seed 5; there are .*'seed 4'"):
            report[5]
        return
    ignored = " ".join(report.ignored_variance)
    expected = {"average": "seed", "means": "test set", "pooled": "counted as several"}
    assert expected.get(seeds, "training data") in ignored
    by_seed = zip(*SEEDS.values(), strict=True)
    alone = [ask(predictions={"x": x, "y": y}, metric=metric).estimate for x, y in by_seed]
    near = 0.02 if seeds == "pooled" else 1e-9
    assert report.estimate == pytest.approx(np.mean(alone), abs=near)


def test_seeds_of_different_number():
    uneven = {"a": SEEDS["a"], "b": SEEDS["b"][:2]}
    report = ask(predictions=uneven, metric="f1_macro", seeds="crossed")
    assert "crossed t test" in report.test and report.estimate > 0
    with pytest.raises(ValueError, match="a has 4 and b 2; use seeds='crossed'"):
        ask(predictions=uneven, metric="f1_macro", seeds="per-seed")
    with pytest.raises(ValueError, match="a has 4 seeds, b has 2"):
        ask(predictions=uneven, metric="f1_macro", seeds="crossed", paired_seeds=True)
    three = ask(predictions={**SEEDS, "c": SEEDS["b"][:3]}, metric="accuracy", seeds="crossed")
    assert len(three.pairs) == 3 and three.adjustment == "holm"
    assert "4, 4 and 3 seeds, not paired" in three.design["notes"]


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("control", [None, "b"])
@pytest.mark.parametrize("options", [
    {"seeds": "crossed"},
    {"seeds": "crossed", "metric": "f1_macro"},
    {"seeds": "average"},
    {"seeds": "means", "paired_seeds": True, "metric": "f1_macro"},
    {"seeds": "pooled"},
    {"seeds": "crossed", "groups": GROUPS},
])  # fmt: skip
def test_seeds_of_several_systems(options, control):
    systems = {**SEEDS, "c": SEEDS["b"]}
    given = {"metric": "accuracy", "n_resamples": 199, **options}
    report = ask(predictions=systems, control=control, **given)
    assert report.ranked and report.control == control
    check_report(report)
    a, b, c = (report.systems[name].mean for name in "abc")
    assert b == c and a > b
    for pair in report.pairs:
        alone = ask(predictions={name: systems[name] for name in pair[:2]}, **given)
        assert pair.pvalue == alone.pvalue and pair.estimate == alone.estimate
        if options["seeds"] != "pooled":  # the jackknife takes out the bias of a metric
            expected = report.systems[pair.first].mean - report.systems[pair.second].mean
            assert pair.estimate == pytest.approx(expected, abs=1e-9)
    assert report["b", "c"].pvalue == 1


def test_averages_over_seeds_are_planned_as_rows():
    # An open comparison prints a plan; of averages nothing is known of the seeds.
    rows = np.arange(len(Y))
    other = np.where(rows % 2, Y, (Y + 1) % 3)
    alike = {"a": SEEDS["a"], "b": [np.where(rows < 12, other, each) for each in SEEDS["a"]]}
    report = ask(predictions=alike, metric="accuracy", seeds="average")
    check_report(report)
    means = {name: (np.array(each) == Y).mean(axis=0) for name, each in alike.items()}
    rows = skstat.compare_scores(means, unit="instance", test="paired_t")
    assert report.pvalue == pytest.approx(rows.pvalue)
    assert report.verdict == "undecided" and "To decide" in str(report)
    assert report.plan(difference=0.05).n == rows.plan(difference=0.05).n


# Named tests say what compare_predictions says

DRAWN = {"n_resamples": 99, "random_state": 3}
GROUPED = {**F1, **DRAWN, "groups": GROUPS, "labels": [0, 1], "n_jobs": 1}
WEIGHTED = {**F1, **DRAWN, "strata": Y, "sample_weight": 1 + np.arange(N) % 3}
OWN = {"metric": lambda t, p: float(np.mean(t == p)), "higher_is_better": False, **DRAWN}
BY_SWAPS = (skstat.paired_permutation_test, stats.paired_permutation, {"studentize": True})
KIRKPATRICK = {"pvalue": "berg-kirkpatrick"}
BY_DRAWS = (skstat.paired_bootstrap_test, stats.paired_bootstrap, KIRKPATRICK)


# A named test, what it alone is given, what compare_predictions is given in place of that, and
# what both are given.
@in_one_test("named, own, asked, shared", [
    (skstat.mcnemar_test, {"method": "exact"},
     {"metric": "accuracy", "test": partial(stats.mcnemar, method="exact")}, {}),
    (skstat.paired_bootstrap_test, {},
     {"test": "paired_bootstrap"}, {**F1, **DRAWN, "order": np.arange(N), "horizon": 9}),
    *(
        (named, own, {"test": partial(test, **own)}, shared)
        for named, test, own in (BY_SWAPS, BY_DRAWS)
        for shared in (GROUPED, {**WEIGHTED, "interval": "basic"}, OWN)
    ),
])  # fmt: skip
def test_named_tests_are_calls_of_compare_predictions(named, own, asked, shared):
    shared = {**shared, "alternative": "greater", "confidence_level": 0.9, "margin": 0.2}
    report = named(Y, *LABELS.values(), names=tuple(LABELS), **own, **shared)
    expected = skstat.compare_predictions(Y, LABELS, **asked, **shared)
    assert (report.details, report.to_json()) == (expected.details, expected.to_json())


# Counts of rows say what the rows say

N_COUNTED = 1_200
rng = np.random.default_rng(0)
TRUTH = rng.choice(4, N_COUNTED, p=[0.5, 0.3, 0.15, 0.05])
OUTPUTS = {
    name: np.where(rng.random(N_COUNTED) < accuracy, TRUTH, rng.integers(0, 4, N_COUNTED))
    for name, accuracy in (("a", 0.8), ("b", 0.7), ("c", 0.78))
}
A, B, _ = OUTPUTS.values()
ONES = np.ones(N_COUNTED, dtype=int)


# Labels and numbers, means and others, balanced over classes or not.
@in_one_test("metric", [
    *("accuracy", "f1_macro", "f1_weighted", "balanced_accuracy", "matthews_corrcoef"),
    *("neg_mean_absolute_error", "neg_root_mean_squared_error", "r2"),
    cost_sensitive_scorer(1 - np.eye(4)),
])  # fmt: skip
def test_scores_and_their_errors_are_those_of_the_rows(metric):
    counts = Predictions(TRUTH, OUTPUTS, counts=ONES).pair("a", "b")
    asked = {"metric": metric, "test": "paired_permutation", "n_resamples": 999}
    plain, counted = (
        skstat.compare_predictions(*given, random_state=0, **asked)
        for given in ((TRUTH, {"a": A, "b": B}), (counts,))
    )
    means = (report.systems.column("mean") for report in (counted, plain))
    # An R2 near 0 is what is left of 1, with the rounding of 1.
    np.testing.assert_allclose(*means, rtol=1e-12, atol=1e-13)
    assert counted.standard_error == pytest.approx(plain.standard_error, rel=0.1)
    units = {(report.n_units, report.unit) for report in (counted, plain)}
    assert units == {(N_COUNTED, "instance")}


def test_the_same_for_any_n_jobs_and_order_of_the_parts():
    parts = [(TRUTH[i::3], A[i::3], B[i::3]) for i in range(3)]
    options = {"metric": ["f1_macro", "accuracy"], "random_state": 0, "n_resamples": 499}
    one, other = (
        Predictions(y, {"a": a, "b": b}, counts=ONES)
        for y, a, b in (np.hstack(parts), np.hstack(parts[::-1]))
    )
    one = skstat.compare_predictions(one, n_jobs=1, **options)
    other = skstat.compare_predictions(pickle.loads(pickle.dumps(other)), **options)
    assert one.to_dict() == other.to_dict()


@in_one_test("metric", ["accuracy", "f1_macro", "matthews_corrcoef"])
def test_three_systems_have_the_estimates_of_their_rows(metric):
    words = np.array(["w", "x", "y", "z"])
    given = words[TRUTH], {name: words[output] for name, output in OUTPUTS.items()}
    how = {"metric": metric, "random_state": 0, "n_resamples": 499}
    ours, theirs = (
        skstat.compare_predictions(*each, **how).pairs.column("estimate")
        for each in ((Predictions(*given, counts=ONES),), given)
    )
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_a_billion_rows_need_no_array_of_them():
    counts = Predictions(TRUTH, {"a": A, "b": B}, counts=1_000_000 * ONES)
    assert counts.n_rows == 1_200_000_000
    options = {"test": "paired_permutation", "random_state": 0, "n_resamples": 99}
    tracemalloc.start()
    for metric, error in (
        ("accuracy", zero_one_loss),
        ("neg_mean_absolute_error", mean_absolute_error),
        ("f1_macro", lambda y, p: 1 - f1_score(y, p, average="macro")),
    ):
        report = skstat.compare_predictions(counts, metric=metric, **options)
        expected = error(TRUTH, B) - error(TRUTH, A)
        assert report.evidence.outcome.estimate == pytest.approx(expected, rel=1e-12)
        assert report.evidence.outcome.standard_error < 1e-4
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    # Signs of so many units are normal: with a correction for whole numbers.
    near = Predictions([1, 1], {"a": [1, 0], "b": [0, 1]}, counts=[50_005_000, 49_995_000])
    close = skstat.compare_predictions(near, metric="accuracy", test="paired_permutation")
    assert close.pvalue == pytest.approx(2 * norm.sf(9_999 / 10_000), rel=1e-6)


COUNTS = Predictions([0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 1]}, counts=[5, 5, 5])
SCORED = Predictions([0, 1, 1], {"a": [0.1, 0.9, 0.4], "b": [0.2, 0.7, 0.8]}, counts=[5, 5, 5])
of_counts = partial(skstat.compare_predictions, COUNTS, metric="accuracy")
test_what_belongs_to_rows_is_refused = refusals([
    *(
        (partial(of_counts, **{argument: "crossed" if argument == "seeds" else [0, 1, 1]}),
         f"{argument}= belongs to single rows")
        for argument in ("predictions", "groups", "sample_weight", "strata", "order", "seeds")
    ),
    *(
        (partial(of_counts, test=test), "needs the rows themselves.*paired_permutation")
        for test in ("paired_t", "sign_flip", "clustered_t", "diebold_mariano")
    ),
    (partial(of_counts, metric=lambda y, p: float(np.mean(y == p))),
     "not a function of sums over rows.*pass the rows"),
    (partial(skstat.compare_predictions, SCORED, metric="roc_auc"),
     "metric='roc_auc' is not a function of sums"),
    (partial(skstat.compare_predictions, COUNTS.alone("a"), metric="accuracy"),
     "two are compared"),
])  # fmt: skip
