"""Logs of lm-evaluation-harness are read so that its own means come out."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from skstat.io import read_results
from tests.io.written import TIME, only_if_allowed, refused

LOGS = Path(__file__).parent / "logs" / "lm_eval"


def results_of(folder):
    (path,) = folder.glob("results_*.json")
    return path, json.loads(path.read_text())


@pytest.fixture
def copied(tmp_path):
    shutil.copytree(LOGS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def rewrite(folder, change):
    path, told = results_of(folder)
    change(told)
    path.write_text(json.dumps(told))


def metric_of(found, key):
    """The column of a metric as lm_eval names it: with its filter."""
    name, _, by = key.partition(",")
    return found.scores.get(name if by == "none" else key)


@pytest.mark.parametrize("model", ["good", "poor"])
def test_means_are_those_of_the_log(model):
    _, told = results_of(LOGS / model)
    found = read_results(LOGS / model)
    checked = 0
    for task in told["configs"]:
        rows = found.columns["task"] == task
        assert rows.sum() == told["n-samples"][task]["effective"]
        for key, value in told["results"][task].items():
            column = metric_of(found, key)
            if column is not None:
                np.testing.assert_allclose(column[rows].mean(), value, rtol=1e-12)
                checked += 1
    assert checked == 5
    assert np.isnan(found.scores["acc"][found.columns["task"] == "quiz_places"]).all()


def test_a_group_of_groups_is_the_task(copied):
    inner = {
        "easy": ["quiz_sums", "quiz_words"],
        "all": ["easy", "quiz_places"],
        "loop": ["loop"],
        "outer": ["all"],
    }
    rewrite(copied / "good", lambda told: told.update(group_subtasks=inner))
    assert read_results(copied / "good").sources[0].task == "all"
    rewrite(copied / "good", lambda told: told.update(group_subtasks={}))
    assert read_results(copied / "good").sources[0].task == "quiz_places, quiz_sums, quiz_words"


def test_a_folder_a_file_of_results_and_one_of_samples():
    both = read_results(LOGS)
    assert both.names == ("good", "poor") and len(both) == 16
    path, _ = results_of(LOGS / "good")
    assert read_results(path).item.tolist() == read_results(LOGS / "good").item.tolist()
    (samples,) = (LOGS / "good").glob("samples_quiz_sums_*")
    one = read_results(samples)
    assert one.metrics == ("acc", "acc_norm") and len(one) == 3
    assert one.sources[0].task == "quiz_sums"
    assert read_results({"new": LOGS / "good"}).names == ("new",)
    refused({"new": LOGS}, "several systems .good, poor")


def test_what_lm_eval_returns_is_read_too():
    _, told = results_of(LOGS / "good")
    told["samples"] = {
        task: [
            json.loads(line)
            for line in next((LOGS / "good").glob(f"samples_{task}_*")).read_text().splitlines()
        ]
        for task in told["configs"]
    }
    found = read_results(told)
    filed = read_results(LOGS / "good")
    order = [found.item.tolist().index(item) for item in filed.item]
    assert found.content[order].tolist() == filed.content.tolist()
    np.testing.assert_array_equal(found.scores["acc"][order], filed.scores["acc"])


def test_fewer_samples_than_the_results_are_refused(copied):
    (samples,) = (copied / "good").glob("samples_quiz_sums_*")
    whole = samples.read_text()
    samples.write_text(whole[: whole.rfind("\n", 0, -1) + 1])
    message = "3 documents of quiz_sums, .* samples of 2"
    only_if_allowed(copied / "good", message, "unfinished", 7)
    samples.write_text(whole + whole)
    refused(copied / "good", "two samples of document 0")
    samples.unlink()
    refused(copied / "good", "the task quiz_sums too, and has no samples of it")


@pytest.mark.parametrize(
    ("key", "message", "told"),
    [
        ("versions", "different versions", "version"),
        ("n-shot", "settings .num_fewshot", "settings"),
        ("doc_hash", "different content: 'quiz_sums/0'", "content"),
        ("prompt_hash", "different settings .prompts.: ", "settings"),
    ],
)
def test_other_versions_settings_questions_and_prompts_are_refused(copied, key, message, told):
    if "hash" in key:
        (samples,) = (copied / "poor").glob("samples_quiz_sums_*")
        first, *others = samples.read_text().splitlines()
        changed = json.dumps(json.loads(first) | {key: "other"})
        samples.write_text("\n".join([changed, *others]))
    else:
        rewrite(copied / "poor", lambda told: told[key].update(quiz_sums=5))
    only_if_allowed(copied, message, told, 16)


def test_what_is_missing_is_named(copied):
    path, _ = results_of(copied / "good")
    (samples,) = (copied / "good").glob("samples_quiz_sums_*")
    again = path.with_name("results_2026-01-01T00-00-00.json")
    shutil.copy(path, again)
    refused(copied / "good", "several runs .results_2026-01-01T00-00-00")
    refused(again, "run lm_eval with --log_samples")
    path.unlink()
    refused(samples, "has no results_TIME.json")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("results_", "Results-"), (f"results_{TIME}", "results"), ("samples_", "samples-"),
        (f"{TIME}.json", "2026-11-23T01-00-00.json"), (f"_{TIME}.jsonl", ".jsonl"),
        (".jsonl", ".json"), (".jsonl", ".jsonl.gz"), ("samples_", "answers "),
    ],
)  # fmt: skip
def test_names_that_are_nearly_right_are_told(copied, old, new):
    for path in sorted((copied / "good").iterdir()):
        if path.name.startswith("results") or not old.endswith(".json"):
            path.rename(path.with_name(path.name.replace(old, new)))
    message = r"good looks like logs of lm-evaluation-harness .*keep its files in one folder"
    for folder in (copied / "good", copied):  # one of two models is not left out silently
        refused(folder, message)


def test_a_folder_above_says_what_can_be_read(tmp_path):
    shutil.copytree(LOGS, tmp_path / "above" / "runs")
    refused(tmp_path / "above", r"holds what it does: read_results\(\['.*runs'\]\)")
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("item,score\nq,1\n")
    (tmp_path / "above").rename(tmp_path / "b.txt")
    refused(tmp_path, r"read_results\(\['.*a.csv', '.*b.csv'\]\)")


def test_true_of_numpy_is_written_as_text(copied):
    (path,) = (copied / "good").glob("samples_quiz_sums_*")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    before = read_results(copied / "good").scores["acc"]
    text = "\n".join(json.dumps(row | {"acc": str(bool(row["acc"]))}) for row in rows)
    path.write_text(text)
    np.testing.assert_array_equal(read_results(copied / "good").scores["acc"], before)
