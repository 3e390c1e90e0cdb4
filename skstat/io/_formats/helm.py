"""Runs of HELM: `per_instance_stats.json`, with `run_spec.json` and `instances.json` beside."""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skstat.io._formats import records
from skstat.io._results import Results
from skstat.io._roles import names_of

_STATS = "per_instance_stats.json"
_SPEC, _INSTANCES = "run_spec.json", "instances.json"
# Beside scores, HELM notes what a request was like; that is left out unless it is asked for.
_OF_REQUESTS = (
    "num_", "inference_", "training_", "finish_reason_", "batch_size", "prompt_", "logprob",
    "max_prob", "predicted_index",
)  # fmt: skip
# What of the prompt is the same for all models. A prefix or suffix of all is the model's own.
_PROMPT = (
    "method", "instructions", "input_prefix", "input_suffix", "reference_prefix",
    "reference_suffix", "output_prefix", "instance_prefix",
)  # fmt: skip


def read_helm(given: records.Given) -> list[Results]:
    """Read one run, or all runs of a suite: models on scenarios.

    :system: The model. A folder of runs has one for each.
    :item: Scenario, instance and perturbation, paired by input and references too where
        ``instances.json`` is there.
    :repeat: The trial, which has examples of its own in the prompt.
    :scores: Means of the statistics, without those that describe the request (tokens, times,
        log probabilities). ``columns={'score': [...]}`` names others. HELM does not log the
        direction of a metric: more is taken as better.
    :columns: The run without its model (``task``), and the scenario's arguments.
    :refused: Another number of examples in the prompt, other instructions
        (``allow='settings'``).
    """
    assert given.path is not None
    logs = []
    for folder in _folders(given.path) if given.path.is_dir() else [given.path.parent]:
        with records.reading(folder):
            logs.append(_log(folder))
    return records.results_by_system(
        logs, given, by_task=True, prefix="scenario_", metrics=_metrics(logs, given)
    )


def _folders(folder: Path) -> list[Path]:
    inside = [folder] if (folder / _STATS).is_file() else []
    return inside or sorted(path.parent for path in folder.glob(f"*/{_STATS}"))


def _log(folder: Path) -> records.Log:
    if not (folder / _SPEC).is_file():
        raise ValueError(f"{_STATS} has no {_SPEC} beside it, which says what the model is.")
    spec = records.Entry.of(records.read_json(folder / _SPEC), _SPEC)
    adapter, about = spec.part("adapter_spec"), spec.part("scenario_spec").part("args")
    entries = _entries(folder / _INSTANCES) if (folder / _INSTANCES).is_file() else []
    contents = {(entry.text("id"), _perturbation(entry)): entry for entry in entries}
    rows = []
    for (instance, perturbation, trial), values in _values(folder / _STATS).items():
        request, content = contents.get((instance, perturbation)), None
        if request is not None:
            content = records.digest(request.get("input"), request.get("references"))
        item = f"{instance}/{perturbation}" if perturbation else instance
        facts = {**about, "perturbation": perturbation or None}
        row = records.Row(item=item, repeat=trial, scores=values, facts=facts, content=content)
        rows.append(row)
    return records.Log(
        system=adapter.text("model") or adapter.text("model_deployment") or folder.name,
        rows=rows,
        task=_task(spec, folder),
        settings={"max_train_instances": adapter.get("max_train_instances")},
        prompts=[adapter.get(part) for part in _PROMPT],
    )


def _task(spec: records.Entry, folder: Path) -> str:
    """The run's name without what it says of the model: mmlu:subject=law."""
    name, _, arguments = (spec.text("name") or folder.name).partition(":")
    others = [each for each in arguments.split(",") if each and not each.startswith("model")]
    return f"{name}:{','.join(others)}" if others else name


def _entries(path: Path) -> list[records.Entry]:
    return records.Entry({path.name: records.read_json(path)}).parts(path.name)


def _perturbation(entry: records.Entry) -> str:
    return entry.part("perturbation").text("name")


def _values(path: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return values by metric, of every instance, perturbation and trial."""
    values = defaultdict[tuple[str, str, str], dict[str, Any]](dict)
    for entry in _entries(path):
        name = entry.word("instance_id")
        trial = records.text_of(entry.get("train_trial_index", 0))
        # Every metric of the run has its own entry.
        cells = values[name, _perturbation(entry), trial]
        for stat in entry.parts("stats"):
            metric = stat.part("name").text("name")
            value = stat.get("mean") if stat.get("count", 1) else None
            first = cells.get(metric)
            if None not in (first, value) and first != value:
                raise ValueError(f"{path.name} has two values of {metric} for {name}.")
            cells[metric] = value if first is None else first
    if not values:
        raise ValueError(f"{path.name} holds no statistics.")
    return values


def _metrics(logs: Sequence[records.Log], given: records.Given) -> list[str]:
    logged = dict.fromkeys(name for log in logs for row in log.rows for name in row.scores)
    named = list(names_of(given.columns.get("score")))
    unknown = [name for name in named if name not in logged]
    metrics = named or [name for name in logged if not name.startswith(_OF_REQUESTS)]
    if unknown or not metrics:
        what = f"metric {unknown[0]!r}" if unknown else "score"
        every = f"{', '.join(logged)}: name those to be read, as in columns={{'score': ...}}"
        raise ValueError(f"there is no {what}; there are {every}.")
    return metrics


_OF = f"runs of HELM (a folder with {_STATS}, or a folder of such folders)"
HELM = records.Format("helm", _OF, read_helm, re.compile(f"{_STATS}\n"), _folders)
