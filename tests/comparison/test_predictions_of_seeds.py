"""Predictions of systems that were trained several times: crossed, averaged, seed by seed."""

import numpy as np
import pytest

import skstat
from tests.comparison.predictions_of_systems import GROUPS, SEEDS, Y, ask
from tests.contract import check_report


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
    with pytest.raises(ValueError, match="as many seeds of a as of b, got 4 and 2"):
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


def test_crossed_seeds_of_any_metric_agree_with_mean_squares():
    by_formula = ask(predictions=SEEDS, metric="accuracy", seeds="crossed")
    by_bootstrap = ask(
        predictions=SEEDS, metric=lambda y, p: np.mean(y == p), seeds="crossed",
        n_resamples=1_999,
    )  # fmt: skip
    assert by_bootstrap.estimate == pytest.approx(by_formula.estimate)
    # The bootstrap counts the residual variance of seed and row up to three times.
    assert 0.8 < by_bootstrap.standard_error / by_formula.standard_error < 1.5


def test_seeds_without_a_test_are_counted():
    y = np.tile([0, 1], 20)
    perfect = y + np.linspace(0, 0.1, 40)
    family = skstat.compare_predictions(
        y,
        {"a": [perfect, perfect], "b": [-perfect, -perfect]},
        metric="roc_auc",
        test="delong",
        seeds="per-seed",
    )
    assert "With 2 no test was possible." in family.conclusion


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
