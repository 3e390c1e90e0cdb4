"""Results of several logs are paired by item, and refused where they do not belong together."""

from dataclasses import replace

import numpy as np
import pytest

from skstat.io import Results, ResultsError, Source, join_results, read_results
from tests.cases import in_one_test
from tests.io.written import only_if_allowed, refused


def results(system, items=("q1", "q2"), version="1", content=None, **facts):
    return Results(
        system=[system] * len(items),
        item=items,
        scores={"correct": np.arange(len(items)) % 2},
        content=content,
        sources=(Source(system=system, format="test", task="quiz", version=version),),
        **facts,
    )


@in_one_test(
    ("other", "message"),
    [
        (results("a"), "called 'a'"),
        (results("b", version="2"), "different versions of the task: 'a' of '1', 'b' of '2'"),
        (results("b", content=["x", "z"]), "1 of 2 items have one name .*: 'q2'"),
        (results("b", unit="split"), "a row per instance, and others per split"),
        (results("b", higher_is_better={"correct": False}), "differs between a and b"),
        (
            replace(results("b"), scores={"judge": [1, 0]}),
            "no metric in common .a: correct; b: judge",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(other, message):
    one = results("a", content=["x", "y"], higher_is_better={"correct": True})
    with pytest.raises(ResultsError, match=message):
        join_results([one, other])


def asked(system, **settings):
    source = Source(system=system, format="test", settings=settings)
    return replace(results(system), sources=(source,))


def test_a_task_that_was_asked_in_two_ways_is_refused():
    parts = [asked("a", shots="5", seed="1"), asked("b", shots="0")]
    with pytest.raises(ResultsError, match="settings .shots.: 'a' of '5', 'b' of '0'"):
        join_results(parts)
    assert len(join_results(parts, allow="settings")) == 4
    assert len(join_results([parts[0], asked("b", shots="5", other="x")])) == 4


def test_a_file_against_itself_is_refused(file):
    path = file("old.csv", "id,correct\nq1,1\nq2,0\n")
    again = path.parent / "." / "old.csv"
    refused({"a": path, "b": again}, "'a' and 'b' are one file, .*old.csv")


def test_what_the_caller_allows_may_differ():
    parts = [results("a", content=["x", "y"]), results("b", version="2", content=["x", "z"])]
    joined = join_results(parts, allow=("version", "content"))
    assert len(joined) == 4
    with pytest.raises(ValueError, match="allow='versions' is unknown"):
        join_results(parts, allow="versions")


def test_a_system_has_one_row_of_an_item():
    with pytest.raises(ValueError, match="'a' has two results on item 'q1'"):
        results("a", ("q1", "q1"))


def on(system, *places):
    items = [f"q{i}" for i in range(*places)]
    scores = {"correct": [1.0] * len(items)}
    return Results(system=[system] * len(items), item=items, scores=scores)


def test_systems_with_few_items_in_common_are_refused(file):
    parts = [on("a", 10), on("b", 8, 30)]
    message = (
        "'a' has scores on 10 items and 'b' on 22, and 2 of them are the same: most results "
        "have no partner. Only 'a' has 'q0', and only 'b' has 'q10'.*pass allow='items'"
    )
    with pytest.raises(ResultsError, match=message):
        join_results(parts)
    assert len(join_results(parts, allow="items")) == 32
    # The same in one file, and where results that are missing stand as rows.
    rows = [f"{p.names[0]},{item},1" for p in parts for item in p.item]
    rows += [f"a,q{i}," for i in range(10, 30)]
    path = file("all.csv", "\n".join(["model,item,correct", *rows]))
    only_if_allowed(path, message, "items", 52)
    with pytest.raises(ResultsError, match="none of them are the same.*only 'b' has 'q10'.$"):
        join_results([on("a", 10), on("b", 10, 20)])


def test_the_latency_alone_is_not_compared_silently(file):
    paths = [
        file(f"{name}.csv", f"item,{score},latency\nq1,1,2.5\nq2,0,1.5\n")
        for name, score in (("a", "correct"), ("b", "right answers"))
    ]
    message = "correct looks like the score of a, and not .* but latency.*{'score': 'latency'}"
    refused(paths, message)
    assert read_results(paths, columns={"score": "latency"}).metrics == ("latency",)


WORDS = ("good", "bad", "good", "good")


def rows_with(words):
    cells = ((f"q{i}", i + j, system) for i in (0, 1) for j, system in enumerate("ab"))
    return [
        f"{system},{item},{word},{k}.5"
        for (item, k, system), word in zip(cells, words, strict=True)
    ]


@pytest.mark.parametrize("name", ["feedback", "opinion", "thumb", "colour"])
def test_a_column_of_words_beside_a_latency_is_not_passed_over(file, name):
    rows = rows_with(WORDS)
    path = file("log.csv", "\n".join([f"system,item,{name},latency", *rows]))
    message = f"'{name}' may be the score: .*'good', 'bad'.*say so: .*{{'score': 'latency'}}"
    refused(path, message)
    assert read_results(path, columns={"score": "latency"}).metrics == ("latency",)
    own = {s: [row.split(",", 1)[1] for row in rows if row[0] == s] for s in "ab"}
    header = f"item,{name},latency"
    refused([file(f"{s}.csv", "\n".join([header, *own[s]])) for s in "ab"], message)


@pytest.mark.parametrize(
    ("name", "words", "score"),
    [
        ("topic", ("x", "x", "y", "y"), "latency"),  # groups items, and is called so
        ("colour", ("x", "x", "y", "y"), "latency"),  # is one of the item
        ("answer", WORDS, "latency"),
        ("colour", WORDS, "quality"),  # there is a score
    ],
)
def test_words_of_the_item_and_answers_are_no_score(file, name, words, score):
    text = "\n".join([f"system,item,{name},{score}", *rows_with(words)])
    assert read_results(file("log.csv", text)).metrics == (score,)
