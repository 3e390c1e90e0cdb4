"""Tables in files: what is read of them, and what is refused."""

import gzip
import json
import sys

import numpy as np
import pytest

from skstat import compare_scores
from skstat.io import ResultsError, read_results
from tests.cases import in_one_test
from tests.io.written import refused


def test_other_splits_of_two_files_are_refused(file):
    text = "fold,n_train,n_test,acc\n0,{0},.8\n1,{0},.7\n2,{0},.9\n"
    sizes = {"a": "100,50", "b": "90,60"}
    paths = [file(f"{name}.csv", text.format(own)) for name, own in sizes.items()]
    with pytest.raises(ValueError, match="n_train 100 in one row and 90 in another"):
        compare_scores(read_results(paths))


ROWS = [
    {"model": "a", "question": "q1", "correct": 1, "latency": 2.5, "topic": "x"},
    {"model": "a", "question": "q2", "correct": 0, "latency": 1.5, "topic": "y"},
    {"model": "b", "question": "q1", "correct": 1, "latency": 3.5, "topic": "x"},
    {"model": "b", "question": "q2", "correct": None, "latency": 0.5, "topic": "y"},
]


def test_the_same_table_in_every_kind_of_file(file, tmp_path):
    polars = pytest.importorskip("polars")
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    lines = "\n".join(json.dumps(row) for row in ROWS)
    csv = "\n".join(
        ",".join("" if cell is None else str(cell) for cell in row.values()) for row in ROWS
    )
    header = ",".join(ROWS[0])
    paths = [
        file("rows.csv.gz", gzip.compress(f"{header}\n{csv}\n".encode())),
        file("rows.json", json.dumps(ROWS)),
        file("columns.json", json.dumps(columns)),
        file("rows.jsonl", lines),
        file("rows.csv", f"\ufeff{header}\n{csv}\n"),
        file("rows.tsv", f"{header}\n{csv}\n".replace(",", "\t")),
        tmp_path / "rows.parquet",
    ]
    polars.DataFrame(ROWS).write_parquet(paths[-1])
    for path in paths:
        results = read_results(path)
        assert results.names == ("a", "b"), path
        np.testing.assert_array_equal(results.scores["correct"], [1, 0, 1, np.nan])
        assert results.columns["topic"].tolist() == ["x", "y", "x", "y"]
        assert results.higher_is_better == {"correct": True, "latency": False}


def test_columns_of_systems_become_rows(file):
    wide = file("wide.csv", "question,topic,new,old\nq1,x,1,0\nq2,y,0,0\n")
    results = read_results(wide, columns={"systems": ["new", "old"]})
    assert results.names == ("new", "old") and results.metrics == ("score",)
    assert results.scores["score"].tolist() == [1, 0, 0, 0]
    older = {"systems": ["new", "older"]}
    refused(wide, "'older' is not a column; there are question", columns=older)


def test_errors_name_the_line_of_the_file(file):
    wide = file("x.csv", "item,note,new,old\n\nq1,'',1,0\nq2,\"two\nlines\",1,maybe\n")
    refused(wide, "line 4 holds 'maybe'", columns={"systems": ["new", "old"]})
    lists = file(
        "x.jsonl",
        '{"item": "q1", "correct": [1, 0, 1], "f1": 1}\n\n'
        '{"item": "q2", "correct": [1, 1], "f1": "none at all"}\n',
    )
    refused(lists, "'f1': line 3 holds 'none at all'", columns={"score": ["correct", "f1"]})


def test_a_file_that_only_its_name_calls_parquet(file):
    pytest.importorskip("polars")
    refused(file("x.parquet", "PAR1"), "is not a parquet file")


def test_parquet_needs_a_package(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    refused(file("x.parquet", "PAR1"), "parquet needs polars, or pandas: pip install polars")


# What is a score, and what is none


def table_of(file, **columns):
    """Two systems on three items, with a cell of every column for each item."""
    rows = [
        {"model": model, "item": f"q{i}", **{name: cells[i] for name, cells in columns.items()}}
        for model in ("a", "b")
        for i in range(3)
    ]
    return file("rows.json", json.dumps(rows))


@in_one_test("end", [".csv", ".json"])
@in_one_test(
    "words",
    [
        "True False True", "TRUE false NA", "yes No -", "pass FAILED passed", "1 0 True",
        "correct incorrect wrong", "Right wrong null", "success failure success", "solved  ",
    ],
)  # fmt: skip
def test_outcomes_are_scores(file, end, words):
    cells = words.split(" ")
    rows = [f"q{i},{cell},{i}.5" for i, cell in enumerate(cells)]
    path = file("rows.csv", "\n".join(["item,judged,latency", *rows]))
    if end == ".json":
        path = table_of(file, judged=cells, latency=[0.5, 1.5, 2.5])
    right = {"true", "yes", "pass", "passed", "1", "correct", "right", "success", "solved"}
    nothing = {"na", "-", "null", ""}
    found = [
        np.nan if word in nothing else float(word in right) for word in words.lower().split(" ")
    ]
    scores = read_results(path).scores
    assert list(scores) == ["judged", "latency"]
    np.testing.assert_array_equal(scores["judged"][:3], found)


@in_one_test(
    ("name", "cells", "said"),
    [
        ("correct", ["1", "0", "maybe"], "row 3 holds 'maybe', which is neither a number"),
        ("passed", ["yes", "true", "yes"], "row 2 holds 'true'"),
        ("score", ["85%", "90%", "1%"], "row 1 holds '85%'"),
        ("is_correct", ["A", "B", "C"], "row 1 holds 'A'"),
        ("success", [None, None, None], "all of its cells are empty"),
        ("asked", ["0,5", "0,7", "1,0"], "row 1 holds '0,5'"),
        ("graded", [0.5, "none at all", 1], "row 2 holds 'none at all'"),
        ("f1", [True, 7, False], "row 2 holds 7 beside True and False"),
        ("accuracy", [{"x": 1}] * 3, "an object with keys.* columns of their own"),
        ("rated", [[1], [0], [1]], "a list of 1.*columns={'score': 'rated'} reads lists"),
        ("score", [10**400, 1, 2], "row 1 holds 10000"),
        ("score", ["1_0", "1", "2"], "row 1 holds '1_0'"),
    ],
)
def test_no_other_score_is_chosen_silently(file, name, cells, said):
    path = table_of(file, **{name: cells, "latency": [0.5, 1.5, 2.5]})
    call = r"What is left is latency.*read_results\('.*', columns={'score': 'latency'}\)"
    refused(path, f"{name!r} looks like the score, but .*{said}.*{call}")
    assert read_results(path, columns={"score": "latency"}).metrics == ("latency",)
    # Where something else is the score by its name, nothing is guessed.
    other = table_of(file, **{name: cells, "exact_match": [0, 1, 0]})
    if name != "exact_match":
        assert read_results(other).metrics == ("exact_match",)


@in_one_test(
    ("name", "cells"),
    [
        ("index", [3, 5, 9]),
        ("Unnamed: 0", [3, 5, 9]),
        ("line", [3, 5, 9]),
        ("row_no", [3, 5, 9]),
        ("what", [0, 1, 2]),
        ("when", [1.7e9, 1.7e9 + 5, 1.7e9 + 9]),
        ("created_at", [1.7e12, 0, 5]),
        ("start_time", [3.5, 5.5, 9.5]),
        ("prompt_id", [7, 7, 8]),
        ("topic", [7, 7, 8]),
        ("y_true", [1, 0, 1]),
        ("predictions", ["yes", "no", "yes"]),
        ("correct_answer", ["True", "False", "True"]),
    ],
)
def test_what_counts_rows_or_names_something_is_no_score_by_guess(file, name, cells):
    path = table_of(file, **{name: cells, "judge": [0.5, 0.7, 0.1]})
    found = read_results(path)
    assert found.metrics == ("judge",) and name in found.columns
    refused(table_of(file, **{name: cells}), f"no score.*{name}.*columns={{'score': ")
    assert read_results(path, columns={"score": name}).metrics == (name,)


def test_lists_of_scores_are_repeats(file):
    path = table_of(file, correct=[[1, 0], [True], []], latency=[0.5, 1.5, 2.5])
    results = read_results(path)
    assert results.repeat.tolist() == ["1", "2", "1", "1"] * 2
    np.testing.assert_array_equal(results.scores["correct"][:4], [1, 0, 1, np.nan])
    odd = table_of(file, correct=[[1] * 9, [1] * 9, ["maybe"]])
    refused(odd, "looks like the score, but row 3 holds 'maybe'")
    named = table_of(file, judged=[[1, 0], [1, 1], [0, 0]])
    assert len(read_results(named, columns={"score": "judged"})) == 12
    unlike = table_of(file, correct=[[1]] * 3, f1=[[1, 0]] * 3)
    refused(unlike, "'correct' and 'f1' hold lists, of different")
    repeated = table_of(file, correct=[[1]] * 3, seed=[1, 2, 3])
    refused(repeated, "hold lists, .* beside a column of repeats")


def test_true_and_false_may_name_groups_too(file):
    hard = [i % 3 == 0 for i in range(12)]
    rows = [
        {"model": model, "item": i, "hard": hard[i], "correct": (i * n) % 5 > 1}
        for n, model in ((1, "a"), (3, "b"))
        for i in range(12)
    ]
    results = read_results(file("rows.json", json.dumps(rows)))
    report = compare_scores(results, score="correct", group="hard")
    assert "2 groups" in report.details


def test_an_error_of_an_auc_is_no_auc(file):
    rows = [
        f"d{i},{method},{metric},{error + i / 100}"
        for i in range(8)
        for method, error in (("good", 0.1), ("poor", 0.2))
        for metric in ("roc_auc", "rmse")
    ]
    path = file("arena.csv", "\n".join(["dataset,method,metric,metric_error", *rows]))
    refused(path, "no column is called value or score")
    results = read_results(path, columns={"score": "metric_error"})
    assert results.higher_is_better == {"roc_auc_metric_error": False, "rmse": False}
    assert compare_scores(results, score="roc_auc_metric_error").better == "good"


# What is no table


PACKED = gzip.compress(b"item,score\nq,1\n" + b"q,1\n" * 999)


@in_one_test(
    ("name", "content", "message"),
    [
        ("x.csv", b"item,score\nq,\xff\n", "is not UTF-8: byte 0xff in line 2"),
        ("x.csv.gz", PACKED[:-20], "is damaged"),
        ("x.csv.gz", PACKED[:-12] + b"\xff" * 12, "is damaged"),
        ("x.json.gz", gzip.compress(b'[{"item": "q"'), "JSON.: "),
        ("x.csv", "item;score\nq;0,5\n", "'item;score'.* parted by semicolons: save"),
        ("x.csv", "item,score\nq,1\0\n", "is not text: it has a NUL byte in line 2"),
        ("x.csv", "item,score\nq\n", "line 2 has 1 cells, the header 2"),
        ("x.csv", "item,score\nq,1,2\n", "line 2 has 3 cells, the header 2"),
        ("x.csv", "item,score\n,1\n", "'item' is empty in line 2"),
        ("x.csv", 'item,score\n"q"r,1\n', "line 2: .* expected after"),
        ("x.csv", f"item,score\n{'q' * 140_000},1\n", "field limit.*safe as .jsonl"),
        ("x.csv", "a,a\n1,2\n", "column 'a' is there more than once"),
        ("x.csv", "item,score\n", "holds no rows"),
        ("x.json", '{"item": ["q"], "score": [1, 2]}', "unequal length"),
        ("x.json", '{"item": 1}', "holds an object with keys, and neither a list of objects"),
        ("x.json", "[1, 2]", "row 1 is not an object with keys"),
        ("x.json", "[" * 100_000, "nested too deeply"),
        ("x.jsonl", "{", "line 1 .JSON.: Expecting"),
        ("x.jsonl", '{"item": "q", "item": "r"}', "an object has the key 'item' twice"),
        ("x.jsonl", "[" * 100_000, "is nested too deeply"),
        ("x.json", f'[{{"item": {"9" * 5000}}}]', "JSON.: Exceeds the limit"),
        ("x.json", '[{"item": ["q"], "score": 1}]', "'item' holds a list of 1 in row 1"),
        ("x.json", '[{"item": null, "score": 1}]', "'item' is empty in row 1"),
    ],
)
def test_what_is_no_table_is_named(file, name, content, message):
    refused(file(name, content), message)


def test_roles_and_formats_that_were_named_wrongly(file):
    path = file("x.csv", "item,score\nq,1\n")
    for columns, message in (
        ({"items": "q"}, "columns: the role='items' is unknown; use 'system', 'item'"),
        ({"item": "q"}, "columns.'item'.='q' is not a column; there are item, score"),
        ({"score": 3}, "columns.'score'.=3 must name a column, or several"),
        ({"systems": ["item", "item"]}, "names a column twice"),
        (["item"], "must map roles to columns"),
    ):
        refused(path, message, columns=columns)
    refused(path, "x.csv is not in the format 'skore'", format="skore")
    for given in (3, path.parent):
        refused({"a": given}, "is not a table|cannot be read", format="table")


def test_a_table_is_read_within_bounds(file):
    # More than 50 million cells, in files that are much smaller.
    wide = ",".join(f"m{j}" for j in range(7_200))
    row = ",".join("1" * 7_200)
    own = "\n".join(json.dumps({"item": i, f"k{i}": 1}) for i in range(7_200))
    many = json.dumps([{f"k{i}": 1 for i in range(7_200)} | {"item": 1, "score": [1] * 7_200}])
    for name, text in (
        ("x.csv", "," * 50_000_001),
        ("x.jsonl", own),
        ("x.json", "," * 50_000_001),
        ("y.json", many),
    ):
        refused(file(name, text), "holds more than 50,000,000 values")
    long = file("x.csv", f"item,{wide},{wide.replace('m', 'n')}\nq,{row},{row}")
    refused(long, "holds more than 50,000,000 values", columns={"systems": wide.split(",")})


def test_an_error_is_one_line_and_no_command(file):
    path = file("x.csv", '"\ud7ff\n::error::a","##[b]"\n1,2\n')
    with pytest.raises(ResultsError) as found:
        read_results(path)
    message = str(found.value)
    assert "\n" not in message and "##[" not in message and "::error::a, # #[b]" in message


@pytest.mark.parametrize("end", ["csv", "tsv"])
def test_a_file_without_names_of_columns_says_so(end, tmp_path):
    rows = [f"q{i} {system} 0.{i}5" for i in range(1, 6) for system in ("bm25", "dpr")]
    for parted in (" ", "," if end == "csv" else "\t"):
        path = tmp_path / f"x.{end}"
        path.write_text("\n".join(rows).replace(" ", parted))
        with pytest.raises(ResultsError, match="write names of columns above it"):
            read_results(path)


def test_a_file_of_two_runs_is_refused(tmp_path):
    lines = [f"map\t{query}\t0.{i}" for i, query in enumerate(("q1", "q2", "q3", "q4"), 1)]
    path = tmp_path / "runs.txt"
    for second in ("bm25", "dpr"):
        parts = ["runid\tall\tbm25", *lines[:2], f"runid\tall\t{second}", *lines[2:], ""]
        path.write_text("\n".join(parts))
        with pytest.raises(ResultsError, match="holds 2 runs"):
            read_results(path)
