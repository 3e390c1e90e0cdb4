"""Runs of HELM: `per_instance_stats.json`, with `run_spec.json` and `instances.json` beside."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skstat.io._formats import records
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._join import ResultsError
from skstat.io._results import Results, Source

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
    """One run: a model on a scenario, with values by instance, perturbation and trial."""

    task: str
    adapter: Mapping[str, Any]
    arguments: Mapping[str, Any]
    values: dict[tuple[str, str, str], dict[str, Any]]
    contents: dict[tuple[str, str], Mapping[str, Any]]


def read_helm(given: Given, asked: Asked) -> list[Results]:
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
    by_model: dict[str, dict[str, _Run]] = {}
    for folder in _folders(given.path) if given.path.is_dir() else [given.path.parent]:
        with records.reading(folder):
            run = _run(folder)
        told = run.adapter.get("model") or run.adapter.get("model_deployment")
        model = records.text_of(told) or folder.name
        if by_model.setdefault(model, {}).setdefault(run.task, run) is not run:
            raise ResultsError(f"{given.path} holds two runs of {model!r} on {run.task}.")
    return [
        records.results_of(
            list(_rows(model, list(runs.values()), asked, str(given.path))),
            [_source(model, list(runs.values()), asked)],
            str(given.path),
            prefix="scenario_",
        )
        for model, runs in by_model.items()
    ]


def _folders(folder: Path) -> list[Path]:
    inside = [folder] if (folder / _STATS).is_file() else []
    return inside or sorted(path.parent for path in folder.glob(f"*/{_STATS}"))


def _run(folder: Path) -> _Run:
    if not (folder / _SPEC).is_file():
        raise ResultsError(
            f"{folder / _STATS} has no {_SPEC} beside it, which says what the model is."
        )
    spec = records.mapping(records.read_json(folder / _SPEC), _SPEC)
    scenario = records.mapping(spec.get("scenario_spec"), "scenario_spec")
    return _Run(
        task=_task(spec, folder),
        adapter=records.mapping(spec.get("adapter_spec"), "adapter_spec"),
        arguments=records.mapping(scenario.get("args"), "args"),
        values=_values(folder / _STATS),
        contents=_contents(folder / _INSTANCES),
    )


def _task(spec: Mapping[str, Any], folder: Path) -> str:
    """The run's name without what it says of the model: mmlu:subject=law."""
    name, _, arguments = records.text_of(spec.get("name") or folder.name).partition(":")
    kept = [each for each in arguments.split(",") if each and not each.startswith("model")]
    return f"{name}:{','.join(kept)}" if kept else name


def _values(path: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for entry in records.sequence(records.read_json(path), _STATS):
        row = records.mapping(entry, "an entry")
        name, trial = (
            records.word(row.get("instance_id"), "instance_id"),
            row.get("train_trial_index", 0),
        )
        # Every metric of the run has its own entry.
        cells = found.setdefault((name, _perturbation(row), records.text_of(trial)), {})
        for each in records.sequence(row.get("stats"), "stats"):
            stat = records.mapping(each, "stats")
            metric = records.text_of(records.mapping(stat.get("name"), "name").get("name"))
            value = stat.get("mean") if stat.get("count", 1) else None
            first = cells.get(metric)
            if None not in (first, value) and first != value:
                raise ResultsError(f"{path} has two values of {metric} for {name}.")
            cells[metric] = value if first is None else first
    if not found:
        raise ResultsError(f"{path} holds no statistics.")
    return found


def _perturbation(row: Mapping[str, Any]) -> str:
    return records.text_of(records.mapping(row.get("perturbation"), "perturbation").get("name"))


def _contents(path: Path) -> dict[tuple[str, str], Mapping[str, Any]]:
    entries = records.sequence(records.read_json(path), _INSTANCES) if path.is_file() else []
    rows = [records.mapping(entry, "an instance") for entry in entries]
    return {(records.text_of(row.get("id")), _perturbation(row)): row for row in rows}


def _rows(system: str, runs: list[_Run], asked: Asked, where: str) -> Iterator[records.Row]:
    metrics = _metrics(runs, asked, where)
    for run in runs:
        for (instance, perturbation, trial), values in run.values.items():
            row = run.contents.get((instance, perturbation))
            parts = (run.task, instance, perturbation) if perturbation else (run.task, instance)
            yield records.Row(
                system=system,
                item="/".join(parts),
                repeat=trial,
                scores={name: values.get(name) for name in metrics},
                facts={**run.arguments, "perturbation": perturbation or None},
                content=None
                if row is None
                else records.digest(row.get("input"), row.get("references")),
                task=run.task,
            )


def _metrics(runs: list[_Run], asked: Asked, where: str) -> list[str]:
    there = dict.fromkeys(name for run in runs for row in run.values.values() for name in row)
    wanted = asked.columns.get("score")
    if wanted is not None:
        named = [wanted] if isinstance(wanted, str) else list(wanted)
        unknown = next((name for name in named if name not in there), None)
        if unknown is not None:
            raise ResultsError(
                f"{where} has no metric {unknown!r}; there are {', '.join(there)}."
            )
        return named
    found = [name for name in there if not name.startswith(_OF_REQUESTS)]
    if not found:
        raise ResultsError(
            f"{where} has no scores, but {', '.join(there)}: name those to be read, as in "
            "columns={'score': ...}."
        )
    return found


def _source(system: str, runs: list[_Run], asked: Asked) -> Source:
    prompts = {
        run.task: records.digest(*(run.adapter.get(part) for part in _PROMPT)) for run in runs
    }
    examples = {run.task: run.adapter.get("max_train_instances") for run in runs}
    return asked.source(
        system,
        task=", ".join(sorted(prompts)),
        settings=records.facts(
            max_train_instances=records.one_or_each(examples),
            prompts=records.digest(sorted(prompts.items())),
        ),
    )


HELM = Format(
    name="helm",
    of=f"runs of HELM (a folder with {_STATS}, or a folder of such folders)",
    recognises=lambda given: given.path is not None and given.path.name == _STATS,
    inside=_folders,
    read=read_helm,
)
