"""What to_dict() cannot have written is refused as a ValueError, whatever it is."""

import contextlib
import copy
import json
import warnings
from functools import partial

import numpy as np
import pytest

from skstat import compare_predictions, compare_scores, report_from_dict
from skstat.stats import PairedScores
from tests.cases import in_one_test
from tests.report.built import CHECK, KINDS, TRUTH, TWO, report_on

rng = np.random.default_rng(0)
A, B, C = rng.normal(size=(3, 8)) + np.array([[0.5], [0.2], [0.0]])
REPORTS = {
    "paired t, margin": lambda: compare_scores(
        {"a": A, "b": B}, unit="seed", paired_seeds=True, margin=0.3
    ),
    "Welch": lambda: compare_scores({"a": A, "b": B[:5]}, unit="seed"),
    "5x2": lambda: compare_scores(PairedScores(np.r_[A, 1, 2], np.r_[B, 1, 3], n_repeats=5)),
    "draws": lambda: compare_predictions(
        TRUTH, TWO, metric="f1", test="bootstrap", n_resamples=19, random_state=0
    ),
    "seeds of systems": lambda: compare_scores({"a": A, "b": B, "c": C}, unit="seed"),
    **{kind: partial(report_on, kind) for kind in KINDS},
    "check": lambda: CHECK,
}  # fmt: skip


N_PLACES = 8


STRANGE = [
    None, "x", "", [], ["x"], {}, {"type": "x"}, -1, 0, 10**30, 1e300, float("nan"), True,
    json.loads("[" * 50 + "]" * 50), {"type": "PairedScores", "a": "__import__('os')"},
]  # fmt: skip


def paths(state, path=()):
    """Places of a dictionary; of a long list its first entry only."""
    yield path
    items = state.items() if isinstance(state, dict) else enumerate(state[:1])
    for key, part in items:
        if isinstance(part, dict | list):
            yield from paths(part, (*path, key))
        else:
            yield (*path, key)


def some(places, n):
    """Take n places: all of them take minutes."""
    places = [path for path in places if path]
    return [places[i] for i in np.random.default_rng(0).permutation(len(places))[:n]]


def check(state, path, *value):
    """With another value there, or none, it is refused as a ValueError, or can be shown."""
    place = state = copy.deepcopy(state)
    for key in path[:-1]:
        place = place[key]
    if value:
        (place[path[-1]],) = value
    else:
        del place[path[-1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(ValueError):
            found = report_from_dict(state)
            found.to_dict()
            found.to_markdown()


@pytest.fixture(scope="module", params=REPORTS.values(), ids=REPORTS)
def state(request):
    return json.loads(json.dumps(request.param().to_dict()))


def test_versions_that_nobody_wrote_are_refused(state):
    newest = state["schema_version"]
    for version in (-1, 0, True, 1.0, float(newest), "1", str(newest), None, [], newest + 1):
        with pytest.raises(ValueError, match="schema_version is"):
            report_from_dict(state | {"schema_version": version})


@pytest.mark.long(keep=7)
def test_other_values_are_refused_or_shown(state):
    drawn = np.random.default_rng(1)
    for path in some(paths(state), 2 * N_PLACES):
        check(state, path, STRANGE[drawn.integers(len(STRANGE))])


@in_one_test(
    "state, words",
    [
        (3, "state is not a valid report: it must be the dictionary"),
        (None, "got NoneType"),
        ([], "got list"),
        ({}, "'type' is missing"),
        ({"type": "Report"}, "lacks schema"),
        ({"type": "Report", "schema": "skstat.report", "schema_version": "x"}, "is 'x'"),
        ({"schema": "skstat.report", "schema_version": 4}, "'type' is missing"),
        ({"schema": "skstat.report", "schema_version": 4, "type": "os"}, "'os' is unknown"),
        ({"schema": "skstat.report", "schema_version": 4, "type": "Doubt"}, "'Doubt' is not a"),
        ({"schema": "skstat.test_check", "type": "TestCheck"}, "lacks|missing"),
    ],
)
def test_reports_by_name(state, words):
    with pytest.raises(ValueError, match=words):
        report_from_dict(state)


def test_spoiled_evidence_is_refused():
    state = compare_scores({"a": np.arange(30.0), "b": np.arange(30.0) ** 1.1}, unit="instance")
    state = state.to_dict()
    state["evidence"]["pairwise"]["outcomes"][0]["law"]["n_resamples"] = 10**12
    with pytest.raises(ValueError, match="n_resamples=1000000000000 is more than"):
        report_from_dict(state)


# --- by column: long lists are written once ---


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
    assert len(text) < 0.8 * len(plain)
    restored = report_from_dict(json.loads(text))
    assert json.dumps(restored.to_dict()) == plain  # of the same types, in the same order
    assert restored.to_json() == text and restored.details == report.details
    assert json.loads(text)["pairs"]["n"] == {"$rows": 120, "value": 8}
    assert "$rows" not in of_many(unit, k=6, **options).to_json()


@in_one_test("name", ["$rows", "$same", "$$x", "a/b", ""])
def test_names_that_look_like_marks_come_back(name):
    y = np.arange(150) % 2
    report = compare_predictions(
        y, {name: y, "b": 1 - y}, metric={name or "m": "accuracy", "other": "f1"},
        n_resamples=19, random_state=0,
    )  # fmt: skip
    again = report_from_dict(json.loads(report.to_json()))
    assert again.to_dict() == report.to_dict()


OUTCOMES = ("evidence", "pairwise", "outcomes")


@in_one_test(
    "path, value",
    [
        ((*OUTCOMES, "$rows"), -1),
        ((*OUTCOMES, "columns", "pvalue"), [0.5] * 119),
        ((*OUTCOMES, "columns", "pvalue"), {"$same": 10**6}),
        ((*OUTCOMES, "columns", "pvalue"), {"$rows": 120, "values": [0.5], "at": [-1] * 120}),
        ((*OUTCOMES, "columns", "pvalue"), {"$rows": 10**12, "value": 0.5}),
        ((*OUTCOMES, "columns"), 3),
        (("evidence", "pairwise", "pairs", "columns"), [["a"] * 120]),
    ],
)
def test_what_was_not_written_is_refused(path, value):
    place = state = json.loads(of_many("seed").to_json())
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError):
        _ = report_from_dict(state).evidence
