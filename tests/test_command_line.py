"""``skstat`` as a program, and ``skstat compare`` of predictions: files in, a report out."""

import gzip
import io
import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import skstat
from skstat.metrics import as_metric
from tests.cases import in_one_test
from tests.shell import error_of, main, run

N = 60
rng = np.random.default_rng(5)
GOLD = rng.integers(0, 3, N)
A = np.where(rng.random(N) < 0.2, rng.integers(0, 3, N), GOLD)
B = np.where(rng.random(N) < 0.5, rng.integers(0, 3, N), GOLD)
DOC = np.arange(N) // 4
PAIR = "--y-true gold.txt --predictions a=a.txt b=b.txt --n-jobs 1"
FAST = f"{PAIR} --n-resamples 199 --metric accuracy"


def write(name, items, end="\n"):
    Path(name).write_bytes((end.join(map(str, items)) + end).encode())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own for every test, with two systems' files."""
    monkeypatch.chdir(tmp_path)
    for name, items in {"gold": GOLD, "a": A, "b": B, "c": B[::-1], "doc": DOC}.items():
        write(f"{name}.txt", items)


@pytest.fixture
def asked(monkeypatch):
    """What `compare_predictions` is asked, by a main() that returns no report."""
    seen = {}

    def stand_in(**options):
        seen.clear()
        seen.update(options)
        raise ValueError("stop here")

    monkeypatch.setattr(skstat, "compare_predictions", stand_in)
    return seen


def report_of(capsys, line):
    status, out, _ = run(capsys, f"{line} --format json --seed 0")
    assert status == 0
    return skstat.report_from_dict(json.loads(out))


def started(*arguments, **options):
    environment = os.environ | {"PYTHONPATH": str(Path(skstat.__file__).parents[1])}
    options["env"] = environment | options.get("env", {})
    return subprocess.run(
        [sys.executable, *arguments],
        **{"capture_output": True, "text": True, "encoding": "utf-8"} | options,
        check=False,
    )


# The program


@pytest.mark.long
def test_as_a_program():
    # An encoding without a minus sign must not lose the report.
    done = started(
        *("-m", "skstat", "compare", *FAST.split(), "--groups", "doc.txt"),
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a scores higher than b in accuracy")
    assert "15 groups of 4 rows" in done.stdout


@pytest.mark.parametrize(
    ("line", "shown", "heavy"),
    [
        ("compare --help", "skstat.compare_predictions", "numpy scipy sklearn"),
        ("explain SKS102", "SKS102 splits that tell less", "sklearn joblib pandas matplotlib"),
    ],
)
def test_what_is_not_needed_is_not_imported(line, shown, heavy):
    code = (
        "import sys; from skstat.__main__ import main\n"
        f"try: assert main({line.split()}) == 0\n"
        "except SystemExit as end: assert not end.code\n"
        f"assert not {{*{heavy.split()}}} & set(sys.modules)"
    )
    done = started("-c", code)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


def test_all_doubts_version_and_no_command(capsys):
    assert "  SKS102 splits that tell" in run(capsys, "", "explain")[1]
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"skstat {skstat.__version__}\n"
    assert main([]) == 2
    assert "required: COMMAND" in capsys.readouterr().err


def test_every_listed_metric_is_known(capsys):
    listed = run(capsys, "", "metrics")[1].split()
    assert {"accuracy", "f1_macro", "roc_auc", "mean_squared_error"} <= set(listed)
    assert all(as_metric(name).name for name in listed)


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
def test_a_reader_that_has_seen_enough():
    read, write_end = os.pipe()
    os.close(read)
    options = {"capture_output": False, "stdout": write_end, "stderr": subprocess.PIPE}
    done = started("-m", "skstat", "compare", "--help", **options)
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_standard_streams(capsys, monkeypatch):
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        assert main(["compare", *FAST.split()]) == 2
        assert main(["compare", *FAST.split(), "--quiet"]) == 0
    assert "standard output is closed" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", None)
    assert error_of(capsys, FAST.replace("a.txt", "-")) == "standard input is closed."


# The function


def test_the_report_is_that_of_the_function(capsys):
    line = f"{FAST} f1_macro --predictions c=c.txt --seed 0"
    options = {"n_resamples": 199, "random_state": 0, "n_jobs": 1}
    systems, metrics = {"a": A, "b": B, "c": B[::-1]}, ["accuracy", "f1_macro"]
    expected = skstat.compare_predictions(GOLD, systems, metric=metrics, **options)
    text = expected.to_text().replace("print(report.details)", "the same with --format full")
    assert run(capsys, f"{line} --json out.json") == (0, text + "\n", "")
    restored = skstat.report_from_dict(json.loads(Path("out.json").read_text("utf-8")))
    assert restored.to_dict() == expected.to_dict()
    for form in ("markdown", "latex"):
        shown = getattr(expected, f"to_{form}")() + "\n"
        assert run(capsys, f"{line} --format {form}") == (0, shown, "")


def test_quiet_writes_files_only(capsys):
    plt = pytest.importorskip("matplotlib.pyplot")
    assert run(capsys, f"{FAST} --quiet --html page.html --plot plot.svg") == (0, "", "")
    assert "a scores higher than b" in Path("page.html").read_text("utf-8")
    assert "<svg" in Path("plot.svg").read_text("utf-8")
    assert plt.get_fignums() == []


def test_options_are_passed_on_by_name(asked, capsys):
    write("w.txt", rng.random(N))
    values = {
        "metric": "f1_macro", "test": "paired_bootstrap", "baseline": "b",
        "adjustment": "max-t", "alternative": "less", "confidence_level": 0.9,
        "interval": "bca", "horizon": 2, "n_resamples": 50, "n_jobs": 2, "pos_label": 1,
    }  # fmt: skip
    line = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in values.items())
    line += " --seed 7 --labels 0 2 --sample-weight w.txt --strata gold.txt --order doc.txt"
    assert error_of(capsys, f"{PAIR} {line} --groups doc.txt --quiet") == "stop here"
    arrays = {key: asked.pop(key) for key in ("sample_weight", "strata", "order", "groups")}
    np.testing.assert_array_equal(asked.pop("y_true"), GOLD)
    np.testing.assert_array_equal(asked.pop("predictions")["b"], B)
    np.testing.assert_array_equal(arrays["order"], DOC)
    assert arrays["groups"].tolist() == [str(doc) for doc in DOC]
    assert arrays["strata"].tolist() == [str(label) for label in GOLD]
    assert arrays["sample_weight"].dtype == float
    values["control"] = values.pop("baseline")
    assert asked == values | {"random_state": 7, "labels": [0, 2]}
    error_of(capsys, f"{PAIR} --metric accuracy accuracy")
    # The other defaults are those of the function.
    given = {"y_true", "predictions", "metric", "random_state", "n_jobs"}
    assert set(asked) == given and asked["metric"] == "accuracy"


@in_one_test(
    ("given", "expected"),
    [
        ("0.02", 0.02),
        ("f1_macro=0.02 accuracy=1e-2", {"f1_macro": 0.02, "accuracy": 0.01}),
        ("f1_macro=0.02 --margin accuracy=.01", {"f1_macro": 0.02, "accuracy": 0.01}),
    ],
)
def test_margins(given, expected, asked, capsys):
    error_of(capsys, f"{FAST} f1_macro --margin {given}")
    assert asked["margin"] == expected


# What files mean


@in_one_test(
    ("content", "values"),
    [
        ("1\n2\n", [1, 2]),
        ("\ufeff1\r\n2", [1, 2]),
        (" 1 \r2\r", [1, 2]),
        ("0.5\n1e-3\n.5\n", [0.5, 0.001, 0.5]),
        ("-1\n+1\n", [-1, 1]),
        ("1\nx\n", ["1", "x"]),
        ("01\n1\n", ["01", "1"]),  # two different documents
        ("1_000\n2\n", ["1_000", "2"]),
        ("12345678901234567890\n1\n", ["12345678901234567890", "1"]),
        ("a\u2028b\x0bc\nd\n", ["a\u2028b\x0bc", "d"]),  # one line
    ],
)
def test_lines(content, values, asked, capsys):
    Path("x.txt").write_bytes(content.encode())
    write("gold.txt", range(len(values)))
    line = "--y-true gold.txt --predictions a=gold.txt b=gold.txt --metric accuracy"
    assert error_of(capsys, f"{line} --order x.txt") == "stop here"
    assert asked["order"].tolist() == values
    assert asked["order"].dtype == (object if isinstance(values[0], str) else type(values[0]))


TABLES = {
    # Beside others an empty line is no row; of a single column it is an empty prediction.
    "x.csv": "\n y, a,b\ncat, 1,2\n\ndog,2,2\n\n",
    "y.csv": "a,b,y\n1,2,cat\n3,4,dog\n",
    "z.csv.gz": "y,b\ncat,2\ndog,2\n",
    "x.tab": "y\ta\ncat\t1\ndog\t2\n",
    "x.jsonl": '\n{"y": "cat"}\n\n{"y": "dog"}',
    "x.ndjson": '{"y": "cat"}\n{"y": "dog"}',
    "x.json": '[{"y": "cat"}, {"y": "dog"}]',
    "y.json": '{"y": ["cat", "dog"]}',
}


@in_one_test(("name", "content"), TABLES.items())
def test_tables(name, content, asked, capsys):
    pack = gzip.compress if name.endswith(".gz") else bytes
    Path(name).write_bytes(pack(content.encode()))
    Path("p.json").write_text("[1, 0.5]")  # values without keys are one column
    line = f"--y-true {name}:y --predictions a={name}:y b={name}:y --metric accuracy"
    assert error_of(capsys, f"{line} --by {name}:y --order p.json") == "stop here"
    assert asked["y_true"].tolist() == asked["predictions"]["a"].tolist() == ["cat", "dog"]
    assert asked["order"].tolist() == [1, 0.5]
    assert asked["by"]["y"].tolist() == ["cat", "dog"]


def test_columns_that_are_a_matrix(asked, capsys):
    write("probs.csv", ["p0, p1", *["0.25,0.75"] * N])
    write("p.jsonl", [json.dumps({"id": i, "p": [0.25, 0.75]}) for i in range(N)])
    write("gold.csv", ['"the, truth"', *GOLD])
    line = ["--y-true", "gold.csv:the, truth", "--metric", "accuracy", "--predictions"]
    error_of(capsys, [*line, "p=probs.csv:p0, p1", "q=p.jsonl:p"])
    assert asked["y_true"].tolist() == GOLD.tolist()
    for name in "pq":
        assert asked["predictions"][name].tolist() == [[0.25, 0.75]] * N


def test_labels_stay_equal_to_the_truth(asked, capsys):
    line = PAIR + " --metric accuracy --labels 1"
    write("a.txt", [*A[:-1], "unknown"])  # makes all labels text
    error_of(capsys, line)
    assert asked["y_true"].tolist() == [str(label) for label in GOLD]
    assert asked["predictions"]["b"].tolist() == [str(label) for label in B]
    assert asked["labels"] == ["1"]
    write("gold.txt", ["1", "2", "other"] * 4)
    write("a.txt", ["1", "2", "1"] * 4)
    write("b.txt", ["1", "other", "2"] * 4)
    error_of(capsys, f"{line} other")
    assert asked["predictions"]["a"].tolist() == ["1", "2", "1"] * 4
    assert asked["labels"] == ["1", "other"]
    write("gold.txt", ["pos", "neg"] * 6)  # scores of named classes are numbers
    write("a.txt", [0.7, 0.2] * 6)
    write("b.txt", [2, 1] * 6)
    error_of(capsys, f"{PAIR} --metric roc_auc --pos-label pos")
    assert asked["pos_label"] == "pos" and asked["predictions"]["a"].dtype == float
    assert asked["predictions"]["b"].tolist() == [2, 1] * 6


@pytest.mark.parametrize("written", ["True False", "true false", "TRUE FALSE", "1 0"])
def test_true_and_false_are_the_same_labels_however_written(written, capsys):
    yes, no = written.split()
    truth = [place % 3 > 0 for place in range(60)]
    said = {step: [t == (i % step > 0) for i, t in enumerate(truth)] for step in (10, 4)}
    Path("truth.json").write_text(json.dumps([{"y": value} for value in truth]))
    Path("a.json").write_text(json.dumps({"p": said[10]}))
    write("b.txt", [yes if value else no for value in said[4]])
    line = "--y-true truth.json:y --predictions a=a.json:p b=b.txt"
    report = report_of(capsys, f"{line} --metric accuracy")
    assert [report.systems[name].mean for name in "ab"] == pytest.approx([0.9, 0.75])
    assert report_of(capsys, f"{line} --metric f1 --pos-label true").metric == "f1"
    write("b.txt", ["yes" if value else "no" for value in said[4]])
    message = error_of(capsys, f"{line} --metric accuracy")
    assert "b.txt, line 1 is 'yes', and --y-true truth.json:y holds true and false" in message


@pytest.mark.ecosystem
@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_parquet(monkeypatch, package, asked, capsys):
    polars = pytest.importorskip("polars")
    rows = {"y": [1, 2], "s": ["x", None], "p": [0.5, 0.1]}
    polars.DataFrame(rows).write_parquet("d.parquet")
    if package == "pandas" and pytest.importorskip("pyarrow"):
        monkeypatch.setitem(sys.modules, "polars", None)
    line = "--y-true d.parquet:y --predictions p=d.parquet:p b=d.parquet:y --metric r2"
    error_of(capsys, line)
    assert [*asked["y_true"], *asked["predictions"]["p"]] == [1, 2, 0.5, 0.1]
    assert "d.parquet:s, row 2 is missing" in error_of(capsys, f"{line} --groups d.parquet:s")


def test_standard_input_once(monkeypatch, capsys, asked):
    for more, said in (("b=b.txt", "stop here"), ("b=-", "standard input (-) can be read")):
        content = io.BytesIO("\n".join(map(str, A)).encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
        line = f"--y-true gold.txt --metric accuracy --predictions a=- {more}"
        assert error_of(capsys, line).startswith(said)
        np.testing.assert_array_equal(asked["predictions"]["a"], A)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_devices_are_refused_and_a_pipe_is_read_once(capsys, asked):
    device = "/dev/zero is a device, not a file that can be read to its end."
    assert error_of(capsys, f"{FAST} --groups /dev/zero") == device
    read, write_end = os.pipe()
    os.write(write_end, b"x\n" * N)
    os.close(write_end)
    assert error_of(capsys, f"{FAST} --groups /dev/fd/{read}") == "stop here"
    assert asked["groups"].tolist() == ["x"] * N
    os.close(read)


# Which rows belong together

SHUFFLED = rng.permutation(N)


def write_rows(name, values, rows=range(N), ids="id", ending="csv"):
    table = [{ids: f"q{row}", "y": int(values[row])} for row in rows]
    if ending == "csv":
        write(f"{name}.csv", [f"{ids},y", *(f"{row[ids]},{row['y']}" for row in table)])
    else:
        write(f"{name}.{ending}", map(json.dumps, table))


PAIRED = "--y-true gold.csv:y --predictions a=a.csv:y b=b.{}:y --metric accuracy"


@pytest.mark.parametrize(
    ("ids", "ending"), [*product(["id", "question_id", "UID"], ["csv", "jsonl"])]
)
def test_rows_are_joined_by_ids_whatever_their_order(ids, ending, capsys):
    write_rows("gold", GOLD, ids=ids)
    write_rows("a", A, SHUFFLED, ids=ids)
    write_rows("b", B, SHUFFLED[::-1], ids=ids, ending=ending)
    write_rows("groups", DOC, SHUFFLED[::2].tolist() + SHUFFLED[1::2].tolist(), ids=ids)
    line = f"{PAIRED.format(ending)} --groups groups.csv:y"
    report = report_of(capsys, line)
    options = {"metric": "accuracy", "groups": DOC, "random_state": 0}
    expected = skstat.compare_predictions(GOLD, {"a": A, "b": B}, **options)
    assert report.pairs[0] == expected.pairs[0]
    assert report.design["notes"][-1] == f"rows paired by {ids}"
    assert report_of(capsys, f"{line} --id {ids}").pairs[0] == expected.pairs[0]
    by_order = report_of(capsys, f"{line} --id none")
    assert by_order.estimate != report.estimate
    assert by_order.design["notes"][-1] == "rows paired by their order"


def test_ids_that_do_not_fit_are_refused(capsys):
    write_rows("gold", GOLD)
    write_rows("a", A)
    line = PAIRED.format("csv")
    write_rows("b", B, range(N - 2))
    assert error_of(capsys, line).startswith("b.csv:id lacks 2 of the 60 ids of gold.csv:id, ")
    write_rows("b", B, [*range(N - 1), 0])
    assert error_of(capsys, line).startswith("b.csv:id holds 'q0' 2 times")
    write_rows("b", B, ids="nr")
    assert error_of(capsys, f"{line} --id id") == "--id id is not a column of b.csv."
    assert report_of(capsys, line).design["notes"][-1] == "rows paired by their order"
    # Of a text file nobody knows the order, if that of the tables differs.
    write_rows("b", B, SHUFFLED)
    line = line.replace("gold.csv:y", "gold.txt")
    assert "are not in the same order, and gold.txt has no ids" in error_of(capsys, line)
    # Ids that recur in all files name no rows.
    for name, values in {"gold": GOLD, "a": A, "b": B}.items():
        write(f"{name}.csv", ["id,y", *(f"{i % 30},{v}" for i, v in enumerate(values))])
    found = report_of(capsys, PAIRED.format("csv"))
    assert found.design["notes"][-1] == "rows paired by their order"


# Errors

FILES = {
    "probs.csv": ["p,q", *["0.1,0.9"] * N], "twice.csv": ["p,p", *["0.1,0.9"] * N],
    "gap.txt": [1, "", *DOC[2:]], "words.txt": ["cat"] * N, "short.txt": [1], "a.xlsx": A,
    "bare.jsonl": [1, 2], "lacks.jsonl": ['{"y": 1}', '{"z": 2}'],
    "null.jsonl": ['{"y": 1}', '{"y": null}'], "object.jsonl": ['{"y": {"z": 1}}'],
    "lists.jsonl": ['{"y": [1, 2]}', '{"y": [1]}'], "nested.jsonl": ['{"y": [[1], 2]}'],
}  # fmt: skip
ERRORS = [
    ("--bogus", "unrecognized arguments: --bogus (see skstat"),
    ("--alpha 0.1", "unrecognized arguments: --alpha"),
    ("--seed x", "argument --seed: invalid int value: 'x'"),
    ("--alternative up", "argument --alternative: invalid choice: 'up'"),
    ("--test nothing", "test='nothing' is not a test"),
    ("--metric f1_marco", "--metric f1_marco is unknown; did you mean f1_macro or f1_micro"),
    ("--metric xyz", "--metric xyz is unknown; `skstat metrics` lists the names."),
    ("--margin small", "--margin small is not a number."),
    ("--margin f1=small", "--margin small is not a number."),
    ("--margin 0.01 0.02", "--margin takes one number, or METRIC=SIZE; got '0.01'."),
    ("--margin f1=0.01 f1=0.02", "--margin names 'f1' twice."),
    ("--margin 0", "margin=0.0 must be a positive, finite number"),
    ("--margin f1=0.1", "margin names 'f1', which is not compared here"),
    ("--lower-is-better f1", "--metric f1 is unknown; there are accuracy."),
    ("--lower-is-better --higher-is-better", "--higher-is-better and --lower-is-better contr"),
    ("--groups nix.txt", "cannot read nix.txt: No such file or directory."),
    ("--groups .", "cannot read .: "),
    ("--groups probs.csv:p,q", "--groups takes one column, got 2."),
    ("--groups probs.csv", "probs.csv is a table; say which column: probs.csv:NAME (it has p"),
    ("--groups probs.csv:r", "probs.csv has no column 'r' (it has p, q)."),
    ("--groups twice.csv:p", "twice.csv: column 'p' is there more than once (of p, "),
    ("--groups empty.txt", "empty.txt is empty."),
    ("--groups gap.txt", "gap.txt, line 2 is empty."),
    ("--groups short.txt", "--groups: short.txt has 1 line, but --y-true gold.txt has 60 li"),
    ("--groups a.xlsx", "a.xlsx: skstat does not know what a .xlsx file is. It reads .csv"),
    ("--groups bare.jsonl:y", "bare.jsonl holds values without names; leave :y out."),
    ("--groups lacks.jsonl:y", "lacks.jsonl:y, line 2 is missing."),
    ("--groups null.jsonl:y", "null.jsonl:y, line 2 is missing."),
    ("--groups object.jsonl:y", "object.jsonl:y, line 1 holds an object with keys; a label"),
    ("--groups lists.jsonl:y", "lists.jsonl:y, line 2 holds a list of 1; a label"),
    ("--groups nested.jsonl:y", "nested.jsonl:y, line 1 holds a list of 2; a label"),
    ("--sample-weight gap.txt", "gap.txt, line 2 is empty."),
    ("--sample-weight words.txt", "words.txt, line 1: 'cat' is not a number."),
    ("--predictions a=c.txt", "--predictions names 'a' twice."),
    ("--predictions c.txt", "--predictions takes NAME=FILE, got 'c.txt'."),
    ("--predictions c=", "--predictions takes NAME=FILE, got 'c='."),
    ("--predictions c=short.txt", "--predictions c: short.txt has 1 line, but --y-true "),
    ("--predictions c=words.txt", "words.txt, line 1: 'cat' is not a number."),
    ("--predictions c=gap.txt", "gap.txt, line 2 is empty, and all others are numbers."),
    ("--y-true gap.txt", "gap.txt, line 2 is empty."),
    ("--pos-label x", "--pos-label x is not a number, and the labels of --y-true are."),
    ("--labels 1 x", "--labels x is not a number, and the labels of --y-true are."),
    ("--json no/out.json", "cannot write no/out.json: there is no folder no."),
    ("--json .", "cannot write .: "),
    ("--json \0", "--json '\\x00' is not a file name."),
    ("--json o --html ./o", "--json o is written twice; name another file."),
    ("--json gold.txt", "--json gold.txt is also read (gold.txt)"),
    ("--json ./a.txt", "--json ./a.txt is also read (a.txt)"),
    ("--json link.json", "--json link.json is also read (b.txt)"),
    ("--groups probs.csv:p --html probs.csv", "--html probs.csv is also read (probs.csv)"),
    ("--plot out.doc", "--plot out.doc must end in .png, .svg, .pdf."),
]


def test_errors(capsys):
    for name, lines in FILES.items():
        write(name, lines)
    Path("empty.txt").touch()
    Path("link.json").symlink_to("b.txt")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    found = {line: error_of(capsys, f"{FAST} {line}") for line, _ in ERRORS}
    assert [(line, found[line][: len(said)]) for line, said in ERRORS] == ERRORS
    assert before == {path: path.read_bytes() for path in Path().iterdir()}


def test_errors_without_options(capsys, monkeypatch):
    missing = "the following arguments are required: --metric (see skstat compare --help)"
    assert error_of(capsys, PAIR) == missing
    one = "--predictions names one system (a=a.txt); at least two are compared."
    assert error_of(capsys, FAST.replace(" b=b.txt", "")) == one
    write("gold.txt", [0.5] * N)
    write("a.txt", ["0.5", "n/a", *[0.1] * (N - 2)])
    found = error_of(capsys, FAST.replace("accuracy", "r2"))
    assert found == "a.txt, line 2: 'n/a' is not a number."
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    needed = "--plot needs matplotlib: pip install 'skstat[matplotlib]'."
    assert error_of(capsys, f"{FAST} --plot out.png") == needed
