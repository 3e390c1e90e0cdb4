"""Rows with labels, at every door: in any order the answer is the same, or it is refused."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import skstat
from skstat.metrics import cost_curve, rank_loss

pd = pytest.importorskip("pandas")
N = 60


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    index = [f"id {i}" for i in range(N)]
    y = np.arange(N) % 2

    def labels(wrong):
        return pd.Series(np.where(np.arange(N) % wrong, y, 1 - y), index=index)

    def scores(noise):
        return pd.Series(y + noise * rng.normal(size=N), index=index)

    return {
        "y": pd.Series(y, index=index),
        "a": labels(7),
        "b": labels(4),
        "score_a": scores(0.8),
        "score_b": scores(1.4),
        "groups": pd.Series(np.arange(N) // 5, index=index),
        "weight": pd.Series(rng.random(N), index=index),
    }


def shuffled(values, seed=1):
    return values.sample(frac=1, random_state=seed)


ask = partial(skstat.compare_predictions, metric="accuracy", random_state=0, n_resamples=199)
DOORS = {
    "compare_predictions": lambda r, y, a: ask(y, {"a": a, "b": r["b"]}),
    "a frame": lambda r, y, a: ask(y, pd.DataFrame({"a": a, "b": r["b"]})),
    "groups": lambda r, y, a: ask(y, {"a": a, "b": r["b"]}, groups=shuffled(r["groups"], 3)),
    "sample_weight": lambda r, y, a: ask(
        y, {"a": a, "b": r["b"]}, sample_weight=shuffled(r["weight"], 3)
    ),
    "seeds": lambda r, y, a: ask(
        y, {"a": [a, r["b"]], "b": [r["b"], shuffled(r["b"])]}, seeds="average"
    ),
    "cochran_q_test": lambda r, y, a: skstat.cochran_q_test(
        y, {"a": a, "b": r["b"], "c": shuffled(r["y"], 5)}
    )["a", "b"],
    "binomial_test": lambda r, y, a: skstat.binomial_test(y, a, constant=0.5),
}


@pytest.mark.parametrize("door", DOORS)
def test_doors_of_labels_match_rows(rows, door):
    expected = DOORS[door](rows, rows["y"], rows["a"])
    for y, a in (
        (shuffled(rows["y"]), rows["a"]),
        (rows["y"], shuffled(rows["a"])),
        (shuffled(rows["y"]), shuffled(rows["a"], 2)),
    ):
        assert DOORS[door](rows, y, a).estimate == pytest.approx(expected.estimate)
    with pytest.raises(ValueError, match="no row for"):
        DOORS[door](rows, rows["y"].reset_index(drop=True), rows["a"])


def test_doors_of_scores_match_rows(rows):
    y, other = rows["y"], shuffled(rows["y"])
    named = {"a": rows["score_a"], "b": rows["score_b"]}
    areas = [roc_auc_score(y, score) for score in named.values()]
    for truth in (y, other):
        report = skstat.delong_test(truth, named)
        assert report.evidence.outcome.law.aucs == pytest.approx(areas)
        curves = skstat.comparison.compare_curves(truth, named)
        assert list(curves.areas.values()) == pytest.approx(areas)
        assert rank_loss(truth, rows["score_a"]) == pytest.approx(1 - areas[0])
    expected, found = (
        skstat.comparison.compare_cost_curves(
            truth, named, groups=groups, n_resamples=49, n_jobs=1, random_state=0
        )
        for truth, groups in ((y, rows["groups"]), (other, shuffled(rows["groups"], 3)))
    )
    assert found.band.difference == pytest.approx(expected.band.difference)
    assert cost_curve(other, rows["score_a"]).area == pytest.approx(
        cost_curve(y, rows["score_a"]).area
    )
