"""Leaderboards and preferences."""

from collections.abc import Iterator

import numpy as np

from skstat import compare_preferences, rank_systems
from tools.net.case import Case, case
from tools.net.cases import data

FEW = {"n_resamples": 499}
HOW = {
    "splits": (15, {"n_train": 90, "n_test": 10}),
    "rows": (90, {"unit": "instance"}),
    "groups": (90, {"unit": "instance", "group": data.groups(90)}),
    "data sets": (14, {"unit": "dataset"}),
    "seeds": (9, {"unit": "seed"}),
}


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for unit, (n, design) in HOW.items():
        for k in (2, 3, 20):
            scores = data.scores(k, n, step=1 if k == 20 else 3)
            yield case(f"{unit}, {k}", rank_systems, scores, **design, **FEW)
        for what, options in {
            "a loss": {"scoring": "error"},
            "holm": {"adjustment": "holm"},
            "level": {"confidence_level": 0.9},
        }.items():
            yield case(f"{unit}, {what}", rank_systems, data.scores(3, n), **design, **options,
                       **FEW)  # fmt: skip
    right = data.answers(5, 200)
    rows = {"unit": "instance", **FEW}
    tasks = np.array(["sums", "words", "places"])[np.arange(200) % 3]
    yield case("right and wrong", rank_systems, right, **rows)
    wrong = {"scoring": "error", **rows}
    yield case("wrong answers", rank_systems, {n: 1 - c for n, c in right.items()}, **wrong)
    yield case("tasks", rank_systems, right, task=tasks, **rows)
    yield case("tasks, averaged", rank_systems, right, task=tasks, average="task", **rows)
    yield case("slices", rank_systems, right, by=tasks, **rows)
    yield from _preferences()


def _preferences() -> Iterator[Case]:
    rng = np.random.default_rng(7)
    names = np.array(["one", "two", "three", "four"])
    first = rng.integers(0, 4, 240)
    second = (first + rng.integers(1, 4, 240)) % 4
    wins = rng.integers(0, 10, 240) + 2 * (second - first) > 4
    winner = np.where(wins, names[first], names[second])
    tied = np.where(rng.integers(0, 8, 240) == 0, "tie", winner)
    columns = {"item": np.arange(240) // 2, "first": names[first], "second": names[second]}
    asked = {"item": "item", "first": "first", "second": "second", **FEW}
    for what, column in {"plain": winner, "ties": tied}.items():
        table = columns | {"winner": column}
        yield case(f"preferences, {what}", compare_preferences, table, **asked)
    table = columns | {"winner": tied}
    yield case("preferences, no items", compare_preferences, table, **asked | {"item": None})
    yield case("preferences, some", compare_preferences, table, **asked,
               systems=["one", "four"], confidence_level=0.9)  # fmt: skip
    sides = np.where(wins, "first", "second")
    yield case(
        "preferences, by side", compare_preferences, columns | {"winner": sides}, **asked
    )
    loser = np.where(wins, names[second], names[first])
    pairs = {"item": columns["item"], "winner": winner, "loser": loser}
    yield case("preferences, losers", compare_preferences, pairs, item="item", loser="loser",
               **FEW)  # fmt: skip
