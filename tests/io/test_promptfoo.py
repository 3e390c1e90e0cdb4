"""Results of promptfoo: providers and prompts are systems, tests are items."""

import numpy as np

from skstat.io import read_results
from tests.io.written import only_if_allowed, refused, row
from tests.io.written import promptfoo_log as log


def test_a_provider_is_a_system(tmp_path):
    rows = [
        row(question, score, provider, namedScores={"tone": score / 2})
        for question, score in (("2 + 2?", 1.0), ("3 + 4?", 0.25))
        for provider in ("lab:a", "lab:b")
    ]
    found = read_results(log(tmp_path / "x.json", rows))
    assert found.names == ("lab:a", "lab:b") and len(found.items) == 2
    assert found.metrics == ("success", "score", "latency_ms", "cost", "tone")
    assert found.scores["success"].tolist() == [1, 0, 1, 0]
    assert found.scores["tone"].tolist() == [0.5, 0.125, 0.5, 0.125]
    up = found.higher_is_better
    assert (up["score"], up["latency_ms"], up["cost"]) == (True, False, False)
    assert found.columns["question"].tolist() == ["2 + 2?", "3 + 4?"] * 2
    assert found.item[0].startswith("2 + 2? [")
    one = found.sources[0]
    assert (one.format, one.task, one.created) == ("promptfoo", "sums", "2026-01-01T00:00:00Z")


def test_prompts_are_systems_where_there_are_several(tmp_path):
    long = "Say at length: {{question}}" * 5
    rows = [row(prompt=prompt) for prompt in ("short", long)]
    assert read_results(log(tmp_path / "x.json", rows)).names == ("short", "prompt 2")
    rows += [row(prompt=prompt, provider="lab:b") for prompt in ("short", long)]
    names = read_results(log(tmp_path / "x.json", rows)).names
    assert names[2:] == ("lab:b, short", "lab:b, prompt 2")


def test_tests_are_paired_by_what_they_ask(tmp_path):
    """A test that is added moves the numbers of all others."""
    old = log(tmp_path / "old.json", [row("a?"), row("b?", 0.0)])
    new = log(tmp_path / "new.json", [row("c?", testIdx=0), row("b?"), row("a?", 0.0)])
    found = read_results({"old": old, "new": new})
    rows = zip(found.system, found.item, found.scores["score"], strict=True)
    scores = {(system, item[:2]): score for system, item, score in rows}
    assert scores["old", "a?"] == 1 and scores["new", "a?"] == 0 and scores["new", "b?"] == 1
    expecting = {"vars": {"question": "a?"}, "assert": [{"type": "contains", "value": "4"}]}
    other = log(tmp_path / "new.json", [row("a?", testCase=expecting)])
    refused({"old": old, "new": other}, "different content: 'a\\?")


def test_tests_of_other_descriptions_are_two_in_any_order(tmp_path):
    def described(name, value, score):
        test = {"description": name, "vars": {}, "assert": [{"value": value}]}
        return row(score=score, testCase=test, vars={})

    one, two = described("polite", "x", 1.0), described("short", "y", 0.0)
    first, second = (
        read_results(log(tmp_path / "x.json", rows)) for rows in ([one, two], [two, one])
    )
    assert first.items == second.items[::-1] and first.items[0].startswith("polite [")
    assert first.scores["score"].tolist() == second.scores["score"].tolist()[::-1]


def test_time_of_the_cache_is_not_known(tmp_path):
    rows = [row(), row("3?", response={"cached": True}, latencyMs=1, cost=None)]
    found = read_results(log(tmp_path / "x.json", rows))
    np.testing.assert_array_equal(found.scores["latency_ms"], [120, np.nan])


def test_what_is_not_whole_is_refused(tmp_path):
    counted = {"successes": 3, "failures": 1, "errors": 1}
    path = log(tmp_path / "x.json", [row()], counted)
    only_if_allowed(path, "counts 5 results and holds 1", "unfinished", 1)
    refused(log(tmp_path / "x.json", []), "there are no results")
    odd = read_results(log(tmp_path / "x.json", [row(), row("3?") | {"score": "high"}]))
    assert odd.left_out == ("score",) and odd.metrics[0] == "success"
    two = log(tmp_path / "x.json", [row(), row(provider="lab:b")])
    refused({"mine": two}, "several systems .lab:a, lab:b")
