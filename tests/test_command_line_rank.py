"""``skstat rank`` reads results and asks `rank_systems`."""

import json
from pathlib import Path

import numpy as np
import pytest

import skstat
from skstat.__main__ import main
from skstat.io import read_results

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
    results = read_results(["large.csv", "middle.csv", "small.csv"])
    expected = skstat.rank_systems(
        results.take(metrics=["correct"]), n_resamples=200, random_state=0
    )
    text = expected.to_text().replace("print(report.details)", "the same with --full")
    assert capsys.readouterr() == (text + "\n", "")
    state = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert skstat.report_from_dict(state).rank_intervals == expected.rank_intervals


def test_a_column_of_tasks(capsys):
    assert main([*FILES, "--task", "topic", "--n-resamples", "50", "--full"]) == 0
    assert "Without any one topic, of 5" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("form", ["markdown", "latex", "json", "full"])
def test_forms(form, capsys):
    arguments = [*FILES, "--n-resamples", "50", "--alpha", "0.1"]
    assert main([*arguments, "--format", form, "--html", "page.html"]) == 0
    assert "large" in capsys.readouterr().out
    assert "<html" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "there is nothing to rank: name files with results (skstat rank a.csv b.csv)."),
        ("large.csv", "the results are of one system (large); at least two are ranked."),
        ("--metric correct large.csv small.csv", "--metric takes what follows it, so also la"),
        ("large.csv small.csv --metric corect", "--metric corect is unknown; did you mean co"),
        ("large.csv small.csv --format junit", "argument --format: invalid choice: 'junit'"),
        ("large.csv small.csv --json large.csv", "--json large.csv is also read (large.csv)"),
    ],
)
def test_errors(line, message, capsys):
    assert main(["rank", *line.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"skstat: error: {message}")
