"""``skstat compare`` as a gate: what it reads, what it asks, and what it tells the shell."""

import json
import os
import re
import sys
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import skstat
from tests.cases import in_one_test
from tests.shell import error_of, main, run

N = 240
TOPIC = np.arange(N) // 8
rng = np.random.default_rng(3)
EASE = rng.random(N)


def answers(share):
    """Right and wrong answers of a system, more alike than chance on the same question."""
    return ((0.5 * EASE + 0.5 * rng.random(N)) < share).astype(int)


SYSTEMS = {"old": answers(0.5), "same": answers(0.52), "bad": answers(0.3)}
SYSTEMS["good"] = np.maximum(SYSTEMS["old"], answers(0.35))


def write(name, correct, **columns):
    columns = {"question": [f"q{i}" for i in range(N)], "correct": correct, **columns}
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own for every test, with four systems' results."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    for name, correct in SYSTEMS.items():
        write(f"{name}.csv", correct, topic=TOPIC)
    return tmp_path


# What decides


@in_one_test(
    ("line", "status", "log"),
    [
        ("old.csv bad.csv --fail-if worse", 1, "FAIL: bad is worse than old in correct ("),
        ("old.csv good.csv --fail-if not-better", 0, "PASS: good is better than old in "),
        ("old.csv same.csv --fail-if worse", 3, "UNDECIDED: the data do not show whether "),
        ("old.csv same.csv --fail-if worse --undecided fail", 1, "UNDECIDED (counts as a f"),
        ("old.csv same.csv --fail-if not-better --margin 0.3", 1, "FAIL: same is not better"),
        ("old.csv --fail-if worse bad.csv", 1, "FAIL: bad is worse than old in correct ("),
        ("old.csv good.csv", 0, ""),
        (
            "old.csv same.csv --fail-if probably-worse --rope 0 --probability 0.501", 0,
            "PASS: same is probably not worse than old",
        ),
    ],
)  # fmt: skip
def test_status_and_line(line, status, log, capsys):
    found, out, err = run(capsys, f"{line} --metric correct --seed 0")
    assert found == status
    assert err.startswith(log) and bool(err) == bool(log)
    assert out


def test_the_report_is_that_of_the_function_about_the_candidate(capsys):
    line = "old.csv bad.csv --metric correct --fail-if worse --confidence-level 0.9"
    status, out, err = run(capsys, f"{line} --format json")
    state = json.loads(out)
    gate = state.pop("gate")
    report = skstat.report_from_dict(state)
    systems = {name: SYSTEMS[name] for name in ("bad", "old")}
    expected = skstat.compare_scores(systems, unit="instance", confidence_level=0.9)
    assert report.names == ("bad", "old") and report.verdict == "worse"
    assert report.confidence_level == 0.9
    assert report.estimate == pytest.approx(expected.estimate)
    assert (gate["result"], gate["exit_status"], status) == ("fail", 1, 1)
    (check,) = gate["checks"]
    assert check["statement"] in err and check["evidence"] in err
    assert f"difference \N{MINUS SIGN}{abs(report.estimate):.3f}" in check["evidence"]
    assert "90% interval" in check["evidence"]


def test_several_metrics_each_have_a_check(capsys):
    for name in ("old", "bad"):
        write(f"{name}.csv", SYSTEMS[name], judge=np.round(0.5 + 0.1 * SYSTEMS["old"], 3))
    line = "old.csv bad.csv --fail-if worse --margin correct=0.01 judge=0.05"
    needed = "--fail-if needs --metric: name those that decide, of correct, judge."
    assert error_of(capsys, line) == needed
    status, out, _ = run(capsys, f"{line} --metric correct judge --format json")
    checks = json.loads(out)["gate"]["checks"]
    assert status == 1
    assert [check["metric"] for check in checks] == ["correct", "judge"]
    assert checks[0]["result"] == "fail" and "margin 0.01: " in checks[0]["evidence"]
    line = "old.csv bad.csv --metric correct judge --margin correct=0.1"
    assert error_of(capsys, f"{line} --fail-if not-noninferior") == (
        "--fail-if not-noninferior needs a margin for every metric, and judge has none: "
        "--margin judge=SIZE."
    )


# Forms


def test_markdown_begins_with_the_verdict_and_folds_the_report(capsys):
    line = "old.csv bad.csv --metric correct --margin 0.02 --fail-if worse --format markdown"
    _, out, _ = run(capsys, line)
    first, table, *folded = out.split("\n\n")
    assert "**FAIL**: bad is worse than old in correct" in first
    head, rule, row = table.splitlines()
    assert head.count("|") == rule.count("|") == row.count("|")
    assert "| worse | bad | old | correct | " in row and head.endswith("| p | Margin |")
    assert folded[0].startswith("<details>\n<summary>The report</summary>")
    assert out.count("<details>") == out.count("</details>")


def test_junit_is_a_suite_of_checks(capsys):
    line = "old.csv same.csv bad.csv good.csv --metric correct --fail-if worse --format junit"
    _, out, _ = run(capsys, line)
    root = ElementTree.fromstring(out)
    (suite,) = root
    assert suite.attrib == root.attrib
    counts = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["3", "1", "0", "1"]
    kinds = [[child.tag for child in case] for case in suite]
    assert kinds == [["skipped", "system-out"], ["failure"], ["system-out"]]
    names = [case.get("name") for case in suite]
    assert names[1] == "bad against old: fail if worse" and len(set(names)) == 3
    (failure,) = suite[1]
    assert failure.get("message").startswith("FAIL: bad is worse than old in correct (")
    assert failure.get("type") == "worse"
    as_failure = run(capsys, f"{line} --undecided fail")[1]
    assert ElementTree.fromstring(as_failure).get("failures") == "2"


COMMAND = re.compile(r"^[^\S\n]*::(?!(notice|warning|error) title=skstat)|##\w*\[", re.M)


def write_rows(*names, item="", score="correct"):
    rows = [
        {"model": name, "item": f"{item}{place}", score: place * (step + 2) % 3 == 0}
        for step, name in enumerate(names)
        for place in range(12)
    ]
    Path("rows.json").write_text(json.dumps(rows))


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", ["::error::x", "##[error]x", "a\n ::set-env n=x::##vso[y]z"])
def test_names_command_no_build_server(name, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    write_rows(name, "b", f"{name} c", item=name, score=f"{name} right")
    line = "rows.json --fail-if worse --baseline b --format"
    for form in ("text", "full", "json", "markdown", "latex", "junit", "github"):
        status, out, err = run(capsys, f"{line} {form}")
        assert status in (0, 1, 3) and out and err
        assert COMMAND.search(out) is None and COMMAND.search(err) is None, form
    assert COMMAND.search(error_of(capsys, ["rows.json", "--metric", name])) is None


def test_junit_holds_what_xml_cannot(capsys):
    write_rows('a<&"\x00\x1b[31m\ud800\ufffe', "b")
    _, out, _ = run(capsys, "rows.json --fail-if worse --baseline b --format junit")
    (case,) = ElementTree.fromstring(out.encode("utf-8")).iter("testcase")
    assert 'a<&"' in case.get("name")


def test_github_annotates_and_appends_a_summary(capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("summary.md").write_text("before\n")
    name = "x%0A::error::y"
    line = f"old.csv {name}=bad.csv --metric correct --fail-if worse --format github"
    status, out, _ = run(capsys, line)
    assert status == 1
    assert out.startswith("::error title=skstat%3A fail if worse::FAIL: x%250A")
    assert "95%25 interval" in out and out.count("\n") == 1
    summary = Path("summary.md").read_text(encoding="utf-8")
    assert summary.startswith("before\n") and "<summary>The report</summary>" in summary
    status, out, _ = run(capsys, "old.csv good.csv --metric correct --format github")
    assert (status, out.startswith("::notice title=skstat::good scores higher")) == (0, True)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/summary.md")
    assert error_of(capsys, line).startswith("cannot write $GITHUB_STEP_SUMMARY (no/summary")


def test_a_doubt_stands_in_the_log(capsys):
    write("copy.csv", SYSTEMS["old"], topic=TOPIC)
    line = "old.csv copy.csv --metric correct --margin 0.1 --fail-if worse"
    status, _, err = run(capsys, line)
    assert status == 0
    assert err.endswith("; doubts: identical scores (SKS201))")


def test_a_p_value_that_is_not_valid_decides_nothing(capsys):
    means = {"a": 0.7, "b": 0.6}
    rows = [f"{m},{i},{means[m] + 0.01 * (i % 3)}" for m in means for i in range(10)]
    Path("folds.csv").write_text("\n".join(["model,fold,accuracy", *rows]))
    line = "folds.csv --baseline a --fail-if worse --test paired_t"
    status, _, err = run(capsys, line)
    assert status == 3
    said = "the p-values are not valid: overlapping splits tested as independent (SKS101) ("
    assert said in err


# What is read


ERRORS = [
    ("", "there is nothing to compare: name files with results ("),
    ("old.csv ./old.csv", "./old.csv and old.csv are one file."),
    ("old.csv", "the results are of one system (old); at least two are compared."),
    ("old.csv =bad.csv", "'=bad.csv' is neither a file nor NAME=FILE."),
    ("--metric correct old.csv bad.csv", "--metric takes what follows it, so also old.csv:"),
    ("old.csv bad.csv --metric corect", "--metric corect is unknown; did you mean correct?"),
    ("old.csv bad.csv --group nix", "--group nix is not a column of the results; they have"),
    ("old.csv bad.csv --baseline nix", "--baseline nix is unknown; there are old, bad."),
    ("old.csv bad.csv --systems old bda", "--systems bda is unknown; did you mean bad?"),
    ("old.csv bad.csv --groups topic", "--groups is an option beside --y-true and --pre"),
    ("old.csv bad.csv --y-true old.csv", "old.csv is not an option: results are compared"),
    ("--y-true old.csv --item x", "the following arguments are required: --predictions, --m"),
    ("old.csv bad.csv --fail-if nix", "argument --fail-if: invalid choice: 'nix'"),
    ("old.csv bad.csv --fail-if not-noninferior", "--fail-if not-noninferior needs --margin"),
    ("old.csv bad.csv --fail-if probably-worse", "--fail-if probably-worse needs --rope"),
    ("old.csv bad.csv --fail-if worse-anywhere", "--fail-if worse-anywhere needs --by: what"),
    ("old.csv bad.csv --by topic --fail-if not-noninferior-anywhere",
     "--fail-if not-noninferior-anywhere needs --margin: the smallest"),
    ("old.csv bad.csv --by tpc", "--by tpc is not a column of the results; they have topic."),
    ("all.csv --item nix", "all.csv: --item nix is not a column; there are who, what, correct"),
    ("all.csv --system who", "all.csv: no column is called like what a score is on"),
    ("old.csv bad.csv --rope 0 --probability 0.4", "--probability 0.4 must be between 0.5 and"),
    ("old.csv bad.csv --fail-if worse --alternative greater", "--fail-if worse could never "),
    ("old.csv bad.csv --fail-if not-better --alternative less", "--fail-if not-better could"),
    ("old.csv bad.csv --format junit", "a test suite (junit) needs --fail-if"),
    ("old.csv bad.csv --fail-if worse --junit bad.csv", "--junit bad.csv is also read ("),
    ("old.csv words.csv", "words.csv: there is no score: no column of numbers, or of"),
    ("old.csv twice.csv", "twice.csv: there are several rows of 'question' q1"),
]  # fmt: skip


@in_one_test(("line", "message"), ERRORS)
def test_errors(line, message, capsys):
    Path("words.csv").write_text("question,topic\nq1,sums\n")
    Path("twice.csv").write_text("question,correct\nq1,1\nq1,0\n")
    Path("all.csv").write_text("who,what,correct\nold,q1,1\nbad,q1,0\n")
    assert error_of(capsys, line).startswith(message)


def test_a_candidate_that_lacks_items_is_not_judged(capsys):
    lines = Path("good.csv").read_text().splitlines()
    hard = [line for line in lines[1:] if line.split(",")[1] == "0"]
    kept = [line for line in lines if line not in hard]
    Path("good.csv").write_text("\n".join(kept))
    line = "old.csv good.csv --metric correct --fail-if worse"
    assert error_of(capsys, line) == (
        f"good lacks correct on {len(hard)} of {N} items, such as {hard[0].split(',')[0]!r}: a "
        "gate needs the same items. To judge by the items that all have, pass --allow "
        "unfinished."
    )
    empty = [line.split(",")[0] + ",," for line in hard]
    Path("good.csv").write_text("\n".join([*kept, *empty]))
    assert error_of(capsys, line).startswith(f"good lacks correct on {len(hard)} of {N} ")
    status, out, _ = run(capsys, f"{line} --allow unfinished --format json")
    assert status == 0
    assert json.loads(out)["n_units"] == N - len(hard)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (RuntimeError("a fault"), 2, "Traceback.*RuntimeError: a fault.*please report it\n"),
        (KeyboardInterrupt(), 130, "skstat: interrupted\n"),  # 128 + SIGINT
    ],
)
def test_a_fault_is_no_gate_that_failed(error, status, words, capsys, monkeypatch):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr(skstat, "compare_scores", broken)
    assert main(["compare", "old.csv", "bad.csv", "--metric", "correct"]) == status
    assert re.fullmatch(words, capsys.readouterr().err, re.DOTALL)


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
def test_a_reader_that_has_seen_enough_changes_no_verdict(capsys, monkeypatch):
    read, write_end = os.pipe()
    os.close(read)
    line = "old.csv bad.csv --metric correct --fail-if worse"
    with monkeypatch.context() as context, open(write_end, "w") as closed:
        context.setattr(sys, "stdout", closed)
        assert main(["compare", *line.split()]) == 1
    assert capsys.readouterr().err.startswith("skstat: FAIL: bad is worse than old")


# Slices

PART = np.where(np.arange(N) < N // 3, "law", np.where(np.arange(N) % 2, "art", "news"))


@pytest.fixture
def slices(folder):
    """Results in which one part falls, and results in which none does."""
    old = SYSTEMS["old"]
    write("before.csv", old, part=PART)
    write("falls.csv", np.where(PART == "law", 0, SYSTEMS["good"]), part=PART)
    write("stays.csv", np.where(np.arange(N) % 40 == 0, 1 - old, old), part=PART)
    write("truth.csv", np.ones(N, dtype=int), part=PART)


@pytest.mark.parametrize(
    "line, status, results",
    [
        ("before.csv falls.csv --fail-if worse-anywhere", 1, {"part=law": "fail"}),
        ("before.csv stays.csv --fail-if worse-anywhere", 3, {"part=law": "undecided"}),
        ("before.csv stays.csv --fail-if worse-anywhere --margin 0.2", 0, {"part=art": "pass"}),
        (
            "before.csv stays.csv --fail-if not-noninferior-anywhere --margin 0.2", 0,
            {"part=art": "pass", "part=law": "pass", "part=news": "pass"},
        ),
        (
            "before.csv falls.csv --fail-if not-noninferior-anywhere --margin 0.01", 1,
            {"part=law": "fail"},
        ),
        (
            "--y-true truth.csv:correct --predictions a=before.csv:correct b=falls.csv:correct "
            "--metric accuracy --by truth.csv:part --fail-if worse-anywhere", 1,
            {"part=law": "fail"},
        ),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("slices")
def test_a_gate_looks_into_every_slice(capsys, line, status, results):
    if "--by" not in line:
        line += " --metric correct --by part"
    found, out, err = run(capsys, f"{line} --seed 0 --format json")
    assert found == status
    state = json.loads(out)
    each = {check["metric"].split(" where ")[1]: check for check in state["gate"]["checks"]}
    assert {name: each[name]["result"] for name in results} == results
    assert set(each) == {"part=law", "part=art", "part=news"}
    report = skstat.report_from_dict(state)
    assert report.by == "slice" and set(report) == set(each)
    metric = "accuracy" if "y-true" in line else "correct"
    if status == 1:
        assert f" in {metric} where part=law (difference −" in err


@pytest.mark.parametrize("anywhere", ["worse-anywhere", "not-noninferior-anywhere"])
def test_a_slice_that_was_left_out_is_undecided_and_named(capsys, anywhere):
    places, right = np.arange(N), (np.arange(N) >= 2).astype(int)
    part = np.where(places >= N - 20, "PL", np.where(places % 2, "DE", "FR"))
    write("before.csv", right, part=part)
    write("after.csv", np.where(part == "PL", 0, right), part=part)
    line = "before.csv after.csv --metric correct --by part --margin 0.2 --seed 0 --format json"
    status, out, err = run(capsys, f"{line} --fail-if {anywhere}")
    checks = json.loads(out)["gate"]["checks"]
    found = {check["metric"].rpartition("=")[2]: check["result"] for check in checks}
    assert found == {"DE": "pass", "FR": "pass", "PL": "undecided"}
    assert status == 3
    assert "where part=PL; it was not compared (20 rows, fewer than 30)" in err


# What is drawn


DRAWN = np.random.default_rng(1).standard_t(3, size=60) / 2
DRAWN -= DRAWN.mean()
BASE = np.random.default_rng(2).normal(size=60)


def moved_to(level, value_of, **options):
    """Write two systems, the second ahead by what brings a falling number to a level."""

    def found(shift):
        scores = {"new": BASE + DRAWN + shift, "base": BASE}
        drawn = {"n_resamples": 15_999, "random_state": 0}
        return value_of(skstat.compare_scores(scores, unit="instance", **drawn, **options))

    low, high = -2.0, 2.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) > level else (low, middle)

    def write_at(apart):
        write_scores("base", BASE)
        write_scores("new", BASE + DRAWN + high + apart)

    return write_at


def write_scores(name, scores):
    lines = ["question,score", *(f"q{i},{score!r}" for i, score in enumerate(scores.tolist()))]
    Path(f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


DRAWN_LINE = "base.csv new.csv --metric score --higher-is-better --n-resamples 999"


@pytest.mark.parametrize(
    ("value_of", "options", "line"),
    [
        (lambda report: report.pvalue, {"alternative": "greater"},
         "--fail-if not-better --alternative greater"),
        (lambda report: report.equivalence["lower_pvalue"], {"margin": 0.3},
         "--fail-if not-noninferior --margin 0.3"),
        (lambda report: report.evidence.posterior.probabilities.worse, {"rope": 0},
         "--fail-if probably-worse --rope 0"),
    ],
)  # fmt: skip
def test_draws_do_not_decide(value_of, options, line, capsys):
    write_at = moved_to(0.05, value_of, **options)
    for apart, expected in ((-0.05, 3), (0.0, 3), (0.05, 0)):
        write_at(apart)
        for seed in ("", " --seed 1", " --seed 2"):
            status, out, err = run(capsys, f"{DRAWN_LINE} {line}{seed} --format json")
            assert status == expected
            assert ("other random draws" in err) == (apart == 0)
            report = skstat.report_from_dict({**json.loads(out), "gate": None})
            found = report.evidence
            drawn = max(found.outcome.n_resamples, getattr(found.posterior, "n_drawn", 0))
            assert drawn == (15_999 if apart == 0 else 999)


# What it would take


# Who is the candidate


def state_of(capsys, line, status=0):
    found, out, _ = run(capsys, f"{line} --format json --seed 0")
    assert found == status
    return json.loads(out)


@pytest.fixture
def doors(folder):
    """The same two systems in files, in tables in two orders of rows, and as predictions."""
    rows = [f"{name},q{i},{v}" for name in ("old", "bad") for i, v in enumerate(SYSTEMS[name])]
    Path("all.csv").write_text("\n".join(["model,question,correct", *rows]))
    Path("turned.csv").write_text("\n".join(["model,question,correct", *rows[::-1]]))
    Path("gold.csv").write_text("\n".join(["question,y", *(f"q{i},1" for i in range(N))]))
    return (
        "old.csv bad.csv --metric correct",
        "all.csv",
        "turned.csv",
        "--y-true gold.csv:y --predictions old=old.csv:correct bad=bad.csv:correct "
        "--metric accuracy",
    )


def test_signs_are_equal_in_every_door(capsys, doors):
    expected = SYSTEMS["old"].mean() - SYSTEMS["bad"].mean()
    for line in (doors[0], doors[1], doors[3]):
        state = state_of(capsys, line)
        assert state["systems"]["name"] == ["old", "bad"], line
        assert state["pairs"]["estimate"][0] == pytest.approx(expected, abs=1e-12), line
    for line, role in product(doors, ("--baseline old", "--candidate bad --fail-if worse")):
        state = state_of(capsys, f"{line} {role}", status=int("fail" in role))
        assert state["systems"]["name"] == ["bad", "old"], line
        assert state["pairs"]["estimate"][0] == pytest.approx(-expected, abs=1e-12), line


def test_who_is_judged_is_said_or_refused(capsys, doors):
    for table in doors[1:3]:
        refused = error_of(capsys, f"{table} --fail-if worse")
        assert "is the baseline? Their order in the file says nothing" in refused
        assert run(capsys, f"{table} --fail-if worse --candidate old")[0] == 0
    line = "old.csv bad.csv same.csv --metric correct --fail-if worse"
    for more, message in {
        "--baseline bad --candidate bad": "bad cannot be both candidate and baseline.",
        "--candidate nix": "--candidate nix is unknown; there are old, bad, same.",
        "--candidate bad": "--candidate bad needs a --baseline: one of old, same",
    }.items():
        assert error_of(capsys, f"{line} {more}").startswith(message)
    state = state_of(capsys, f"{line} --candidate bad --baseline same", 1)
    assert state["systems"]["name"] == ["bad", "same"]
    said = run(capsys, f"{line} --systems bad old")[2]
    assert said.startswith("PASS: old is not worse than b")
