"""JSON of reports on very many systems: long lists once, and back without a loss."""

import json

import numpy as np
import pytest

import skstat
from skstat import compare_scores
from tests.cases import in_one_test

K = 16  # 120 pairs


def _report(unit="dataset", k=K, n=8, **options):
    table = np.random.default_rng(4).normal(size=(n, k)) / 50 + np.arange(k) / 100
    sizes = {"n_train": 90, "n_test": 10} if unit == "split" else {}
    scores = {f"system {j}": table[:, j] for j in range(k)}
    return compare_scores(scores, unit=unit, **sizes, **options)


def _several():
    y = np.arange(60) % 2
    draw = np.random.default_rng(0)
    outputs = {f"s{j}": np.where(draw.random(60) < 0.7, y, 1 - y) for j in range(K)}
    return skstat.compare_predictions(
        y, outputs, metric=["accuracy", "balanced_accuracy"], n_resamples=99, random_state=0
    )


def test_few_rows_are_the_dictionary_itself():
    few = _report(k=6)
    assert json.loads(few.to_json()) == json.loads(json.dumps(few.to_dict()))
    assert "$rows" not in few.to_json()


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "make",
    [_report, lambda: _report("split"), lambda: _report("seed", margin=0.01), _several],
    ids=["data sets", "splits", "margin", "metrics"],
)
def test_json_by_column_is_the_dictionary_without_a_loss(make):
    report = make()
    plain = json.dumps(report.to_dict())
    text = report.to_json()
    assert len(text) < len(plain) / 2
    restored = skstat.report_from_dict(json.loads(text))
    assert json.dumps(restored.to_dict()) == plain  # of the same types, in the same order
    assert restored.to_json() == text
    assert restored.details == report.details


def test_what_all_pairs_share_is_written_once():
    text = _report().to_json()
    for words in ("Biometrics Bulletin", "pseudo-median of score(A)", "symmetric about their"):
        assert text.count(words) <= 2  # of the report, and of all pairs
    assert json.loads(text)["pairs"]["n"] == {"$rows": 120, "value": 8}
    outcomes = json.loads(text)["evidence"]["pairwise"]["outcomes"]["fields"]
    assert "$same" in outcomes["estimate"]


@in_one_test(
    "name",
    ["$rows", "$same", "$$x", "a/b", ""],
)
def test_names_that_look_like_marks_come_back(name):
    y = np.arange(150) % 2
    report = skstat.compare_predictions(
        y, {name: y, "b": 1 - y}, metric={name or "m": "accuracy", "other": "f1"},
        n_resamples=19, random_state=0,
    )  # fmt: skip
    again = skstat.report_from_dict(json.loads(report.to_json()))
    assert again.to_dict() == report.to_dict()


def _of(state, path):
    for key in path:
        state = state[key]
    return state


OUTCOMES = ("evidence", "pairwise", "outcomes")


@in_one_test(
    "path, value",
    [
        ((*OUTCOMES, "$rows"), -1),
        ((*OUTCOMES, "fields", "pvalue"), [0.5] * 119),
        ((*OUTCOMES, "fields", "pvalue"), {"$same": 10**6}),
        ((*OUTCOMES, "fields", "pvalue"), {"$rows": 10**12, "value": 0.5}),
        ((*OUTCOMES, "fields"), 3),
        (("evidence", "pairwise", "pairs", "items"), [["a"] * 120]),
    ],
)
def test_what_was_not_written_is_refused(path, value):
    state = json.loads(_report("seed").to_json())
    _of(state, path[:-1])[path[-1]] = value
    with pytest.raises(ValueError):
        skstat.report_from_dict(state)
