"""Cost curves of two systems, curves that cross, and costs at the doors of estimators."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_curve
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import skstat
from skstat.comparison import compare_cost_curves, compare_curves
from skstat.metrics import cost_curve, cost_sensitive_error, cost_sensitive_scorer
from tests.cases import in_one_test, refusals

RNG = np.random.default_rng(0)
N = 300
Y = (RNG.random(N) < 0.3).astype(int)
SCORES = {"sharp": np.round(Y + 0.4 * RNG.normal(size=N), 1), "dull": Y + RNG.normal(size=N)}
NOISE = {name: RNG.normal(size=N) for name in "ab"}


def compare(y=Y, scores=SCORES, **options):
    return compare_cost_curves(y, scores, **({"random_state": 0, "n_resamples": 300} | options))


def test_the_band_holds_the_curves_of_resamples():
    # Both classes keep their sizes, and all of a curve lies in the band of 95 %.
    band, rng, found = compare(n_resamples=999).band, np.random.default_rng(1), []
    for _ in range(200):
        drawn = [rng.choice(np.flatnonzero(c == Y), np.sum(c == Y)) for c in (0, 1)]
        rows = np.concatenate(drawn)
        a, b = (cost_curve(Y[rows], s[rows]).at(band.probability_cost) for s in SCORES.values())
        found.append(b - a)
    inside = (found >= band.low - 1e-9) & (found <= band.high + 1e-9)
    assert 0.88 < inside.all(axis=1).mean() < 0.995
    assert inside.mean(axis=0).min() > 0.9


def test_noise_is_not_told_apart_and_identical_scores_are_the_same():
    nothing = compare(scores=NOISE)
    assert [region.cheaper for region in nothing.regions] == [None]
    assert nothing.conclusion.startswith("Neither a nor b was found to be cheaper")
    same = compare(scores={"a": NOISE["a"], "b": NOISE["a"]})
    assert "cost the same" in same.conclusion and not same.band.high.any()
    constant = compare(scores={"a": np.zeros(N), "b": np.ones(N)})
    assert "cost the same" in constant.conclusion
    perfect = compare(scores={"a": Y.astype(float), "b": 1.0 * Y + NOISE["a"]})
    assert perfect.areas["a"] == 0 and perfect.regions[1].cheaper == "a"
    few = compare(y=[0, 1] * 15, scores={"a": NOISE["a"][:30], "b": NOISE["b"][:30]})
    assert np.isfinite(few.band.high).all()


def test_groups_are_drawn_as_a_whole():
    # Every row ten times: as groups they are as many as there are different rows.
    few = slice(0, 60)
    y, scores = Y[few], {name: s[few] for name, s in SCORES.items()}
    copies = {name: np.repeat(s, 10) for name, s in scores.items()}
    narrow = compare(np.repeat(y, 10), copies)
    wide = compare(np.repeat(y, 10), copies, groups=np.repeat(np.arange(60), 10))
    once = compare(y, scores)
    half, honest, too_narrow = (
        np.interp(0.5, band.probability_cost, band.high - band.low)
        for band in (once.band, wide.band, narrow.band)
    )
    assert too_narrow < 0.6 * half < honest < 1.6 * half
    assert wide.n_groups == 60


def test_one_report_and_one_display_of_all_kinds_of_curves():
    costs = compare(cost_matrix=[[0, 1], [5, 0]])
    roc, recalls = (
        compare_curves(Y, SCORES, kind=kind) for kind in ("roc", "precision_recall")
    )
    reports = [costs, roc, recalls]
    assert len({type(report) for report in reports}) == 1
    kinds = [report.to_dict()["curve"] for report in reports]
    assert kinds == ["cost", "roc", "precision_recall"]
    assert costs.encloses is None and not costs.crossings and not roc.regions
    share = Y.mean()
    assert costs.operating_point == pytest.approx(5 * share / (5 * share + 1 - share))
    pytest.importorskip("matplotlib")
    difference = costs.plot().lines_["difference"]
    np.testing.assert_allclose(difference.get_ydata(), costs.band.difference)
    assert costs.plot(kind="curves").mark == costs.operating_point
    for report in reports:
        display = report.plot(kind="curves")
        assert list(display.lines_) == ["sharp", "dull"] and "sharp" in display.notes
    for report, kind, message in (
        (costs, "both", "kind='both' is unknown"),
        (roc, "difference", "compare_cost_curves"),
    ):
        with pytest.raises(ValueError, match=message):
            report.plot(kind=kind)


def heights(kind, y, s, x):
    """Height of a curve at x, which is no end of any piece."""
    if kind == "roc":
        fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
        return np.interp(x, fpr, tpr)
    precision, recall, _ = precision_recall_curve(y, s)
    # Of all thresholds that reach the recall, that with the least one and then the highest.
    reached = recall[:, None] >= x
    least = np.where(reached, recall[:, None], 2).min(axis=0)
    return np.where(recall[:, None] == least, precision[:, None], -1).max(axis=0)


@pytest.mark.parametrize("kind", ["roc", "precision_recall"])
def test_crossings_agree_with_the_heights_everywhere(kind):
    x = np.linspace(0, 1, 4001)[1:-1] + 1e-5
    found = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(6, 25))
        y = np.array([0, 1, *rng.integers(0, 2, n - 2)])
        # Ties, and systems of very different quality.
        scores = {
            name: np.round(k * y + rng.normal(size=n), 1) for name, k in (("a", 2), ("b", 1))
        }
        result = compare_curves(y, scores, kind=kind)
        a, b = (heights(kind, y, s, x) for s in scores.values())
        gap = np.where(np.abs(a - b) < 1e-9, 0, a - b)
        if result.encloses is not None:
            sign = 1 if result.encloses == "a" else -1
            assert np.all(sign * gap >= 0) and not result.crossings
        signs = np.sign(gap[gap != 0])
        changes = np.count_nonzero(np.diff(signs))
        # Next to vertical pieces curves may differ where no x of a grid is.
        assert len(result.crossings) >= changes
        if kind == "precision_recall" or not result.crossings:
            assert len(result.crossings) == changes
        for place, height in result.crossings:
            near = (np.abs(x - place) > 0) & (np.abs(x - place) < 0.02)
            low, high = np.minimum(a, b)[near].min(), np.maximum(a, b)[near].max()
            assert low - 0.05 <= height <= high + 0.05 or place in (0, 1)
        found.add(result.encloses)
    assert {"a", None} <= found
    assert result.areas["a"] == pytest.approx(
        average_precision_score(y, scores["a"])
        if kind == "precision_recall"
        else np.trapezoid(*roc_curve(y, scores["a"])[1::-1])
    )


def test_curves_by_hand():
    y = [0, 0, 1, 1]
    # A: (0, .5), (.5, .5), (.5, 1); B: (.5, .5) in one step of tied rows, then (1, 1).
    a, b = [0.1, 0.7, 0.5, 0.9], [0.2, 0.8, 0.8, 0.2]
    assert compare_curves(y, {"A": a, "B": b}).encloses == "A"
    # A rises to .5 at 0; B is straight from 0 to 1: they cross at FPR .5.
    a, b = [0.7, 0.6, 0.5, 0.9], [0.5, 0.5, 0.5, 0.5]
    crossing = compare_curves(y, {"A": a, "B": b})
    assert crossing.encloses is None and crossing.crossings == ((0.5, 0.5),)
    assert "cross once (at false positive rate 0.5)" in crossing.conclusion
    same = compare_curves(y, {"A": a, "B": np.array(a) * 2})
    assert same.encloses is None and "are the same" in same.conclusion


COST = cost_sensitive_scorer([[0, 10], [1, 0]], labels=[0, 1])


def test_the_baseline_of_costs_is_the_cheapest_class(cancer):
    X, y = cancer  # class 1 is the majority, and a false 1 costs ten times a false 0
    cv = StratifiedKFold(4)
    ask = partial(skstat.compare_to_baseline, GaussianNB(), X, y, cv=cv)
    report = ask(scoring=COST)
    assert report.names[1] == "cheapest baseline" and y.mean() > 0.5
    folds = [test for _, test in cv.split(X, y)]
    cheapest = [-np.mean(y[rows] == 1) for rows in folds]
    np.testing.assert_allclose(report.evidence.sample.b, cheapest)
    both = ask(scoring=COST, strategy=["uniform", "stratified", "cheapest"])
    for pair, share in zip(both.pairs, (0.5, None), strict=False):
        part = both[pair[:2]]
        scores = part.evidence.sample.b
        for rows, (train, _), found in zip(folds, cv.split(X, y), scores, strict=True):
            ones = y[train].mean() if share is None else share
            truth = np.mean(y[rows])
            expected = 10 * (1 - truth) * ones + truth * (1 - ones)
            assert found == pytest.approx(-expected)
        assert any("exact expectation over its guesses" in n for n in part.design["notes"])
    assert "where the test rows" not in str(both)
    mixed = {"cost": COST, "accuracy": "accuracy"}
    each = ask(scoring=mixed)
    assert [each[name].names[1].split()[0] for name in mixed] == ["cheapest", "most_frequent"]
    assert ask(scoring=mixed, strategy="cheapest")["cost"].lower


@in_one_test("seed", range(8))
def test_the_cheapest_class_is_the_best_constant(seed):
    y = np.tile(list("bacaba"), 20)
    X = np.arange(120.0)[:, None] % 7
    costs = np.random.default_rng(seed).normal(size=(3, 3))
    labels = list("abc")
    expected = [cost_sensitive_error(y, np.full(120, label), costs) for label in labels]
    if seed == 0:  # a class that is never true may be it: to ask somebody, for instance
        y = np.where(y == "c", "b", y)
        labels, costs, expected = ["a", "b", "ask"], [[0, 9, 1], [9, 0, 1], [0, 0, 0]], [1]
    scoring = cost_sensitive_scorer(costs, labels=labels)
    report = skstat.compare_to_baseline(
        GaussianNB(), X, y, scoring=scoring, strategy="cheapest", cv=KFold(4)
    )
    np.testing.assert_allclose(report.evidence.sample.b, -min(expected))


RARE = np.arange(N) // 30
test_what_does_not_fit_is_named = refusals([
    (partial(compare, np.ones(N, dtype=int)), "one class only"),
    (partial(compare, np.where(Y, "p", "n")), "pos_label"),
    (partial(compare, scores=SCORES | {"third": NOISE["a"]}), "3 systems"),
    (partial(compare, scores={"a": Y, "b": Y}), "look like predicted labels"),
    (partial(compare, n_resamples=0), "n_resamples"),
    (partial(compare, confidence_level=95), "confidence_level"),
    (partial(compare, groups=np.arange(N) % 3), "at least 6 groups"),
    (partial(compare, (RARE == 0).astype(int), groups=RARE), "one class only"),
    (partial(compare_curves, Y, SCORES, kind="cost"), "'cost' is unknown.*compare_cost_curves"),
    (partial(skstat.compare_to_baseline, GaussianNB(), Y[:, None], Y, strategy="cheapest"),
     "needs costs"),
])  # fmt: skip
