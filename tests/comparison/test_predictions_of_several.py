"""Predictions of several systems, by several metrics, trained several times, or as counts."""

import itertools
import pickle
import tracemalloc
from functools import partial

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import f1_score, mean_absolute_error, zero_one_loss

import skstat
from skstat import stats
from skstat.metrics import cost_sensitive_scorer
from skstat.stats import Predictions
from tests.cases import in_one_test, refusals
from tests.comparison.systems import BINARY, GROUPS, LABELS, SEEDS, THREE, N, Y, ask
from tests.contract import check_report


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

F1 = {"metric": "f1_macro"}
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
