"""Runs of HELM: `per_instance_stats.json`, with `run_spec.json` and `instances.json` beside."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import (
    digest,
    facts,
    mapping,
    number,
    optional_mapping,
    read_json,
    sequence,
    small_columns,
    text_of,
    word,
)
from skstat.io._join import ResultsError, join_results
from skstat.io._results import Results
from skstat.io._source import Source

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


@dataclass(frozen=True, kw_only=True)
class _Run:
    """One run: a model on a scenario."""

    folder: Path
    spec: Mapping[str, Any]
    adapter: Mapping[str, Any]
    arguments: Mapping[str, Any]
    task: str
    # By instance, perturbation and trial: values by metric.
    values: dict[tuple[str, str, str], dict[str, float]] = field(repr=False)
    contents: dict[tuple[str, str], Mapping[str, Any]] = field(repr=False)

    @property
    def model(self) -> str:
        """The model, as HELM calls it."""
        told = self.adapter.get("model") or self.adapter.get("model_deployment")
        return text_of(told) or self.folder.name


def read_helm(given: Given, asked: Asked) -> Results:
    """Read one run, or all runs of a suite: models on scenarios."""
    assert given.path is not None
    runs = [_run(folder) for folder in _folders(given.path)]
    by_model: dict[str, list[_Run]] = {}
    for run in runs:
        by_model.setdefault(asked.system or run.model, []).append(run)
    if asked.system is not None and len({run.model for run in runs}) > 1:
        raise ResultsError(f"{given.path} holds several models: name them one by one.")
    return join_results(
        [_results(name, own, given, asked) for name, own in by_model.items()], allow=asked.allow
    )


def _folders(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path.parent]
    return (
        [path]
        if (path / _STATS).is_file()
        else sorted(p.parent for p in path.glob(f"*/{_STATS}"))
    )


def _run(folder: Path) -> _Run:
    path = folder / _SPEC
    if not path.is_file():
        raise ResultsError(
            f"{folder / _STATS} has no {_SPEC} beside it, which says what the model is."
        )
    spec = mapping(read_json(path), str(path))
    adapter = mapping(spec.get("adapter_spec"), f"{path}: adapter_spec")
    scenario = optional_mapping(spec.get("scenario_spec"), f"{path}: scenario_spec")
    return _Run(
        folder=folder,
        spec=spec,
        adapter=adapter,
        arguments=optional_mapping(scenario.get("args"), f"{path}: args"),
        task=_task(spec, folder),
        values=_values(folder / _STATS),
        contents=_contents(folder / _INSTANCES),
    )


def _task(spec: Mapping[str, Any], folder: Path) -> str:
    """The run's name without what it says of the model: mmlu:subject=law."""
    name, _, arguments = text_of(spec.get("name") or folder.name).partition(":")
    kept = [each for each in arguments.split(",") if each and not each.startswith("model")]
    return f"{name}:{','.join(kept)}" if kept else name


def _values(path: Path) -> dict[tuple[str, str, str], dict[str, float]]:
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for entry in sequence(read_json(path), str(path)):
        row = mapping(entry, f"{path}: an entry")
        key = (
            word(row.get("instance_id"), f"{path}: instance_id"),
            _perturbation(row, path),
            text_of(row.get("train_trial_index", 0)),
        )
        # Every metric of the run has its own entry.
        cells = found.setdefault(key, {})
        for each in sequence(row.get("stats"), f"{path}: stats"):
            stat = mapping(each, f"{path}: stats")
            name = text_of(mapping(stat.get("name"), f"{path}: name").get("name"))
            value = number(stat.get("mean")) if stat.get("count", 1) else math.nan
            if value is None or not name:
                raise ResultsError(f"{path} has a statistic {name!r} that is not a number.")
            first = cells.get(name, math.nan)
            if first != value and not math.isnan(first) and not math.isnan(value):
                raise ResultsError(f"{path} has two values of {name} for {key[0]}.")
            cells[name] = value if math.isnan(first) else first
    if not found:
        raise ResultsError(f"{path} holds no statistics.")
    return found


def _perturbation(row: Mapping[str, Any], path: Path) -> str:
    return text_of(
        optional_mapping(row.get("perturbation"), f"{path}: perturbation").get("name")
    )


def _contents(path: Path) -> dict[tuple[str, str], Mapping[str, Any]]:
    if not path.is_file():
        return {}
    rows = [mapping(row, f"{path}: an entry") for row in sequence(read_json(path), str(path))]
    return {(text_of(row.get("id")), _perturbation(row, path)): row for row in rows}


def _results(system: str, runs: list[_Run], given: Given, asked: Asked) -> Results:
    tasks = [run.task for run in runs]
    twice = next((task for task in tasks if tasks.count(task) > 1), None)
    if twice is not None:
        raise ResultsError(f"{given.path} holds two runs of {system!r} on {twice}.")
    cells = [(run, key) for run in runs for key in run.values]
    metrics = _metrics(runs, asked, given)
    repeats = [trial for _, (_, _, trial) in cells]
    known = all(key[:2] in run.contents for run, key in cells)
    return Results(
        system=[system] * len(cells),
        item=[_item(run, key) for run, key in cells],
        repeat=repeats if len(set(repeats)) > 1 else None,
        scores={
            name: [run.values[key].get(name, math.nan) for run, key in cells]
            for name in metrics
        },
        columns={
            "task": [run.task for run, _ in cells],
            **small_columns(
                [
                    {**run.arguments, **({"perturbation": key[1]} if key[1] else {})}
                    for run, key in cells
                ],
                taken=["task", *metrics],
                prefix="scenario_",
            ),
        },
        content=[_content(run.contents[key[0], key[1]]) for run, key in cells]
        if known
        else None,
        sources=(_source(system, runs, given),),
    )


def _metrics(runs: list[_Run], asked: Asked, given: Given) -> list[str]:
    there = dict.fromkeys(name for run in runs for row in run.values.values() for name in row)
    wanted = asked.columns.get("score")
    if wanted is not None:
        named = [wanted] if isinstance(wanted, str) else list(wanted)
        unknown = next((name for name in named if name not in there), None)
        if unknown is not None:
            raise ResultsError(
                f"{given.path} has no metric {unknown!r}; there are {', '.join(there)}."
            )
        return named
    found = [name for name in there if not name.startswith(_OF_REQUESTS)]
    if not found:
        raise ResultsError(
            f"{given.path} has no scores, but {', '.join(there)}: name those to be read, as in "
            "columns={'score': ...}."
        )
    return found


def _item(run: _Run, key: tuple[str, str, str]) -> str:
    instance, perturbation, _ = key
    return f"{run.task}/{instance}" + (f"/{perturbation}" if perturbation else "")


def _content(row: Mapping[str, Any]) -> str:
    return digest(row.get("input"), row.get("references"))


def _source(system: str, runs: list[_Run], given: Given) -> Source:
    adapters = [run.adapter for run in runs]

    def common(name: str) -> Any:
        told = {text_of(adapter.get(name)) for adapter in adapters}
        return next(iter(told)) if len(told) == 1 else ", ".join(sorted(told))

    prompts = sorted(
        (run.task, digest(*(run.adapter.get(part) for part in _PROMPT))) for run in runs
    )
    return Source(
        system=system,
        format=HELM.name,
        path=str(given.what),
        task=", ".join(sorted(run.task for run in runs)),
        settings=facts(
            max_train_instances=common("max_train_instances"), prompts=digest(prompts)
        ),
    )


def _looks_like(given: Given) -> bool:
    path = given.path
    if path is None:
        return False
    if path.is_dir():
        return next(path.glob(f"*/{_STATS}"), None) is not None or (path / _STATS).is_file()
    return path.name == _STATS


HELM = Format(
    name="helm",
    of=f"runs of HELM (a folder with {_STATS}, or a folder of such folders)",
    recognises=_looks_like,
    read=read_helm,
    beside=lambda path: (path.with_name(_SPEC), path.with_name(_INSTANCES)),
    reads={
        "system": "The model. A folder of runs has one for each.",
        "item": "Scenario, instance and perturbation, paired by input and references too where "
        "``instances.json`` is there.",
        "repeat": "The trial, which has examples of its own in the prompt.",
        "scores": "Means of the statistics, without those that describe the request (tokens, "
        "times, log probabilities). ``columns={'score': [...]}`` names others. HELM does not "
        "log the direction of a metric: more is taken as better.",
        "columns": "The run without its model (``task``), and the scenario's arguments.",
        "refused": "Another number of examples in the prompt, other instructions "
        "(``allow='settings'``).",
    },
)
