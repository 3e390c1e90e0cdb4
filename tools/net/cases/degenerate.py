"""Data at their worst: identical, perfect, two units, ties, holes, and wrong arguments."""

from collections.abc import Iterator

import numpy as np

import skstat
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.fits import TWO, Threshold, X, Y
from tools.net.cases.scores import UNITS


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for unit, (n, design) in UNITS.items():
        one = data.scores(1, n)["new"]
        for what, scores in {
            "identical": {"new": one, "old": one},
            "constant difference": {"new": one, "old": one - 1 / 64},
            "perfect": {"new": np.ones(n), "old": one},
            "both perfect": {"new": np.ones(n), "old": np.ones(n)},
            "one unit differs": {"new": one, "old": one - np.eye(1, n)[0] / 8},
        }.items():
            yield case(f"{what}, {unit}", skstat.compare_scores, scores, margin=0.02, **design)
        three = {"new": one, "old": one, "third": data.scores(3, n)["third"]}
        yield case(f"identical and a third, {unit}", skstat.compare_scores, three, **design)
    for unit in ("splits", "rows", "seeds", "data sets"):
        _, design = UNITS[unit]
        for n in (1, 2, 3, 5):
            yield case(f"{n} units, {unit}", skstat.compare_scores, data.scores(2, n), **design)
        yield case(f"3 units, 3 systems, {unit}", skstat.compare_scores, data.scores(3, 3),
                   **design)  # fmt: skip
    yield from _values()
    yield from _test_sets()
    yield from _fits()
    yield from _wrong()


def _values() -> Iterator[Case]:
    a, b = data.scores(2, 40).values()
    rows = {"unit": "instance"}
    for what, value in {"missing": np.nan, "infinite": np.inf, "-999": -999.0}.items():
        broken = {"new": np.where(np.arange(40) == 3, value, a), "old": b}
        yield case(f"a value that is {what}", skstat.compare_scores, broken, **rows)
        named = {"scoring": "accuracy", **rows}
        yield case(f"an accuracy that is {what}", skstat.compare_scores, broken, **named)
    outlier = {"new": np.where(np.arange(40) == 3, 40.0, a), "old": b}
    yield case("an outlier", skstat.compare_scores, outlier, **rows)
    yield case("large numbers", skstat.compare_scores, {"new": 1e9 + a, "old": 1e9 + b}, **rows)
    tiny = {"new": 1e-9 * a, "old": 1e-9 * b}
    yield case("tiny numbers", skstat.compare_scores, tiny, **rows)
    skewed = {"new": a + (np.arange(40) % 20 == 0) * 2.0, "old": b}
    yield case("a skewed difference", skstat.compare_scores, skewed, **rows)
    few = {"new": np.round(4 * a) / 4, "old": np.round(4 * b) / 4}
    for unit in ("instance", "dataset"):
        yield case(f"many ties, {unit}", skstat.compare_scores, few, unit=unit)


def _test_sets() -> Iterator[Case]:
    truth, labels = data.labels(2, 60)
    rare = (np.arange(60) < 4).astype(int)
    unlike = {"new": np.where(labels["new"] == truth, rare, 1 - rare), "old": 0 * rare}
    for metric in ("accuracy", "f1", "balanced_accuracy", "matthews_corrcoef"):
        ask = skstat.compare_predictions
        same = {"new": labels["new"], "old": labels["new"]}
        yield case(f"identical, {metric}", ask, truth, same, metric=metric, margin=0.1)
        perfect = {"new": truth, "old": labels["old"]}
        yield case(f"perfect, {metric}", ask, truth, perfect, metric=metric)
        yield case(f"a rare class, {metric}", ask, rare, unlike, metric=metric)
        ones = np.ones(60, dtype=int)
        yield case(f"one class, {metric}", ask, ones, labels, metric=metric)
        two = {name: each[:2] for name, each in labels.items()}
        yield case(f"two rows, {metric}", ask, truth[:2], two, metric=metric)
    truth, chances = data.probabilities(2, 60)
    for metric in ("roc_auc", "neg_log_loss"):
        same = {"new": chances["new"], "old": chances["new"]}
        yield case(f"identical, {metric}", ask, truth, same, metric=metric)
        perfect = {"new": (1 + 62 * truth) / 64, "old": chances["old"]}
        yield case(f"perfect, {metric}", ask, truth, perfect, metric=metric)
    certain = {"new": 1.0 * (chances["new"] > 0.5), "old": chances["old"]}
    yield case("wrong for certain", ask, truth, certain, metric="neg_log_loss")
    few_groups = {"groups": np.arange(60) // 20, "metric": "neg_log_loss"}
    yield case("three groups", ask, truth, chances, **few_groups)


def _fits() -> Iterator[Case]:
    same = {"new": Threshold(0), "old": Threshold(0)}
    yield case("identical learners", skstat.compare_estimators, same, X, Y, margin=0.1)
    told = np.column_stack([Y, X[:, 1:]]).astype(float)
    yield case("a perfect learner", skstat.compare_estimators, TWO, told, Y)
    yield case("30 rows", skstat.compare_estimators, TWO, X[:30], Y[:30])
    yield case("30 rows, performance", skstat.estimate_performance, TWO["new"], X[:30], Y[:30])
    yield case("one class in training", skstat.compare_estimators, TWO, X, 0 * Y)


def _wrong() -> Iterator[Case]:
    scores = data.scores(2, 20)
    for what, options in {
        "unit": {"unit": "rows"},
        "alternative": {"unit": "instance", "alternative": "bigger"},
        "level": {"unit": "instance", "confidence_level": 95},
        "margin": {"unit": "instance", "margin": -0.1},
        "margin as text": {"unit": "instance", "margin": "0.1"},
        "test": {"unit": "instance", "test": "t"},
        "control": {"unit": "instance", "control": "best"},
        "adjustment": {"unit": "instance", "adjustment": "bonferoni"},
        "sizes": {"n_train": 90, "n_test": 0},
    }.items():
        yield case(f"a wrong {what}", skstat.compare_scores, scores, **options)
    for what, holder in {
        "nothing": {},
        "one system": {"new": scores["new"]},
        "texts": {"new": ["good"] * 20, "old": ["bad"] * 20},
        "a file": "results.csv",
        "a number": 0.8,
    }.items():
        yield case(f"no scores: {what}", skstat.compare_scores, holder, unit="instance")
    hostile = {"</table>\n::error::": scores["new"], "": scores["old"]}
    yield case("hostile names", skstat.compare_scores, hostile, unit="instance")
