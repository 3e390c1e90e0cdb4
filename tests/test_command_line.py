"""The command line reads files, asks `compare_predictions` and prints its report."""

import gzip
import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import skstat
from skstat.__main__ import main
from skstat._command_line.columns import Sources, split_source
from skstat._command_line.questions import metric_names
from skstat.metrics import as_metric
from tests.cases import in_one_test

N = 60
rng = np.random.default_rng(5)
GOLD = rng.integers(0, 3, N)
A = np.where(rng.random(N) < 0.2, rng.integers(0, 3, N), GOLD)
B = np.where(rng.random(N) < 0.5, rng.integers(0, 3, N), GOLD)
C = np.where(rng.random(N) < 0.6, rng.integers(0, 3, N), GOLD)
DOC = np.arange(N) // 4
WORDS = np.array(["cat", "dog", "hen"])
PAIR = ["--y-true", "gold.txt", "--predictions", "a=a.txt", "b=b.txt", "--n-jobs", "1"]
FAST = [*PAIR, "--n-resamples", "199", "--seed", "0"]


def write(name, items, end="\n"):
    Path(name).write_bytes((end.join(map(str, items)) + end).encode())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own for every test, with four systems' files."""
    monkeypatch.chdir(tmp_path)
    for name, items in {"gold": GOLD, "a": A, "b": B, "c": C, "doc": DOC}.items():
        write(f"{name}.txt", items)
    return tmp_path


@pytest.fixture
def asked(monkeypatch):
    """What `compare_predictions` is asked, by a main() that returns no report."""
    seen = {}

    def stand_in(y_true, predictions, **options):
        seen.update(y_true=y_true, predictions=predictions, **options)
        raise ValueError("stop here")

    monkeypatch.setattr(skstat, "compare_predictions", stand_in)
    return seen


def as_printed(report):
    """A report's text, with the option of the command line for the rest of it."""
    return report.to_text().replace("print(report.details)", "the same with --full") + "\n"


def error_of(capsys, *arguments):
    """The one line of an error, with nothing else printed."""
    assert main(["compare", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("skstat: error: ") and captured.err.count("\n") == 1
    return captured.err.removeprefix("skstat: error: ").strip()


def run(*arguments, **options):
    environment = os.environ | {"PYTHONPATH": str(Path(skstat.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment | options.pop("env", {}),
        **options,
    )


@pytest.mark.long
def test_as_a_program():
    # An encoding without a minus sign must not lose the report.
    done = run(
        *("-m", "skstat", "compare", *FAST, "--metric", "f1_macro", "--groups", "doc.txt"),
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a scores higher than b in f1_macro")
    assert "15 groups of 4 rows" in done.stdout


def test_help_is_quick():
    code = (
        "import sys; from skstat.__main__ import main\n"
        "try: main(['compare', '--help'])\n"
        "except SystemExit as end: assert not end.code\n"
        "assert not {'numpy', 'scipy', 'sklearn'} & set(sys.modules)"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr
    assert "skstat.compare_predictions" in done.stdout


def test_explain(capsys):
    assert main(["explain", "SKS102", "sks203"]) == 0
    found = capsys.readouterr().out
    kinds = [skstat.report._doubts.CATALOGUE[code] for code in ("SKS102", "SKS203")]
    assert all(f"To do: {kind.rules[0].action}." in found for kind in kinds)
    assert found.index("SKS102 splits that tell") < found.index("SKS203 mean and ranks")
    assert main(["explain"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {kind.code} {kind.title}\n" in listed for kind in kinds)
    assert main(["explain", "SKS999"]) == 2
    captured = capsys.readouterr()
    assert not captured.out and "did you mean SKS" in captured.err
    assert captured.err.startswith("skstat: error: there is no doubt of the code 'SKS999'; ")


@pytest.mark.long
def test_explain_loads_no_scikit_learn():
    code = (
        "import sys; from skstat.__main__ import main\n"
        "assert main(['explain', 'SKS102']) == 0\n"
        "assert not {'sklearn', 'joblib', 'pandas', 'matplotlib'} & set(sys.modules)"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("SKS102 splits that tell less")


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"skstat {skstat.__version__}\n"


def test_the_report_is_that_of_the_function(capsys):
    assert main(["compare", *FAST, "--metric", "f1_macro", "--json", "out.json"]) == 0
    expected = skstat.compare_predictions(
        GOLD, {"a": A, "b": B}, metric="f1_macro", n_resamples=199, random_state=0, n_jobs=1
    )
    assert capsys.readouterr().out == as_printed(expected)
    restored = skstat.report_from_dict(json.loads(Path("out.json").read_text("utf-8")))
    assert restored.to_dict() == expected.to_dict()


def test_several_metrics_of_three_systems(capsys):
    arguments = [*FAST, "--predictions", "c=c.txt", "--metric", "accuracy", "f1_macro"]
    assert main(["compare", *arguments, "--json", "out.json"]) == 0
    report = skstat.report_from_dict(json.loads(Path("out.json").read_text("utf-8")))
    assert report.by == "metric"
    assert list(report) == ["accuracy", "f1_macro"]
    assert report["f1_macro"].names == ("a", "b", "c")
    assert capsys.readouterr().out == as_printed(report)


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_other_forms(capsys, form):
    arguments = ["compare", *FAST, "--metric", "accuracy", "--json", "out.json"]
    assert main([*arguments, f"--{form}"]) == 0
    report = skstat.report_from_dict(json.loads(Path("out.json").read_text("utf-8")))
    assert capsys.readouterr().out == getattr(report, f"to_{form}")() + "\n"


def test_quiet_writes_files_only(capsys):
    plt = pytest.importorskip("matplotlib.pyplot")
    arguments = [*FAST, "--metric", "f1_macro", "--quiet", "--html", "page.html"]
    assert main(["compare", *arguments, "--plot", "plot.svg"]) == 0
    assert capsys.readouterr() == ("", "")
    assert "a scores higher than b" in Path("page.html").read_text("utf-8")
    assert "<svg" in Path("plot.svg").read_text("utf-8")
    assert plt.get_fignums() == []


def test_options_are_passed_on_by_name(asked, capsys):
    write("w.txt", rng.random(N))
    arguments = (
        "--metric f1_macro --test paired_bootstrap --control a --adjustment max-t "
        "--alternative less --confidence-level 0.9 --interval bca --horizon 2 --n-resamples 50 "
        "--n-jobs 2 --seed 7 --labels 0 2 --pos-label 1 --sample-weight w.txt "
        "--strata gold.txt --order doc.txt --groups doc.txt --quiet"
    )
    assert error_of(capsys, *PAIR, *arguments.split()) == "stop here"
    arrays = {key: asked.pop(key) for key in ("sample_weight", "strata", "order", "groups")}
    np.testing.assert_array_equal(asked.pop("y_true"), GOLD)
    np.testing.assert_array_equal(asked.pop("predictions")["b"], B)
    np.testing.assert_array_equal(arrays["order"], DOC)
    assert arrays["groups"].tolist() == [str(doc) for doc in DOC]
    assert arrays["strata"].tolist() == [str(label) for label in GOLD]
    assert arrays["sample_weight"].dtype == float
    assert asked == {
        "metric": "f1_macro",
        "test": "paired_bootstrap",
        "control": "a",
        "adjustment": "max-t",
        "alternative": "less",
        "confidence_level": 0.9,
        "interval": "bca",
        "horizon": 2,
        "n_resamples": 50,
        "n_jobs": 2,
        "random_state": 7,
        "labels": [0, 2],
        "pos_label": 1,
    }


def test_defaults_are_those_of_the_function(asked, capsys):
    error_of(capsys, *PAIR[:-2], "--metric", "accuracy", "accuracy")
    assert set(asked) == {"y_true", "predictions", "metric", "random_state"}
    assert asked["metric"] == "accuracy"


# What files mean


def one(source):
    (column,) = Sources().columns(source)
    return column


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ("1\n2\n", [1, 2]),
        ("\ufeff1\r\n2", [1, 2]),
        (" 1 \r2\r", [1, 2]),
        ("0.5\n1e-3\n.5\n", [0.5, 0.001, 0.5]),
        ("-1\n+1\n", [-1, 1]),
    ],
)
def test_numbers(content, values):
    Path("x.txt").write_bytes(content.encode())
    found = one("x.txt").values
    np.testing.assert_array_equal(found, values)
    assert found.dtype == np.array(values).dtype


@in_one_test(
    ("content", "texts"),
    [
        ("1\nx\n", ["1", "x"]),
        ("01\n1\n", ["01", "1"]),  # two different documents
        ("1_000\n2\n", ["1_000", "2"]),
        ("12345678901234567890\n1\n", ["12345678901234567890", "1"]),
        ("a\u2028b\x0bc\n\nd\n", ["a\u2028b\x0bc", "", "d"]),  # one line, then an empty one
        ("a\n\n", ["a", ""]),
    ],
)
def test_texts(content, texts):
    Path("x.txt").write_bytes(content.encode())
    column = one("x.txt")
    assert column.values is None
    assert column.strings.tolist() == texts


def test_labels_that_look_like_numbers_stay_equal_to_the_truth(asked, capsys):
    write("gold.txt", ["1", "2", "other"] * 4)
    write("a.txt", ["1", "2", "1"] * 4)
    write("b.txt", ["1", "other", "2"] * 4)
    error_of(capsys, *PAIR, "--metric", "accuracy", "--labels", "1", "other")
    assert asked["predictions"]["a"].tolist() == ["1", "2", "1"] * 4
    assert asked["labels"] == ["1", "other"]


def test_scores_of_named_classes_stay_numbers(asked, capsys):
    write("gold.txt", ["pos", "neg"] * 6)
    write("a.txt", [0.7, 0.2] * 6)
    write("b.txt", [2, 1] * 6)
    error_of(capsys, *PAIR, "--metric", "roc_auc", "--pos-label", "pos")
    assert asked["pos_label"] == "pos"
    assert asked["predictions"]["a"].dtype == float
    assert asked["predictions"]["b"].tolist() == [2, 1] * 6


def test_a_label_that_the_truth_lacks_makes_all_labels_text(asked, capsys):
    write("a.txt", [*A[:-1], "unknown"])
    error_of(capsys, *PAIR, "--metric", "accuracy", "--labels", "1")
    assert asked["y_true"].tolist() == [str(label) for label in GOLD]
    assert asked["predictions"]["b"].tolist() == [str(label) for label in B]
    assert asked["labels"] == ["1"]


def test_empty_predictions_of_text(capsys):
    write("gold.txt", WORDS[GOLD])
    write("a.txt", ["", *WORDS[A[1:]]])
    write("b.txt", WORDS[B], end="\r\n")
    assert main(["compare", *FAST, "--metric", "accuracy", "--json", "out.json"]) == 0
    report = skstat.report_from_dict(json.loads(Path("out.json").read_text("utf-8")))
    right = (A[1:] == GOLD[1:]).sum()
    assert report.evidence.sample.both + report.evidence.sample.only_a == right
    assert report.evidence.sample.n_units == N


def test_columns_of_tables(asked, capsys):
    rows = zip(WORDS[GOLD], WORDS[A], WORDS[B], DOC, strict=True)
    lines = ['"the, truth",a,b,doc', *(",".join(map(str, row)) for row in rows)]
    write("data.csv", lines)
    write("probs.tsv", ["p0\tp1", *["0.25\t0.75"] * N])
    arguments = ["--y-true", "data.csv:the, truth", "--predictions", "a=data.csv:a"]
    arguments += ["p=probs.tsv:p0,p1", "--groups", "data.csv:doc", "--metric", "accuracy"]
    error_of(capsys, *arguments)
    assert asked["y_true"].tolist() == WORDS[GOLD].tolist()
    assert asked["predictions"]["a"].tolist() == WORDS[A].tolist()
    assert asked["predictions"]["p"].tolist() == [[0.25, 0.75]] * N
    assert asked["groups"].tolist() == [str(doc) for doc in DOC]


@in_one_test(
    ("name", "content", "source", "texts"),
    [
        # Beside others an empty line is no row; of a single column it is an empty prediction.
        ("x.csv", "\na, b,\n1,x,\n\n2,,\n\n", "x.csv:b", ["x", ""]),
        ("x.csv", "a,a,b\n1,2,x\n", "x.csv:b", ["x"]),
        ("x.csv", "a\nx\n\ny\n", "x.csv:a", ["x", "", "y"]),
        ("x.csv.gz", "a,b\n1,x\n", "x.csv.gz:b", ["x"]),
        ("x.tab", "a\tb\n1\tx\n", "x.tab:b", ["x"]),
        ("x.jsonl", '\n{"a": "x"}\n\n{"a": 2}', "x.jsonl:a", ["x", "2"]),
    ],
)
def test_rows_of_tables(name, content, source, texts):
    pack = gzip.compress if name.endswith(".gz") else bytes
    Path(name).write_bytes(pack(content.encode()))
    assert one(source).texts == texts


def test_columns_with_spaces_between_them():
    write("probs.csv", ["p0, p1", "0.25,0.75"])
    assert [column.texts for column in Sources().columns("probs.csv:p0, p1")] == [
        ["0.25"],
        ["0.75"],
    ]


@pytest.mark.ecosystem
@pytest.mark.parametrize("package", ["pyarrow", "polars", "pandas"])
def test_parquet_by_any_package(monkeypatch, package):
    pd, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    pytest.importorskip(package)
    frame = pd.DataFrame({"y": [1, 2], "s": ["x", None], "b": [True, False], "p": [0.5, 0.1]})
    frame.to_parquet("data.parquet")
    others = {"pyarrow", "polars", "pandas"} - {package}
    imported = __import__

    def without_others(name, inside=None, *rest):  # pandas itself may import them
        if name in others and inside and inside["__name__"].startswith("skstat."):
            raise ImportError
        return imported(name, inside, *rest)

    monkeypatch.setattr("builtins.__import__", without_others)
    assert one("data.parquet:y").values.tolist() == [1, 2]
    assert one("data.parquet:p").values.tolist() == [0.5, 0.1]
    assert one("data.parquet:b").texts == ["True", "False"]
    with pytest.raises(Exception, match="data.parquet:s, row 2 is missing"):
        one("data.parquet:s")
    with pytest.raises(Exception, match="no column 'q'.*it has y, s, b, p"):
        one("data.parquet:q")


def test_parquet_without_a_package(monkeypatch, capsys):
    Path("data.parquet").write_bytes(b"PAR1")
    for name in ("pyarrow", "polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    message = error_of(capsys, "--y-true", "data.parquet:y", *PAIR[2:], "--metric", "accuracy")
    assert message == (
        "data.parquet is a parquet file, which polars, pyarrow or pandas reads: pip install "
        "polars."
    )


@pytest.mark.ecosystem
def test_a_broken_parquet_file(capsys):
    pytest.importorskip("pyarrow")
    Path("data.parquet").write_bytes(b"PAR1")
    message = error_of(capsys, "--y-true", "data.parquet:y", *PAIR[2:], "--metric", "accuracy")
    assert message.startswith("data.parquet is not a parquet file: ")


def test_standard_input_once(monkeypatch, capsys, asked):
    content = "\n".join(map(str, A)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    arguments = ["--y-true", "gold.txt", "--metric", "accuracy", "--predictions", "a=-"]
    error_of(capsys, *arguments, "b=b.txt")
    np.testing.assert_array_equal(asked["predictions"]["a"], A)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert error_of(capsys, *arguments, "b=-") == "standard input (-) can be read only once."


@in_one_test(
    ("source", "parts"),
    [
        ("a.txt", ("a.txt", None)),
        ("C:\\data\\a.txt", ("C:\\data\\a.txt", None)),
        ("C:/data/a.txt", ("C:/data/a.txt", None)),
        ("C:\\data\\a.csv", ("C:\\data\\a.csv", None)),
        ("C:\\data\\a.csv:p", ("C:\\data\\a.csv", "p")),
        ("A.CSV:p", ("A.CSV", "p")),
        ("a.tsv:p0,p1", ("a.tsv", "p0,p1")),
        ("a.parquet:ns:p", ("a.parquet", "ns:p")),
        ("gold.txt:p", ("gold.txt", "p")),  # it exists, and the error will say what it is
        ("missing.txt:p", ("missing.txt:p", None)),
    ],
)
def test_where_the_column_begins(source, parts):
    Path("C").write_text("a file named like a drive")
    assert split_source(source) == parts


# Errors


ERRORS = [
    ("--bogus", "unrecognized arguments: --bogus (see skstat"),
    ("--alpha 0.1", "unrecognized arguments: --alpha"),
    ("--seed x", "argument --seed: invalid int value: 'x'"),
    ("--groups nix.txt", "there is no file nix.txt."),
    ("--groups .", "cannot read .: "),
    ("--groups gold.txt:x", "gold.txt holds values without names; leave :x out."),
    ("--groups probs.csv:p,q", "--groups takes one column, got 2."),
    (
        "--groups probs.csv",
        "probs.csv is a table; say which column: probs.csv:NAME (it",
    ),
    ("--groups probs.csv:r", "probs.csv has no column 'r' (it has p, q)."),
    ("--groups twice.csv:p", "twice.csv has the column 'p' more than once (it has p, p)"),
    ("--groups ragged.csv:p", "ragged.csv, line 5 has 1 cells, and the header has 2."),
    ("--groups semicolons.csv:p", "semicolons.csv has one column, 'p;q': its cells seem"),
    ("--groups quote.csv:p", "quote.csv, line 2: unexpected end of data."),
    ("--groups head.csv:p", "head.csv holds no rows."),
    ("--groups empty.csv:p", "empty.csv is empty: its first line must name the columns."),
    ("--groups empty.txt", "empty.txt is empty."),
    ("--groups latin.txt", "latin.txt is not UTF-8: byte 0xe4 in line 2."),
    ("--groups gap.txt", "gap.txt, line 2 is empty."),
    (
        "--groups short.txt",
        "--groups: short.txt has 1 line, but --y-true gold.txt has 60 lines",
    ),
    ("--sample-weight gap.txt", "gap.txt, line 2 is empty."),
    ("--sample-weight words.txt", "words.txt, line 1: 'cat' is not a number."),
    ("--predictions a=c.txt", "--predictions names 'a' twice."),
    ("--predictions c.txt", "--predictions takes NAME=FILE, got 'c.txt'."),
    ("--predictions c=", "--predictions takes NAME=FILE, got 'c='."),
    ("--predictions c=short.txt", "--predictions c: short.txt has 1 line, but --y-true "),
    ("--predictions c=words.txt", "words.txt, line 1: 'cat' is not a number."),
    ("--predictions c=gap.txt", "gap.txt, line 2 is empty, and all others are numbers."),
    ("--pos-label x", "--pos-label x is not a number, and the labels of --y-true are."),
    ("--labels 1 x", "--labels x is not a number, and the labels of --y-true are."),
    ("--json no/out.json", "cannot write no/out.json: there is no folder no."),
    ("--json .", "cannot write .: "),
    ("--json \0", "--json '\\x00' is not a file name."),
    ("--plot out.doc", "--plot out.doc must end in .png, .svg, .pdf."),
    ("--test nothing", "test='nothing' is not a test"),
    ("--alternative up", "argument --alternative: invalid choice: 'up'"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[error[0] for error in ERRORS])
def test_errors(arguments, message, capsys):
    write("probs.csv", ["p,q", *["0.1,0.9"] * N])
    write("twice.csv", ["p,p", *["0.1,0.9"] * N])
    write("ragged.csv", ["p,q", '"two', 'lines",0', "", "0.1"])
    write("semicolons.csv", ["p;q", "0,1;0,9"])
    write("quote.csv", ["p,q", '"a,b'])
    write("head.csv", ["p,q"])
    Path("empty.txt").touch()
    Path("empty.csv").touch()
    Path("latin.txt").write_bytes("Hund\nK\u00e4se\n".encode("latin-1"))
    write("gap.txt", [1, "", *DOC[2:]])
    write("words.txt", ["cat"] * N)
    write("short.txt", [1])
    found = error_of(capsys, *FAST, "--metric", "accuracy", *arguments.split())
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("f1_marco", "--metric f1_marco is unknown; did you mean f1_macro or f1_micro"),
        ("xyz", "--metric xyz is unknown; `skstat metrics` lists the names."),
    ],
)
def test_unknown_metric(metric, message, capsys):
    assert error_of(capsys, *FAST, "--metric", "accuracy", metric).startswith(message)


def test_no_metric(capsys):
    message = "the following arguments are required: --metric (see skstat compare --help)"
    assert error_of(capsys, *PAIR) == message


def test_both_files_and_lengths_are_named(capsys):
    write("a.txt", A[:-1])
    assert error_of(capsys, *PAIR, "--metric", "accuracy") == (
        "--predictions a: a.txt has 59 lines, but --y-true gold.txt has 60 lines; every row of "
        "the test set needs one."
    )


def test_empty_truth(capsys):
    write("gold.txt", ["cat", "", *["dog"] * (N - 2)])
    assert error_of(capsys, *PAIR, "--metric", "accuracy") == "gold.txt, line 2 is empty."


def test_one_system(capsys):
    message = error_of(
        capsys, "--y-true", "gold.txt", "--predictions", "a=a.txt", "--metric", "accuracy"
    )
    assert message == "--predictions names one system (a=a.txt); at least two are compared."


def test_a_regression_says_which_item_is_no_number(capsys):
    write("gold.txt", [0.5] * N)
    write("a.txt", ["0.5", "n/a", *[0.1] * (N - 2)])
    message = error_of(capsys, *PAIR, "--metric", "r2")
    assert message == "a.txt, line 2: 'n/a' is not a number."


def test_plot_without_matplotlib(monkeypatch, capsys):
    monkeypatch.setattr("skstat._command_line.outputs.find_spec", lambda name: None)
    message = error_of(capsys, *PAIR, "--metric", "accuracy", "--plot", "out.png")
    assert message == "--plot needs matplotlib: pip install 'skstat[matplotlib]'."


def test_no_command(capsys):
    assert main([]) == 2
    assert "required: COMMAND" in capsys.readouterr().err


def test_every_listed_metric_is_known(capsys):
    assert main(["metrics"]) == 0
    listed = capsys.readouterr().out.split()
    assert listed == metric_names()
    assert {"accuracy", "f1_macro", "roc_auc", "mean_squared_error"} <= set(listed)
    for name in listed:
        assert as_metric(name).name


def test_margins(asked, capsys):
    for given, expected in (
        (["0.02"], 0.02),
        (["f1_macro=0.02", "accuracy=1e-2"], {"f1_macro": 0.02, "accuracy": 0.01}),
        (["f1_macro=0.02", "--margin", "accuracy=.01"], {"f1_macro": 0.02, "accuracy": 0.01}),
    ):
        error_of(capsys, *FAST, "--metric", "f1_macro", "accuracy", "--margin", *given)
        assert asked.pop("margin") == expected
    error_of(capsys, *FAST, "--metric", "f1_macro")
    assert "margin" not in asked


@pytest.mark.parametrize(
    "given, message",
    [
        (["small"], "--margin small is not a number."),
        (["f1_macro=small"], "--margin small is not a number."),
        (["0.01", "0.02"], "--margin takes one number, or METRIC=SIZE; got '0.01'."),
        (["f1_macro=0.01", "f1_macro=0.02"], "--margin names 'f1_macro' twice."),
        (["0"], "margin=0.0 must be a positive, finite number"),
        (["accuracy=0.1"], "margin names 'accuracy', which is not compared here"),
    ],
)
def test_margins_that_are_none(given, message, capsys):
    found = error_of(capsys, *FAST, "--metric", "f1_macro", "--margin", *given)
    assert found.startswith(message)


def test_a_margin_is_judged(capsys):
    assert main(["compare", *FAST, "--metric", "f1_macro", "--margin", "0.9"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("a and b are equivalent in f1_macro within the margin of 0.9:")


# Kinds of files


@pytest.mark.parametrize("kind", ["jsonl", "ndjson", "json", "columns"])
def test_json_is_read_by_its_keys(kind, asked, capsys):
    columns = (WORDS[GOLD].tolist(), A.tolist(), B.tolist())
    rows = [dict(zip("yab", row, strict=True)) for row in zip(*columns, strict=True)]
    name = "data.json" if kind == "columns" else f"data.{kind}"
    if kind == "json":
        Path(name).write_text(json.dumps(rows, indent=1), "utf-8")
    elif kind == "columns":
        Path(name).write_text(json.dumps({k: [row[k] for row in rows] for k in rows[0]}))
    else:
        write(name, map(json.dumps, rows))
    error_of(
        capsys,
        *("--y-true", f"{name}:y", "--predictions", f"a={name}:a", f"b={name}:b"),
        *("--metric", "accuracy"),
    )
    assert asked["y_true"].tolist() == WORDS[GOLD].tolist()
    np.testing.assert_array_equal(asked["predictions"]["a"], A)
    np.testing.assert_array_equal(asked["predictions"]["b"], B)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", "[1, 0.5, 2]"), ("a.jsonl", "1\n0.5\n\n2\n"), ("a.json", '["1", "0.5", "2"]')],
)
def test_json_without_keys_is_one_column(name, content):
    Path(name).write_text(content)
    assert one(name).values.tolist() == [1, 0.5, 2]


def test_json_lists_are_a_matrix(asked, capsys):
    write("p.jsonl", [json.dumps({"id": i, "p": [0.25, 0.25, 0.5]}) for i in range(N)])
    error_of(
        capsys,
        *("--y-true", "gold.txt", "--predictions", "p=p.jsonl:p", "q=p.jsonl:p"),
        *("--metric", "neg_log_loss"),
    )
    assert asked["predictions"]["p"].tolist() == [[0.25, 0.25, 0.5]] * N


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.jsonl", '{"y": 1}\nno\n', "x.jsonl, line 2 is not JSON: "),
        ("x.jsonl", '{"y": 1}\n2\n', "x.jsonl, line 2 holds 2, and others an object"),
        ("x.jsonl", '{"y": 1}\n{"z": 2}\n', "x.jsonl:y, line 2 is missing."),
        ("x.jsonl", '{"y": 1}\n{"y": null}\n', "x.jsonl:y, line 2 is missing."),
        ("x.jsonl", '{"y": {"z": 1}}\n', "x.jsonl:y, line 1 holds an object with keys; "),
        ("x.jsonl", '{"y": [1, 2]}\n{"y": [1]}\n', "x.jsonl:y, line 2 holds a list of 1: "),
        ("x.jsonl", '{"y": [[1], 2]}\n', "x.jsonl:y, line 1 holds [[1], 2]; a list of "),
        ("x.jsonl", '{"z": 1}\n', "x.jsonl has no column 'y' (it has z)."),
        ("x.jsonl", "1\n2\n", "x.jsonl holds values without names; leave :y out."),
        (
            "x.jsonl",
            '{"y": 1}\n\n{"y": 2, "y": 3}\n',
            "x.jsonl, line 3: an object has the key 'y'",
        ),
        ("x.jsonl", "", "x.jsonl holds no rows."),
        ("x.json", "{", "x.json is not JSON: "),
        ("x.json", "[" * 10**5, "x.json is nested too deeply."),
        ("x.json", "[]", "x.json holds no rows."),
        ("x.json", "3", "x.json holds 3, and neither a list of objects (one per row) nor"),
        (
            "x.json",
            '{"y": [1], "z": [1, 2]}',
            "x.json has columns of unequal length: 'y' has 1 value, and 'z' has 2.",
        ),
        ("x.json", '{"y": 1}', "x.json holds an object with keys, and neither a list"),
    ],
)
def test_json_that_is_no_column(name, content, message, capsys):
    Path(name).write_text(content)
    assert error_of(capsys, *PAIR, "--metric", "accuracy", "--groups", f"{name}:y").startswith(
        message
    )


@pytest.mark.parametrize("name", ["a.xlsx", "a.npy", "a.yaml", "a.txt.gz", "a.JSONX"])
def test_other_kinds_of_files_are_refused_by_name(name, capsys):
    write(name, A)
    message = error_of(capsys, *PAIR[:3], f"a={name}", *PAIR[4:], "--metric", "accuracy")
    assert message.startswith(
        f"{name}: skstat does not know what a {Path(name).suffix.lower()}"
    )


@pytest.mark.parametrize("name", ["a", "a.text", "run.1", "a.TXT", "a.hyp"])
def test_text_by_other_names(name):
    write(name, A)
    np.testing.assert_array_equal(one(name).values, A)


def test_bytes_are_no_text(capsys):
    Path("a.txt").write_bytes(b"1\n\x002\n")
    message = error_of(capsys, *PAIR, "--metric", "accuracy")
    assert message == "a.txt is not text: it has a NUL byte in line 2."


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_devices_are_refused(capsys, monkeypatch):
    message = error_of(capsys, *PAIR[:3], "a=/dev/zero", *PAIR[4:], "--metric", "accuracy")
    assert message == "/dev/zero is a device, not a file that can be read to its end."
    with open("/dev/zero") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        message = error_of(capsys, *PAIR[:3], "a=-", *PAIR[4:], "--metric", "accuracy")
    assert message.startswith("standard input is a device")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no pipes by name here")
def test_a_pipe_is_read_once():
    read, write_end = os.pipe()
    os.write(write_end, b"12\n34\n")
    os.close(write_end)
    assert one(f"/dev/fd/{read}").texts == ["12", "34"]
    os.close(read)


@pytest.mark.parametrize("output", ["gold.txt", "./a.txt", "link.json", "doc.json"])
def test_an_output_that_is_an_input_is_refused(output, capsys):
    Path("link.json").symlink_to("b.txt")
    Path("doc.json").write_text(json.dumps({"d": DOC.tolist()}))
    before = Path(output).read_bytes()
    message = error_of(
        capsys, *FAST, "--metric", "accuracy", "--groups", "doc.json:d", "--json", output
    )
    assert message.startswith(f"--json {output} is also read (")
    assert Path(output).read_bytes() == before


def test_one_file_for_two_outputs_is_refused(capsys):
    message = error_of(capsys, *FAST, "--metric", "accuracy", "--json", "o", "--html", "./o")
    assert message == "--json o is written twice; name another file."


def test_closed_standard_streams(capsys, monkeypatch):
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        assert main(["compare", *FAST, "--metric", "accuracy"]) == 2
        assert main(["compare", *FAST, "--metric", "accuracy", "--quiet"]) == 0
    assert "standard output is closed" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", None)
    message = error_of(capsys, *PAIR[:3], "a=-", *PAIR[4:], "--metric", "accuracy")
    assert message == "standard input is closed."


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
def test_a_reader_that_has_seen_enough():
    environment = os.environ | {"PYTHONPATH": str(Path(skstat.__file__).parents[1])}
    read, write_end = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "skstat", "compare", "--help"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_is_said(capsys, monkeypatch):
    with suppress(OSError), open("/dev/full", "w") as full:  # closing writes again
        with monkeypatch.context() as context:
            context.setattr(sys, "stdout", full)
            assert main(["compare", *FAST, "--metric", "accuracy"]) == 2
        assert capsys.readouterr().err.startswith("skstat: error: cannot write")


@pytest.mark.parametrize("written", ["True False", "true false", "TRUE FALSE", "1 0"])
def test_true_and_false_are_the_same_labels_however_written(written, capsys):
    yes, no = written.split()
    truth = [place % 3 > 0 for place in range(60)]
    right = {"a": [place % 10 > 0 for place in range(60)], "b": [p % 4 > 0 for p in range(60)]}
    Path("truth.json").write_text(json.dumps([{"y": value} for value in truth]))
    said = {
        name: [value == kept for value, kept in zip(truth, own, strict=True)]
        for name, own in right.items()
    }
    Path("a.json").write_text(json.dumps({"p": said["a"]}))
    Path("b.txt").write_text("\n".join(yes if value else no for value in said["b"]))
    files = ["--y-true", "truth.json:y", "--predictions", "a=a.json:p", "b=b.txt"]
    assert main(["compare", *files, "--metric", "accuracy"]) == 0
    assert "a 0.900; b 0.750" in capsys.readouterr().out
    assert main(["compare", *files, "--metric", "f1", "--pos-label", "true"]) == 0
    assert "f1" in capsys.readouterr().out
    Path("b.txt").write_text("\n".join("yes" if value else "no" for value in said["b"]))
    assert main(["compare", *files, "--metric", "accuracy"]) == 2
    message = capsys.readouterr().err
    assert "b.txt, line 1 is 'yes', and --y-true truth.json:y holds true and false" in message
