"""Scores of every kind of unit, of two, three and twenty systems, and what may be asked."""

from collections.abc import Iterator

import numpy as np

from skstat import compare_scores
from skstat.stats import ScoreTable
from tools.net.case import Case, case
from tools.net.cases import data

UNITS = {
    "splits": (15, {"n_train": 90, "n_test": 10}),
    "repeated splits": (20, {"n_train": 80, "n_test": 20, "n_repeats": 4}),
    "rows": (60, {"unit": "instance"}),
    "many rows": (700, {"unit": "instance"}),
    "groups": (60, {"unit": "instance", "group": data.groups(60)}),
    "seeds": (9, {"unit": "seed"}),
    "paired seeds": (9, {"unit": "seed", "paired_seeds": True}),
    "data sets": (14, {"unit": "dataset"}),
}
ASKED = {
    "plain": {},
    "greater": {"alternative": "greater"},
    "less": {"alternative": "less"},
    "level": {"confidence_level": 0.9},
    "margin": {"margin": 0.02},
    "one-sided with a margin": {"margin": 0.02, "alternative": "greater"},
    "rope": {"rope": 0.01},
    "margin and rope": {"margin": 0.03, "rope": 0.02, "confidence_level": 0.99},
    "a loss": {"scoring": "error", "margin": 0.02},
    "a loss, one-sided": {"scoring": "error", "alternative": "less"},
    "a loss with a rope": {"scoring": "log_loss", "rope": 0.01},
    "told that lower is better": {"scoring": "points", "higher_is_better": False},
    "no direction": {"scoring": "points"},
}
OF_SEVERAL = {
    "control": {"control": "old"},
    "control, one-sided": {"control": "old", "alternative": "greater"},
    "control and margin": {"control": "new", "margin": 0.02},
    "holm": {"adjustment": "holm"},
    "holm and margin": {"adjustment": "holm", "margin": 0.02},
}
ADJUSTMENTS = (
    "bonferroni", "sidak", "hochberg", "hommel", "shaffer", "bergmann-hommel", "fdr_bh",
    "fdr_by", "max-t",
)  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for unit, (n, design) in UNITS.items():
        for k in (2, 3):
            asked = ASKED if k == 2 else ASKED | OF_SEVERAL
            for what, options in asked.items():
                if k == 3 and what in ("less", "level", "a loss, one-sided", "no direction"):
                    continue
                scores = data.scores(k, n)
                yield case(f"{unit}, {k}, {what}", compare_scores, scores, **design, **options)
        if unit not in ("seeds", "paired seeds", "many rows"):
            twenty = data.scores(20, n, step=1)
            yield case(f"{unit}, 20", compare_scores, twenty, **design)
        right = data.answers(2, n)
        yield case(f"{unit}, right and wrong", compare_scores, right, **design)
    splits = UNITS["repeated splits"][1]
    for adjustment in ADJUSTMENTS:
        scores = data.scores(3, 20, width=5)
        yield case(
            f"adjusted by {adjustment}", compare_scores, scores, adjustment=adjustment, **splits
        )
    yield case("right and wrong, 3", compare_scores, data.answers(3, 200), unit="instance")
    for unit in ("splits", "rows", "data sets", "seeds"):
        n, design = UNITS[unit]
        one = {"new": data.scores(2, n)["new"]}
        yield case(f"a constant, {unit}", compare_scores, one, constant=0.74, **design)
        loss = {"constant": 0.74, "scoring": "error", "alternative": "less"}
        yield case(f"a constant, {unit}, a loss", compare_scores, one, **loss, **design)
    yield from _slices()
    yield from _metrics()
    yield from _holders()


def _slices() -> Iterator[Case]:
    n = 240
    by = np.array(["north", "south", "west"])[np.arange(n) % 3]
    parts = {"region": by, "old": np.arange(n) % 2}
    for k in (2, 3):
        scores = data.scores(k, n)
        plain = {"unit": "instance", "by": by}
        yield case(f"slices, {k}", compare_scores, scores, **plain)
        yield case(f"slices, {k}, margin", compare_scores, scores, margin=0.02, **plain)
        yield case(f"slices, {k}, a loss", compare_scores, scores, scoring="error", **plain)
        yield case(
            f"slices of two kinds, {k}", compare_scores, scores, unit="instance", by=parts
        )
    yield case("slices, small ones", compare_scores, data.scores(2, n), unit="instance",
               by=np.where(np.arange(n) < 12, "few", by))  # fmt: skip
    yield case("slices, control", compare_scores, data.scores(3, n), unit="instance", by=by,
               control="old")  # fmt: skip
    yield case("slices, one-sided", compare_scores, data.scores(2, n), unit="instance", by=by,
               alternative="greater")  # fmt: skip
    worse = data.scores(2, n)
    worse["new"] = worse["new"] - np.where(by == "west", 12, 0) / data.GRID
    yield case("slices, worse in one", compare_scores, worse, unit="instance", by=by)
    yield case("slices, of groups", compare_scores, worse, unit="instance",
               group=data.groups(n), by=by)  # fmt: skip


def _metrics() -> Iterator[Case]:
    def frame(n, items, **design):
        import pandas as pd

        table = [
            {"system": name, items: f"i{place}", "accuracy": one, "error": two}
            for (name, first), second in zip(
                data.scores(2, n).items(), data.scores(2, n, seed=1).values(), strict=True
            )
            for place, (one, two) in enumerate(zip(first, second, strict=True))
        ]
        return compare_scores(
            pd.DataFrame(table), score=["accuracy", "error"], random_state=0, **design
        )

    for items in ("instance", "dataset", "seed"):
        yield case(f"two metrics in a frame, {items}", frame, 20, items, needs="pandas")
    yield case("two metrics in a frame, margins", frame, 20, "instance", needs="pandas",
               margin={"accuracy": 0.02, "error": 0.05})  # fmt: skip
    yield case("two metrics in a frame, ropes", frame, 20, "dataset", needs="pandas",
               rope={"accuracy": 0.02, "error": 0.05})  # fmt: skip


def _holders() -> Iterator[Case]:
    scores = data.scores(2, 20)
    by_letter = dict(zip("AB", scores.values(), strict=True))
    yield case("two arrays", compare_scores, by_letter, unit="instance")
    array = np.column_stack(list(scores.values()))
    yield case(
        "an array", compare_scores, ScoreTable(array, systems=["x", "y"], unit="instance")
    )
    yield case("no unit", compare_scores, scores)
    unequal = {"new": scores["new"], "old": scores["old"][:17]}
    yield case("seeds of unequal numbers", compare_scores, unequal, unit="seed")
    yield case("rows of unequal numbers", compare_scores, unequal, unit="instance")
    three = data.scores(3, 20) | {"old": scores["old"][:17]}
    yield case("seeds of unequal numbers, 3", compare_scores, three, unit="seed")
    repeats = {
        "system": np.repeat(["new", "old"], 60),
        "item": np.tile(np.repeat(np.arange(20), 3), 2),
        "repeat": np.tile([1, 2, 3], 40),
        "score": np.concatenate(list(data.answers(2, 60).values())),
    }
    roles = {"system": "system", "item": "item", "repeat": "repeat", "score": "score"}
    for how in ("mean", "median", "pass@2", "pass^2"):
        yield case(f"repeats, {how}", compare_scores, repeats, aggregate=how, unit="instance",
                   **roles)  # fmt: skip

    folds, times = data.scores(2, 10), np.ones(10)
    for metric, sign in {
        "accuracy": 1,
        "neg_log_loss": -1,
        "max_error": -1,
        "log_loss": 1,
    }.items():
        run = {
            name: {"fit_time": times, "score_time": times, f"test_{metric}": sign * column}
            for name, column in folds.items()
        }
        sizes = {"n_train": 90, "n_test": 10}
        yield case(f"of cross_validate, {metric}", compare_scores, run, **sizes)
        yield case(f"of cross_validate, {metric}, said", compare_scores, run, **sizes,
                   higher_is_better=sign > 0)  # fmt: skip

    def backwards():
        return compare_scores(data.scores(3, 40), unit="instance", random_state=0)["old", "new"]

    yield case("a pair in the other order", backwards)
