"""Predictions of several systems, by several metrics, or trained several times."""

import itertools

import numpy as np
import pytest

import skstat
from skstat import cochran_q_test, compare_scores, delong_test, mcnemar_test, stats
from tests.comparison.predictions_of_systems import BINARY, GROUPS, SEEDS, THREE, N, Y, ask
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
    assert raw == [mcnemar_test(Y, THREE[a], THREE[b]).pvalue for a, b in
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
    named = cochran_q_test(Y, THREE)
    assert named.pvalue == family.pvalue
    assert named.adjustment == "holm"  # McNemar's tests have no joint law
    many = dict(enumerate(np.random.default_rng(0).integers(0, 2, (20, 3))))
    drawn = cochran_q_test([1, 1, 1], many, n_resamples=49, random_state=0).omnibus
    assert drawn["n_resamples"] == 49
    areas = {
        name: BINARY + s * rng.normal(size=N) for name, s in (("a", 1), ("b", 2), ("c", 3))
    }
    wald = delong_test(BINARY, areas)
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
    report = compare_scores(scores, unit="instance", test="sign_flip", adjustment="max-t")
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
        assert report.conclusion.startswith(
            f"a is significantly better than b in {metric} with {n_better} of 4 seeds"
        )
        assert report[4].names == ("a", "b")
        with pytest.raises(KeyError, match="no seed 5; there are .*'seed 4'"):
            report[5]
        return
    ignored = " ".join(report.ignored_variance)
    expected = {"average": "seed", "means": "test set", "pooled": "counted as several"}
    assert expected.get(seeds, "training data") in ignored
    assert report.estimate == pytest.approx(
        np.mean([[ask(predictions={"x": x, "y": y}, metric=metric).estimate
                  for x, y in zip(SEEDS["a"], SEEDS["b"], strict=True)]]),
        abs=0.02 if seeds == "pooled" else 1e-9,
    )  # fmt: skip


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
@pytest.mark.parametrize(
    "options",
    [
        {"seeds": "crossed"},
        {"seeds": "crossed", "metric": "f1_macro"},
        {"seeds": "average"},
        {"seeds": "means", "paired_seeds": True, "metric": "f1_macro"},
        {"seeds": "pooled"},
        {"seeds": "crossed", "groups": GROUPS},
    ],
)
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
