"""Predictions of several systems, or by several metrics: joint draws, max-T, adjustments."""

import itertools
import json

import numpy as np
import pytest

from skstat import (
    cochran_q_test,
    compare_scores,
    delong_test,
    mcnemar_test,
    report_from_dict,
    stats,
)
from tests.comparison.predictions_of_systems import BINARY, LABELS, THREE, N, Y, ask
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
    assert cochran_q_test(correct=right.astype(int)).pvalue == named.pvalue
    areas = {
        name: BINARY + s * rng.normal(size=N) for name, s in (("a", 1), ("b", 2), ("c", 3))
    }
    wald = delong_test(BINARY, areas)
    assert wald.omnibus is not None and wald.df == 2 and wald.pvalue < 0.05
    assert wald.adjustment == "max-t"
    against = ask(predictions=THREE, metric="f1_macro", control="tree")
    assert [pair[:2] for pair in against.pairs] == [("nb", "tree"), ("svm", "tree")]


def test_joint_draws_give_each_pair_its_own_numbers():
    test = {"test": "permutation", "metric": "f1_macro", "n_resamples": 4_999}
    family = ask(predictions=THREE, **test)
    assert family.adjustment == "holm"
    alone = ask(predictions=LABELS, **test)
    pair = family["nb", "tree"]
    assert pair.estimate == alone.estimate
    assert pair.pvalue == pytest.approx(alone.pvalue, abs=0.01)
    assert pair.confidence_interval(0.95) == pytest.approx(
        alone.confidence_interval(), abs=0.01
    )


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
def test_max_t_is_sharper_than_bonferroni_and_has_simultaneous_intervals(metric):
    predictions = {**THREE, "copy": THREE["nb"]}
    joint = ask(predictions=predictions, metric=metric, adjustment="max-t", n_resamples=4_999)
    check_report(joint)
    m = len(joint.pairs)
    for report in (joint[pair[:2]] for pair in joint.pairs):
        if report.names == ("nb", "copy"):
            assert report.adjusted_pvalue == 1 and report.estimate == 0
            continue
        assert report.pvalue <= report.adjusted_pvalue + 0.02
        assert report.adjusted_pvalue <= min(1, m * report.pvalue) + 0.03
        low, high = report.confidence_interval()
        assert low < report.estimate < high
        assert "simultaneous" in report.conclusion
        single = ask(predictions={n: predictions[n] for n in report.names}, metric=metric)
        assert high - low > np.diff(single.confidence_interval())[0]


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


def test_several_metrics():
    report = ask(metric=["accuracy", "f1_macro", "matthews_corrcoef"])
    check_report(report)
    assert list(report) == ["accuracy", "f1_macro", "matthews_corrcoef"]
    assert "not adjusted for the number of metrics" in report.conclusion
    alone = ask(metric="f1_macro")
    assert report["f1_macro"].estimate == alone.estimate
    named = ask(metric={"F": "f1_macro", "mine": lambda y, p: np.mean(y == p)})
    assert list(named) == ["F", "mine"]
    # Label metrics share the counts that were drawn: their replicates move together.
    both = [ask(metric=["f1_macro", "balanced_accuracy"], test="paired_bootstrap")[m]
            for m in ("f1_macro", "balanced_accuracy")]  # fmt: skip
    replicates = [r.evidence.outcome.replicates for r in both]
    assert np.corrcoef(*replicates)[0, 1] > 0.9


def test_a_family_by_bootstrap_is_stored_in_short_and_restored_as_it_was():
    family = ask(predictions=THREE, metric="f1_macro", n_resamples=9_999, rope=0.05)
    text = family.to_json()
    outcomes = json.loads(text)["evidence"]["pairwise"]["outcomes"]
    assert {len(outcome["own"]["replicates"]["kept"]) for outcome in outcomes} == {975}
    back = report_from_dict(json.loads(text))
    assert back.to_json() == text
    assert back.details == family.details
    told, again = family["nb", "tree"], back["nb", "tree"]
    assert told.confidence_interval(0.987) == again.confidence_interval(0.987)
