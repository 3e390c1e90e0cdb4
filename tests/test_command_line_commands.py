"""``skstat recommend``, ``plan`` and ``rank`` follow what they are made of; completion."""

import inspect
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import skstat
from skstat.io import read_results
from tests.cases import explained
from tests.shell import error_of, main, run


def options_of(command, capsys):
    """What --help names, as Python writes it."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    flags = re.findall(r"^  --([a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    return {flag.replace("-", "_") for flag in flags}


def printed(capsys, line, command):
    status, out, err = run(capsys, line, command)
    assert (status, err) == (0, "")
    return out.strip()


@pytest.mark.parametrize("command", ["recommend", "plan"])
def test_a_command_takes_what_the_function_takes(command, capsys):
    function = {"recommend": skstat.recommend_test, "plan": skstat.plan_comparison}[command]
    taken = {*inspect.signature(function).parameters}
    assert options_of(command, capsys) | {"holds"} == taken | {"format"}


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("estimators --cv 10 --n-systems 4", {"cv": 10, "n_systems": 4}),
        ("estimators --n-systems 3 --control", {"n_systems": 3, "control": 1}),
        ("scores --cv 0.25 --n 9", {"cv": 0.25, "n": 9}),
        ("predictions --metric accuracy --ordered", {"metric": "accuracy", "ordered": True}),
    ],
)
def test_recommend_is_the_function(line, asked, capsys):
    expected = skstat.recommend_test(line.split()[0], **asked)
    assert printed(capsys, line, "recommend") == expected.to_text().strip()
    state = json.loads(printed(capsys, f"{line} --format json", "recommend"))
    assert state["situation"] == expected.situation


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ("--discordant 0.1", {"discordant": 0.1}),
        ("--error-rates 0.1 0.2", {"error_rates": (0.1, 0.2)}),
    ],
)
def test_plan_is_the_function(more, asked, capsys):
    line = f"predictions --metric accuracy --difference 0.03 {more}"
    asked |= {"metric": "accuracy", "difference": 0.03}
    expected = skstat.plan_comparison("predictions", **asked)
    shown = expected.to_text().replace("print(plan.details)", "the same with --format full")
    assert printed(capsys, line, "plan") == shown.strip()
    assert printed(capsys, f"{line} --format full", "plan") == expected.details.strip()
    assert json.loads(printed(capsys, f"{line} --format json", "plan"))["n"] == expected.n


def test_a_shell_that_asks_is_answered_by_argcomplete(monkeypatch, capsys):
    asked = []
    found = SimpleNamespace(autocomplete=asked.append)
    monkeypatch.setitem(sys.modules, "argcomplete", found)
    printed(capsys, "SKS102", "explain")
    assert not asked
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    printed(capsys, "SKS102", "explain")
    (parser,) = asked
    assert parser.prog == "skstat"
    (commands,) = (a.choices for a in parser._actions if a.dest == "command")
    (code,) = (a for a in commands["explain"]._actions if a.dest == "code")
    assert set(code.completer(prefix="SKS1")) == set(re.findall(r"SKS\d{3}", explained()))
    monkeypatch.setitem(sys.modules, "argcomplete", None)  # not installed
    printed(capsys, "SKS102", "explain")


# Rank

N = 120
rng = np.random.default_rng(8)
CHANCES = {"large": 0.9, "middle": 0.85, "small": 0.4}
RIGHT = {name: (rng.random(N) < chance).astype(int) for name, chance in CHANCES.items()}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own for every test, with a table of results for each system."""
    monkeypatch.chdir(tmp_path)
    for name, right in RIGHT.items():
        lines = [f"q{item},{item % 5},{score}" for item, score in enumerate(right)]
        Path(f"{name}.csv").write_text("\n".join(["question,topic,correct", *lines]))


def test_the_ranking_is_that_of_the_function(capsys):
    files = ["large.csv", "middle.csv", "small.csv"]
    line = f"{' '.join(files)} --metric correct --seed 0 --n-resamples 200 --json out.json"
    results = read_results(files, columns={"score": "correct"})
    expected = skstat.rank_systems(results, n_resamples=200, random_state=0)
    text = expected.to_text().replace("print(report.details)", "the same with --format full")
    assert printed(capsys, line, "rank") == text.strip()
    state = json.loads(Path("out.json").read_text(encoding="utf-8"))
    restored = skstat.report_from_dict(state)
    assert [*restored.systems] == [*expected.systems]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "there is nothing to rank: name files with results (skstat rank a.csv b.csv)."),
        ("large.csv small.csv --format junit", "argument --format: invalid choice: 'junit'"),
        ("large.csv small.csv --json large.csv", "--json large.csv is also read (large.csv)"),
    ],
)
def test_errors(line, message, capsys):
    assert error_of(capsys, line, "rank").startswith(message)


def logs_of_three():
    """A folder of three systems in the form of SWE-bench's leaderboard."""
    ids = np.array([f"q{item}" for item in range(N)])
    for name, right in RIGHT.items():
        folder = Path("logs", name, "results")
        folder.mkdir(parents=True)
        solved, left = (ids[right == each].tolist() for each in (1, 0))
        state = {"resolved": solved, "no_generation": left}
        (folder / "results.json").write_text(json.dumps(state))


@pytest.mark.parametrize(
    "output",
    [
        *("logs/large/results/results.json", "logs/new.json", "logs/../logs/large/new.html"),
        *("way/new.json", "link.json", "hard.html", "away/new.json", "large.csv"),
    ],
)
def test_an_output_among_results_is_refused(output, capsys):
    logs_of_three()
    Path("away").mkdir()
    Path("way").symlink_to("logs/large")
    Path("logs/far").symlink_to(Path("away").absolute())
    Path("link.json").symlink_to("logs/large/results/results.json")
    Path("hard.html").hardlink_to("logs/large/results/results.json")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    option = "--html" if output.endswith("html") else "--json"
    inside = "is in a folder that is read (logs)"
    message = "exists and looks like results" if output == "large.csv" else inside
    assert f"{option} {output} {message}" in error_of(capsys, f"logs {option} {output}", "rank")
    assert before == {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
