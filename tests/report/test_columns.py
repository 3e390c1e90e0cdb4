"""JSON of reports on very many systems: tables by column, and back without a loss."""

import copy
import json

import numpy as np
import pytest

import skstat
from skstat import MetricsReport, compare_scores
from skstat.report._forms.columns import by_column, by_row
from skstat.stats import PairwiseOutcome
from tests.cases import in_one_test

K = 16  # 120 pairs


def _scores(k=K, n=8):
    table = np.random.default_rng(4).normal(size=(n, k)) / 50 + np.arange(k) / 100
    return {f"system {j}": table[:, j] for j in range(k)}


def _report(unit="dataset", k=K, **options):
    sizes = {"n_train": 90, "n_test": 10} if unit == "split" else {}
    return compare_scores(_scores(k), unit=unit, **sizes, **options)


@pytest.fixture(scope="module")
def report():
    return _report()


def _read(text):
    return json.loads(text)


def test_few_rows_are_the_dictionary_itself():
    few = _report(k=6)
    assert _read(few.to_json()) == _read(json.dumps(few.to_dict()))
    assert by_column(few.to_dict()) is not None and "$by_column" not in few.to_json()


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "make",
    [
        _report,
        lambda: _report("split"),
        lambda: _report("seed", margin=0.01),
        lambda: MetricsReport(reports={"f1": _report(), "recall": _report("seed")}),
    ],
    ids=["data sets", "splits", "margin", "metrics"],
)
def test_json_by_column_is_the_dictionary_without_a_loss(make):
    report = make()
    written = _read(report.to_json())
    plain = json.dumps(report.to_dict())
    assert json.dumps(by_row(written)) == plain  # of the same types, in the same order
    assert len(json.dumps(written)) < len(plain) / 3
    restored = skstat.report_from_dict(written)
    assert json.dumps(restored.to_dict()) == plain
    assert restored.to_json() == report.to_json()


def test_what_all_pairs_share_is_written_once(report):
    text = report.to_json()
    for words in ("Biometrics Bulletin", "pseudo-median of score(A)", "symmetric about their"):
        assert text.count(words) <= 2  # of the report, and of all pairs
    written = _read(text)
    fields = written["pairwise"]["outcomes"]["fields"]
    assert fields["estimate"] == {"$ref": "/pairs/fields/estimate"}
    assert fields["differences"]["$derived"] == "differences"
    assert fields["ranks"]["$derived"] == "ranks"
    assert written["pairs"]["fields"]["confidence_level"] == {"$all": 0.95}


def test_rows_that_follow_from_no_scores_are_written(report):
    state = copy.deepcopy(report.to_dict())
    outcomes = state["pairwise"]["outcomes"]
    outcomes[3]["differences"][0] = 0.25
    outcomes[5]["ranks"] = [1.0, 2.0]
    written = by_column(state)
    fields = written["pairwise"]["outcomes"]["fields"]
    assert fields["differences"]["$except"] == {"3": outcomes[3]["differences"]}
    assert fields["ranks"]["$except"] == {"5": [1.0, 2.0]}
    assert by_row(_read(json.dumps(written))) == state


def test_sorted_keys_are_read_too(report):
    sorted_by_key = _read(json.dumps(_read(report.to_json()), sort_keys=True))
    assert by_row(sorted_by_key) == report.to_dict()


@in_one_test(
    "rows",
    [
        [{"x": value} for value in [1, 1.0, True, None, 0.0, -0.0, "1", 0, False, "null"] * 11],
        [{"x": {"y": j, "z": {"w": [j]}}, "$all": 3} for j in range(150)],
        [{"x": {"y": 1}} if j % 2 else {"x": {"z": 1}} for j in range(150)],
        [{"x": j} if j % 2 else {"z": j} for j in range(150)],
        [{} for _ in range(150)],
        [["a", "b"]] * 100 + [["b", "a"]],
        [["a", 1]] * 100,
        [[1.5, None]] * 120,
        list(range(150)),
        [1, 1.0, True, -0.0, 0] * 40,
        [0.5] * 150,
        [{"a/b": j, "c~d": j, "": j} for j in range(150)],
        [[{"x": j % 3}] * 2 for j in range(150)],
    ],
)
def test_any_plain_values_come_back(rows):
    state = {"first": rows, "$rows": {"$$ref": "x", "again": rows}, "list": [rows, 1, [rows]]}
    state["table"] = [{"row": j, "same": 0.5} for j in range(150)]
    state["column"] = [0.5] * 150
    state["coded"] = state["coded again"] = [0.25, 0.75, 0.25] * 50
    state["coded rows"] = [{"x": value} for value in state["coded"]]
    written = by_column(state)
    assert written["$by_column"] is True
    assert repr(by_row(_read(json.dumps(written)))) == repr(state)


def test_reports_of_the_versions_before_are_read(report):
    for version in (1, 2):
        old = _read(json.dumps(report.to_dict() | {"schema_version": version}))
        assert skstat.report_from_dict(old).to_dict() == report.to_dict()


def _broken(state, path, value):
    state = copy.deepcopy(state)
    place = state
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return state


PAIRS = ("pairs", "fields", "first")


@pytest.mark.parametrize(
    "path, value",
    [
        (("pairs", "$rows"), 10**12),
        (("pairs", "$rows"), 119),
        (("pairs", "$rows"), "x"),
        (PAIRS, {"$ref": "/pairs/fields/first"}),
        (PAIRS, {"$ref": "/nowhere"}),
        (PAIRS, {"$values": ["a"], "$places": [5] * 120}),
        (PAIRS, {"$derived": "ranks", "$except": {}}),
        (PAIRS, 3),
        (("pairwise", "outcomes", "fields", "ranks"), {"$derived": "x", "$except": {}}),
        (("pairwise", "outcomes", "fields", "ranks", "$except"), {"500": []}),
        (("sample", "scores"), [[1.0]]),
        (("sample",), 3),
    ],
)
def test_other_columns_are_refused(report, path, value):
    state = _broken(_read(report.to_json()), path, value)
    with pytest.raises(ValueError, match="state is not a"):
        skstat.report_from_dict(state)


def test_outcomes_alone_are_as_they_were(report):
    state = _read(json.dumps(report.pairwise.to_dict()))
    assert isinstance(state["outcomes"], list)
    assert PairwiseOutcome.from_dict(state).to_dict() == report.pairwise.to_dict()


def test_outcomes_together_are_written_as_each_of_them():
    for unit in ("split", "dataset"):
        found = _report(unit).pairwise
        together = found.to_dict()["outcomes"]
        for written, outcome in zip(together, found.outcomes, strict=True):
            alone = outcome.to_dict()
            if "maxima" in alone:  # kept once for all
                alone["maxima"] = None
            assert json.dumps(written) == json.dumps(alone)
