"""What a report says of the logs that results came from, and doubts about them."""

from dataclasses import replace

import numpy as np
import pytest

from skstat import compare_scores
from skstat.io import Results, Source, join_results

rng = np.random.default_rng(3)
ITEMS = [f"q{number}" for number in range(40)]


def log(system, *, path=None, scores=None, items=ITEMS, content="x", **about):
    known = {"task": "sums", "version": "1", "format": "table"} | about
    return Results(
        system=[system] * len(items),
        item=items,
        scores={"correct": rng.integers(0, 2, len(items)) if scores is None else scores},
        content=[content] * len(items),
        sources=(Source(system=system, path=path or f"{system}.json", **known),),
    )


def doubts(report):
    return {doubt.code: doubt for doubt in report.doubts}


def test_the_report_says_where_results_came_from():
    report = compare_scores(join_results([log("old"), log("new", n_expected=100)]))
    said = " ".join(report.details.split())
    assert "old from old.json, format table, task sums, version 1" in said
    assert "new from new.json, format table, task sums, version 1, 40 of 100 items" in said
    assert [source["path"] for source in report.design["sources"]] == ["old.json", "new.json"]
    limited = doubts(report)["SKS135"]
    assert limited.weight == "weak" and "new on 40 of 100" in limited.text
    assert "SKS135" not in doubts(compare_scores(join_results([log("old"), log("new")])))


def test_many_sources_are_counted():
    report = compare_scores(join_results([log(f"s{n}") for n in range(6)]), random_state=0)
    assert "results of 6 systems from 6 places (table)" in " ".join(report.details.split())
    one = join_results([log(f"s{n}", path="all.csv") for n in range(6)])
    assert "results from all.csv, format table" in compare_scores(one, random_state=0).details


@pytest.mark.parametrize(
    ("change", "allow", "said"),
    [
        ({"version": "2"}, "version", "its version"),
        ({"task": "products"}, "task", "the task"),
        ({"settings": {"shots": "5"}}, "settings", "shots"),
        ({"content": "y"}, "content", "the content of items"),
    ],
)
def test_what_was_allowed_to_differ_is_doubted(change, allow, said):
    known = {"settings": {"shots": "0"}}
    report = compare_scores(
        join_results([log("old", **known), log("new", **known | change)], allow=[allow])
    )
    found = doubts(report)["SKS136"]
    assert said in found.text and found.weight == "weak"
    alike = compare_scores(join_results([log("old", **known), log("new", **known)]))
    assert "SKS136" not in doubts(alike)


def test_one_log_under_two_names_is_doubted():
    answers = rng.integers(0, 2, len(ITEMS))
    old = log("old", scores=answers)
    twice = compare_scores(join_results([old, old.renamed({"old": "new"})]))
    found = doubts(twice)["SKS138"]
    assert found.weight == "invalid" and "old and new have the same scores" in found.text
    # Of two files, or with one other answer, they are two systems that agree.
    elsewhere = compare_scores(join_results([old, log("new", scores=answers)]))
    assert "SKS138" not in doubts(elsewhere)
    other = replace(old.renamed({"old": "new"}), scores={"correct": 1 - answers})
    assert "SKS138" not in doubts(compare_scores(join_results([old, other])))
    third = join_results([old, log("mini"), old.renamed({"old": "new"})])
    assert "old and new" in doubts(compare_scores(third, random_state=0))["SKS138"].text


def test_systems_without_an_item_in_common_are_refused():
    with pytest.raises(ValueError, match="none of them are the same"):
        compare_scores(join_results([log("old", items=ITEMS[:9]), log("new", items=ITEMS[9:])]))
