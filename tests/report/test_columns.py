"""JSON of reports on very many systems: long lists once, and back without a loss."""

import json

import numpy as np
import pytest

import skstat
from skstat import compare_scores
from tests.cases import in_one_test


def of_many(unit="dataset", k=16, **options):  # 120 pairs
    table = np.random.default_rng(4).normal(size=(8, k)) / 50 + np.arange(k) / 100
    scores = {f"system {j}": table[:, j] for j in range(k)}
    return compare_scores(scores, unit=unit, **options)


@in_one_test(
    "unit, options",
    [("dataset", {}), ("seed", {"margin": 0.01}), ("split", {"n_train": 90, "n_test": 10})],
)
def test_json_by_column_is_the_dictionary_without_a_loss(unit, options):
    report = of_many(unit, **options)
    plain, text = json.dumps(report.to_dict()), report.to_json()
    assert len(text) < len(plain) / 2
    restored = skstat.report_from_dict(json.loads(text))
    assert json.dumps(restored.to_dict()) == plain  # of the same types, in the same order
    assert restored.to_json() == text and restored.details == report.details
    assert json.loads(text)["pairs"]["n"] == {"$rows": 120, "value": 8}
    assert "$rows" not in of_many(unit, k=6, **options).to_json()


@in_one_test("name", ["$rows", "$same", "$$x", "a/b", ""])
def test_names_that_look_like_marks_come_back(name):
    y = np.arange(150) % 2
    report = skstat.compare_predictions(
        y, {name: y, "b": 1 - y}, metric={name or "m": "accuracy", "other": "f1"},
        n_resamples=19, random_state=0,
    )  # fmt: skip
    again = skstat.report_from_dict(json.loads(report.to_json()))
    assert again.to_dict() == report.to_dict()


OUTCOMES = ("evidence", "pairwise", "outcomes")


@in_one_test(
    "path, value",
    [
        ((*OUTCOMES, "$rows"), -1),
        ((*OUTCOMES, "fields", "pvalue"), [0.5] * 119),
        ((*OUTCOMES, "fields", "pvalue"), {"$same": 10**6}),
        ((*OUTCOMES, "fields", "pvalue"), {"$rows": 120, "values": [0.5], "at": [-1] * 120}),
        ((*OUTCOMES, "fields", "pvalue"), {"$rows": 10**12, "value": 0.5}),
        ((*OUTCOMES, "fields"), 3),
        (("evidence", "pairwise", "pairs", "items"), [["a"] * 120]),
    ],
)
def test_what_was_not_written_is_refused(path, value):
    place = state = json.loads(of_many("seed").to_json())
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError):
        skstat.report_from_dict(state)
