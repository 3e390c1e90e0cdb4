"""Runs of HELM: a folder for each model and scenario."""

import numpy as np
import pytest

from skstat.io import read_results
from tests.io.written import entry, helm_run, instance, only_if_allowed, refused, stat

ENTRIES = [
    entry("id1", stat("exact_match", 1.0), stat("num_prompt_tokens", 312)),
    entry("id2", stat("exact_match", 0.0), stat("num_prompt_tokens", 300)),
    # Another metric of the run has entries of its own.
    entry("id1", stat("toxicity", None, count=0)),
    entry("id2", stat("toxicity", 0.25)),
]
INSTANCES = [instance("id1", "1?"), instance("id2", "2?"), instance("id3", "3?")]


def run(folder, entries=ENTRIES, instances=INSTANCES, **about):
    return helm_run(folder, entries, instances, **about)


def test_entries_of_all_metrics_are_joined_by_instance(tmp_path):
    found = read_results(run(tmp_path / "one", max_eval_instances=2))
    assert found.names == ("lab/a",)
    assert found.item.tolist() == ["mmlu:subject=law/id1", "mmlu:subject=law/id2"]
    assert found.metrics == ("exact_match", "toxicity") and found.repeat is None
    np.testing.assert_array_equal(found.scores["toxicity"], [np.nan, 0.25])
    assert found.columns["subject"].tolist() == ["law", "law"]
    (source,) = found.sources
    assert source.task == "mmlu:subject=law"
    assert read_results(tmp_path / "one" / "per_instance_stats.json").items == found.items


def test_what_a_request_was_like_is_read_when_asked_for(tmp_path):
    folder = run(tmp_path / "one")
    found = read_results(folder, columns={"score": ["num_prompt_tokens"]})
    assert found.scores["num_prompt_tokens"].tolist() == [312, 300]
    refused(folder, "no metric 'f1'; there are exact_match, num_", columns={"score": "f1"})
    only = run(tmp_path / "two", entries=[entry("id1", stat("num_bytes", 4))])
    refused(only, "there is no score; there are num_bytes")


def test_trials_are_repeats_and_perturbations_are_items(tmp_path):
    entries = [
        entry("id1", stat("exact_match", 1.0), trial=trial, perturbation=how)
        for trial in (0, 1)
        for how in (None, "typos")
    ]
    instances = [*INSTANCES, instance("id1", "1>", perturbation={"name": "typos"})]
    found = read_results(run(tmp_path / "one", entries=entries, instances=instances))
    assert len(found) == 4 and found.repeat.tolist() == ["0", "0", "1", "1"]
    assert found.items == ("mmlu:subject=law/id1", "mmlu:subject=law/id1/typos")
    assert len(set(found.content.tolist())) == 2


def test_a_suite_holds_models_on_scenarios(tmp_path):
    for model in ("lab/a", "lab/b"):
        for subject in ("law", "logic"):
            run(tmp_path / f"{model[-1]}-{subject}", model=model, subject=subject)
    found = read_results(tmp_path)
    assert found.names == ("lab/a", "lab/b") and len(found.items) == 4
    subjects = [f"mmlu:subject={name}" for name in ("law", "law", "logic", "logic")]
    assert found.columns["task"][:4].tolist() == subjects
    run(tmp_path / "again")
    refused(tmp_path, "two runs of 'lab/a' on 'mmlu:subject=law'")


@pytest.mark.parametrize(
    ("change", "message", "told"),
    [
        ({"max_train_instances": 0}, "settings .max_train_instances.: ", "settings"),
        ({"input_prefix": "Question: "}, "settings .prompts.: ", "settings"),
        ({"instances": [instance("id1", "!"), INSTANCES[1]]}, "different content", "content"),
        ({"subject": "logic"}, "different tasks", "task"),
    ],
)
def test_runs_that_do_not_belong_together_are_refused(tmp_path, change, message, told):
    folders = [run(tmp_path / "a"), run(tmp_path / "b", model="lab/b", **change)]
    only_if_allowed(folders, message, {told, "settings"}, 4)
