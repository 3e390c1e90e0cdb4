"""Results of several logs are paired by item, and refused where they do not belong together."""

from dataclasses import replace

import numpy as np
import pytest

from skstat.io import Results, ResultsError, Source, join_results, read_results
from tests.cases import in_one_test


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
        (results("b", unit="split"), "a row per instance and another per split"),
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


def test_a_file_against_itself_is_refused(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("id,correct\nq1,1\nq2,0\n")
    with pytest.raises(ResultsError, match="'a' and 'b' are one file, .*old.csv"):
        read_results({"a": path, "b": tmp_path / "." / "old.csv"})


def test_what_the_caller_allows_may_differ():
    parts = [results("a", content=["x", "y"]), results("b", version="2", content=["x", "z"])]
    joined = join_results(parts, allow=("version", "content"))
    assert len(joined) == 4
    with pytest.raises(ValueError, match="allow='versions' is unknown"):
        join_results(parts, allow="versions")


def test_a_system_has_one_row_of_an_item():
    with pytest.raises(ValueError, match="'a' has two results on item 'q1'"):
        results("a", ("q1", "q1"))


def on(system, *items, score=1.0):
    return Results(
        system=[system] * len(items), item=items, scores={"correct": [score] * len(items)}
    )


def items(first, last):
    return [f"q{i}" for i in range(first, last)]


def test_systems_with_few_items_in_common_are_refused(tmp_path):
    parts = [on("a", *items(0, 10)), on("b", *items(8, 30))]
    message = (
        "'a' has scores on 10 items and 'b' on 22, and 2 of them are the same: most results "
        "have no partner. Only 'a' has 'q0', and only 'b' has 'q10'.*pass allow='items'"
    )
    with pytest.raises(ResultsError, match=message):
        join_results(parts)
    assert len(join_results(parts, allow="items")) == 32
    # The same in one file, and where results that are missing stand as rows.
    rows = [f"{p.names[0]},{item},1" for p in parts for item in p.item]
    rows += [f"a,{item}," for item in items(10, 30)]
    path = tmp_path / "all.csv"
    path.write_text("\n".join(["model,item,correct", *rows]))
    with pytest.raises(ResultsError, match=message):
        read_results(path)
    assert len(read_results(path, allow="items")) == 52
    with pytest.raises(ResultsError, match="none of them are the same.*only 'b' has 'q10'.$"):
        join_results([on("a", *items(0, 10)), on("b", *items(10, 20))])


def test_the_latency_alone_is_not_compared_silently(tmp_path):
    for name, score in (("a", "correct"), ("b", "right answers")):
        (tmp_path / f"{name}.csv").write_text(f"item,{score},latency\nq1,1,2.5\nq2,0,1.5\n")
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    message = (
        "correct looks like the score of a, and not all .* but latency.*{'score': 'latency'}"
    )
    with pytest.raises(ResultsError, match=message):
        read_results(paths)
    assert read_results(paths, columns={"score": "latency"}).metrics == ("latency",)


WORDS = ("good", "bad", "good", "good")


def rows_with(words):
    cells = ((f"q{i}", i + j, system) for i in (0, 1) for j, system in enumerate("ab"))
    return [
        f"{system},{item},{word},{k}.5"
        for (item, k, system), word in zip(cells, words, strict=True)
    ]


@pytest.mark.parametrize("name", ["feedback", "opinion", "thumb", "colour"])
def test_a_column_of_words_beside_a_latency_is_not_passed_over(tmp_path, name):
    rows = rows_with(WORDS)
    path = tmp_path / "log.csv"
    path.write_text("\n".join([f"system,item,{name},latency", *rows]))
    message = f"'{name}' may be the score: .*'good', 'bad'.*say so: .*{{'score': 'latency'}}"
    with pytest.raises(ResultsError, match=message):
        read_results(path)
    assert read_results(path, columns={"score": "latency"}).metrics == ("latency",)
    for system in "ab":
        own = [row.split(",", 1)[1] for row in rows if row.startswith(system)]
        (tmp_path / f"{system}.csv").write_text("\n".join([f"item,{name},latency", *own]))
    with pytest.raises(ResultsError, match=message):
        read_results([tmp_path / "a.csv", tmp_path / "b.csv"])


@pytest.mark.parametrize(
    ("name", "words", "score"),
    [
        ("topic", ("x", "x", "y", "y"), "latency"),  # groups items, and is called so
        ("colour", ("x", "x", "y", "y"), "latency"),  # is one of the item
        ("answer", WORDS, "latency"),
        ("colour", WORDS, "quality"),  # there is a score
    ],
)
def test_words_of_the_item_and_answers_are_no_score(tmp_path, name, words, score):
    rows = rows_with(words)
    path = tmp_path / "log.csv"
    path.write_text("\n".join([f"system,item,{name},{score}", *rows]))
    assert read_results(path).metrics == (score,)
