"""``skstat rank`` reads results and asks `rank_systems`."""

import json
from pathlib import Path

import numpy as np
import pytest

import skstat
from skstat.io import read_results
from tests.shell import main

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
    return tmp_path


FILES = ["rank", "large.csv", "middle.csv", "small.csv", "--metric", "correct", "--seed", "0"]


def test_the_ranking_is_that_of_the_function(capsys):
    assert main([*FILES, "--n-resamples", "200", "--json", "out.json"]) == 0
    files = ["large.csv", "middle.csv", "small.csv"]
    results = read_results(files, columns={"score": "correct"})
    expected = skstat.rank_systems(results, n_resamples=200, random_state=0)
    text = expected.to_text().replace("print(report.details)", "the same with --format full")
    assert capsys.readouterr() == (text + "\n", "")
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
    assert main(["rank", *line.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"skstat: error: {message}")


def logs_of_three():
    """A folder of three systems in the form of SWE-bench's leaderboard."""
    for name, right in RIGHT.items():
        folder = Path("logs", name, "results")
        folder.mkdir(parents=True)
        ids = [f"q{item}" for item in range(N)]
        solved = [name for name, score in zip(ids, right.tolist(), strict=True) if score]
        state = {
            "resolved": solved,
            "no_generation": [name for name in ids if name not in solved],
        }
        (folder / "results.json").write_text(json.dumps(state))


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("logs/large/results/results.json", "is in a folder that is read (logs)"),
        ("logs/new.json", "is in a folder that is read (logs)"),
        ("logs/../logs/large/new.html", "is in a folder that is read (logs)"),
        ("way/new.json", "is in a folder that is read (logs)"),
        ("link.json", "is in a folder that is read (logs)"),
        ("hard.html", "is in a folder that is read (logs)"),
        ("away/new.json", "is in a folder that is read (logs)"),
        ("large.csv", "exists and looks like results"),
    ],
)
def test_an_output_among_results_is_refused(output, message, capsys):
    logs_of_three()
    Path("away").mkdir()
    Path("way").symlink_to("logs/large")
    Path("logs/far").symlink_to(Path("away").absolute())
    Path("link.json").symlink_to("logs/large/results/results.json")
    Path("hard.html").hardlink_to("logs/large/results/results.json")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    option = "--html" if output.endswith("html") else "--json"
    assert main(["rank", "logs", option, output]) == 2
    found = capsys.readouterr()
    assert found.out == "" and f"{option} {output} {message}" in found.err
    assert before == {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
