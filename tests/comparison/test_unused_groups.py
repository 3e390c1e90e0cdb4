"""Columns that look like groups and are not used: found where their items are alike only."""

import json

import numpy as np
import pytest

import skstat
from skstat.__main__ import main
from skstat.comparison._score_readers.unused_groups import unused_groups
from skstat.stats import intraclass_correlation

N, PER = 200, 10


def columns(spread, seed=0, names=("a", "b"), group="topic"):
    """Results of systems whose difference depends on the topic by `spread`."""
    rng = np.random.default_rng(seed)
    topic = np.arange(N) // PER
    effects = rng.normal(0, spread, (len(names), topic.max() + 1))
    rows = {"model": [], "item": [], group: [], "score": []}
    for name, own in zip(names, effects, strict=True):
        rows["model"] += [name] * N
        rows["item"] += [f"q{i}" for i in range(N)]
        rows[group] += [f"t{t}" for t in topic]
        rows["score"] += list(own[topic] + rng.normal(0, 1, N))
    return rows


def codes_of(report):
    return {doubt.code for doubt in report.doubts}


NAMED = {"system": "model", "item": "item", "score": "score", "random_state": 0}


@pytest.mark.parametrize("group", ["topic", "docs", "PatientID", "user-name"])
def test_every_door_doubts_groups_that_are_not_used(group):
    rows = columns(0.8, group=group)
    report = skstat.compare_scores(rows, **NAMED)
    assert "SKS139" in codes_of(report)
    assert f"items of one {group!r} are alike: with its 20 groups" in " ".join(
        str(report.details).split()
    )
    assert "SKS139" not in codes_of(skstat.compare_scores(rows, **NAMED, group=group))
    three = columns(0.8, names=("a", "b", "c"), group=group)
    for door in (skstat.compare_scores, skstat.rank_systems):
        assert "SKS139" in codes_of(door(three, **NAMED))
        assert "SKS139" not in codes_of(door(three, **NAMED, group=group))


def test_columns_that_are_no_groups_say_nothing():
    assert "SKS139" not in codes_of(skstat.compare_scores(columns(0.0), **NAMED))
    assert "SKS139" not in codes_of(skstat.compare_scores(columns(0.8, group="nr"), **NAMED))


def test_the_command_line_takes_groups_everywhere(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = columns(0.8, names=("a", "b", "c"))
    table = [
        dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True)
    ]
    (tmp_path / "all.json").write_text(json.dumps(table))
    for command in ("compare", "rank"):
        for option, doubted in (("", True), ("--group topic", False)):
            line = f"{command} all.json --metric score {option} --format json --seed 0"
            assert main(line.split()) == 0
            state = json.loads(capsys.readouterr().out)
            assert ("SKS139" in {doubt["code"] for doubt in state["doubts"]}) is doubted
            assert state["unit"] == ("instance" if doubted else "group")


def test_false_alarms_are_rare_where_few_items_differ_and_sizes_are_unequal():
    """Where the F test is wrong: at a nominal 1 % it found groups in 4 to 13 % of tables."""
    rng = np.random.default_rng(1)
    sizes = np.repeat(np.arange(20), rng.geometric(0.1, 20))
    items, kept = np.arange(len(sizes)), np.ones(len(sizes), dtype=bool)
    found = 0
    for _ in range(300):
        right = rng.random((len(sizes), 1)) < 0.7
        flipped = rng.random((len(sizes), 2)) < 0.02
        values = (right ^ flipped).astype(float)
        found += bool(unused_groups({"topic": sizes}, values, kept, items))
    assert found <= 10  # of 300, expected 3 at most: P(more than 10) < 0.001


def test_the_design_effect_is_that_of_the_differences():
    rows = columns(0.8)
    values = np.reshape(rows["score"], (2, N)).T
    topic = np.array(rows["topic"][:N])
    ((_, n_groups, effect),) = unused_groups(
        {"topic": topic}, values, np.ones(N, dtype=bool), np.arange(N)
    )
    icc = intraclass_correlation(values[:, 0] - values[:, 1], topic)
    assert n_groups == 20 and effect == pytest.approx(1 + (PER - 1) * icc)
