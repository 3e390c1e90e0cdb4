"""Columns that look like groups and are not used: found where their items are alike only."""

import json

import numpy as np
import pytest

import skstat
from tests.cases import codes
from tests.shell import main

N, PER = 200, 10


def indexed(spread=1.0):
    """A column for each system, with levels whose items are numbered anew in each topic."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    topics, items = np.repeat(range(12), 10), np.tile(range(10), 12)
    index = pandas.MultiIndex.from_arrays(
        [[f"t{topic}" for topic in topics], items], names=["topic", "item"]
    )
    base = rng.normal(size=120)
    own = rng.normal(0, spread, 12)[topics] + rng.normal(0, 0.3, 120)
    return pandas.DataFrame({"a": base + own, "b": base}, index=index)


def test_levels_of_an_index_are_to_be_columns():
    wide = indexed()
    for scores in (wide, {"a": wide["a"], "b": wide["b"]}, wide.stack()):
        with pytest.raises(ValueError, match=r"levels, topic.*reset_index\(\).*item=\["):
            skstat.compare_scores(scores, unit="instance")
    nameless = wide.rename_axis([None, None])
    assert skstat.compare_scores(nameless, unit="instance", random_state=0).n_units == 120
    ask = {"item": ["topic", "item"], "random_state": 0}
    report = skstat.compare_scores(wide.reset_index(), unit="instance", **ask)
    assert (report.unit, report.n_units) == ("instance", 120) and "SKS139" in codes(report)
    grouped = skstat.compare_scores(wide.reset_index(), group="topic", **ask)
    assert (grouped.unit, grouped.n_units) == ("group", 12)
    assert "SKS139" not in codes(grouped)


def of_inspect(name, topics, right):
    samples = [
        {
            "id": f"q{item}", "epoch": 1, "input": f"Question {item}?", "target": "x",
            "metadata": {"topic": topic, "length": item % 7},
            "scores": {"match": {"value": "C" if is_right else "I"}},
        }
        for item, (topic, is_right) in enumerate(zip(topics, right, strict=True))
    ]  # fmt: skip
    about = {"task": "quiz", "task_id": name, "model": f"lab/{name}"}
    return {"version": 2, "status": "success", "eval": about, "samples": samples}


def test_groups_in_logs_are_doubted_by_all_doors_and_the_gate(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    topics = [f"t{item // PER}" for item in range(N)]
    shares = rng.choice((0.1, 0.9), (3, N // PER)).repeat(PER, axis=1)
    for name, right in zip("abc", rng.random((3, N)) < shares, strict=True):
        log = of_inspect(name, topics, right)
        (tmp_path / f"{name}.json").write_text(json.dumps(log))
    results = skstat.io.read_results([f"{name}.json" for name in "abc"])
    asked = {"score": "match", "random_state": 0}
    for door in (skstat.compare_scores, skstat.rank_systems):
        assert "SKS139" in codes(door(results, **asked))
        grouped = door(results, **asked, group="topic")
        assert "SKS139" not in codes(grouped) and grouped.unit == "group"
    for line in (
        "compare a.json b.json --margin 0.1 --fail-if worse",
        "compare a.json b.json c.json",
        "rank a.json b.json c.json",
    ):
        for option, doubted in (("", True), ("--group topic", False)):
            main(f"{line} --metric match --format json --seed 0 {option}".split())
            state = json.loads(capsys.readouterr().out)
            assert ("SKS139" in {doubt["code"] for doubt in state["doubts"]}) is doubted
            assert state["unit"] == ("instance" if doubted else "group")
