"""Logs of lm-evaluation-harness: `samples_*.jsonl` beside `results_*.json`."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import (
    FILE_LIMIT,
    digest,
    facts,
    is_small,
    mapping,
    number,
    optional_mapping,
    parsed,
    read_json,
    read_number,
    sequence,
    small_columns,
    text_of,
    whole_number,
    word,
)
from skstat.io._join import ResultsError, join_results
from skstat.io._results import Results
from skstat.io._source import Source

# Both end with the time of the run: results_TIME.json, samples_TASK_TIME.jsonl.
_TIME = r"(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
_RESULTS = re.compile(rf".*_{_TIME}\.json")
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_{_TIME}\.jsonl")
# What was renamed, packed, or written by another version.
_LIKE_SAMPLES = re.compile(r"samples?[-_. ].*\.jsonl?(?:\.gz)?", re.IGNORECASE)
_LIKE_RESULTS = re.compile(r"(?:.*[-_. ])?results?(?:[-_. ].*)?\.json(?:\.gz)?", re.IGNORECASE)
_START = re.compile(rb'\s*\{\s*"results":\s*\{')
# Of a row, what is kept; documents, responses and prompts are long.
_KEPT = ("doc_id", "filter", "prompt_hash")


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run: the results, and the rows of samples by task.

    Attributes
    ----------
    where : str
        The file of the results, for errors.
    results : mapping
        What the file says.
    samples : dict of str to list of mappings
        Rows by task.
    complete : bool
        Whether all tasks of the run are wanted, not the one whose samples were named.
    """

    where: str
    results: Mapping[str, Any]
    samples: Mapping[str, list[Mapping[str, Any]]]
    complete: bool = True


def looks_like_lm_eval(given: Given) -> bool:
    """Tell whether something given looks like logs of lm-evaluation-harness."""
    if isinstance(given.what, dict):
        return {"results", "versions", "samples"} <= set(given.what)
    path = given.path
    if path is None:
        return False
    if path.is_dir():
        return bool(_results_below(path))
    if _SAMPLES.fullmatch(path.name):
        return True
    head = given.head
    return bool(_START.match(head)) and (b'"alias"' in head or b",none" in head)


def runs_of(given: Given) -> Iterator[Run]:
    """Read the runs that something given holds: one, or one for each folder of a folder."""
    if given.path is None:
        yield _run("the results", mapping(given.what, "the results"), {})
        return
    path = given.path
    if not path.is_dir():
        if named := _SAMPLES.fullmatch(path.name):
            beside = [each for each in _results_in(path.parent) if _time(each) == named["time"]]
            if not beside:
                raise ResultsError(_without_results(path, _names_in(path.parent)))
            results = mapping(read_json(beside[0]), str(beside[0]))
            yield replace(_run(str(path), results, {named["task"]: path}), complete=False)
        else:
            yield _run_at(path)
        return
    for folder in _folders(path):
        if (why := _why_no_run(folder)) is not None:
            raise ResultsError(why)
    by_folder: dict[Path, list[Path]] = {}
    for each in _results_below(path):
        by_folder.setdefault(each.parent, []).append(each)
    for folder, found in by_folder.items():
        if len(found) > 1:
            raise ResultsError(
                f"{folder} holds several runs ({', '.join(each.name for each in found)}): "
                "name the one to read."
            )
        yield _run_at(found[0])


def _run_at(path: Path) -> Run:
    files = {
        found["task"]: each
        for each in sorted(path.parent.glob("samples_*.jsonl"))
        if (found := _SAMPLES.fullmatch(each.name)) and found["time"] == _time(path)
    }
    return _run(str(path), mapping(read_json(path), str(path)), files)


def _run(where: str, results: Mapping[str, Any], files: Mapping[str, Path]) -> Run:
    samples = {task: list(_rows(path)) for task, path in files.items()}
    if not samples and "samples" in results:
        inside = mapping(results["samples"], f"{where}: samples")
        samples = {
            task: [
                _kept(row, f"{where}: samples") for row in sequence(rows, f"{where}: {task}")
            ]
            for task, rows in inside.items()
        }
    if not any(samples.values()):
        raise ResultsError(_without_samples(where))
    return Run(where=where, results=results, samples=samples)


def resembles_lm_eval(given: Given) -> str | None:
    """Say what keeps a folder from being read, where it looks like logs of lm_eval."""
    if given.path is None or not given.path.is_dir():
        return None
    return next(filter(None, map(_why_no_run, _folders(given.path))), None)


def _why_no_run(folder: Path) -> str | None:
    """Say what is missing, or named in another way, where a folder holds half a run."""
    names = _names_in(folder)
    samples = [name for name in names if _LIKE_SAMPLES.fullmatch(name)]
    named = [found for name in samples if (found := _SAMPLES.fullmatch(name))]
    runs = [found for name in names if (found := _RESULTS.fullmatch(name))]
    times = {found["time"] for found in runs}
    if any(found["time"] in times for found in named):
        return None
    if named:
        return _without_results(folder / named[0].string, names)
    if samples:
        time = next(iter(sorted(times)), "2026-01-31T23-59-59.123456")
        return (
            f"{folder} looks like logs of lm-evaluation-harness, but {samples[0]!r} is not "
            f"named as lm_eval does it. Name it samples_TASK_{time}.jsonl, with its TASK and "
            f"the time of its results, beside results_{time}.json."
        )
    return _without_samples(str(folder / runs[0].string)) if runs else None


def _names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.is_file())


def _without_results(samples: Path, names: Iterable[str]) -> str:
    named = _SAMPLES.fullmatch(samples.name)
    wanted = f"results_{named['time'] if named else 'TIME'}.json"
    close = next(filter(_LIKE_RESULTS.fullmatch, names), None)
    do = f"If {close!r} is of this run, name it so." if close else "Copy it there."
    return (
        f"{samples} looks like a log of lm-evaluation-harness, but has no {wanted} beside it, "
        f"which says what the model and the metrics are. {do}"
    )


def _without_samples(results: str) -> str:
    return (
        f"{results} has no samples beside it: run lm_eval with --log_samples, and keep "
        "samples_TASK_TIME.jsonl in the folder of the results, with the same time."
    )


def files_of_run(path: Path) -> list[Path]:
    """Return the results and samples of the run that a file is of."""
    found = _SAMPLES.fullmatch(path.name) or _RESULTS.fullmatch(path.name)
    return [] if found is None else sorted(path.parent.glob(f"*_{found['time']}.json*"))


def _results_in(folder: Path) -> list[Path]:
    return sorted(each for each in folder.glob("*.json") if _RESULTS.fullmatch(each.name))


def _results_below(folder: Path) -> list[Path]:
    """Results in a folder with samples, or in its folders, which are of one model each."""
    return [
        found
        for each in _folders(folder)
        if next(each.glob("samples_*.jsonl"), None) is not None
        for found in _results_in(each)
    ]


def _folders(folder: Path) -> list[Path]:
    return [folder, *sorted(each for each in folder.iterdir() if each.is_dir())]


def _time(path: Path) -> str:
    found = _RESULTS.fullmatch(path.name)
    return found["time"] if found else ""


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.stat().st_size > FILE_LIMIT:
        raise ResultsError(f"{path} is larger than {FILE_LIMIT:,} bytes.")
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                where = f"{path}, line {number}"
                yield _kept(parsed(line, where), where)


def _kept(given: Any, where: str) -> Mapping[str, Any]:
    row = mapping(given, where)
    metrics = sequence(row.get("metrics"), f"{where}: metrics")
    if not all(isinstance(name, str) for name in metrics):
        raise ResultsError(f"{where}: names of metrics must be text.")
    doc = row.get("doc")
    fields = doc.items() if isinstance(doc, dict) else ()
    hashes = row.get("doc_hash"), row.get("target_hash")
    return {
        **{name: row.get(name) for name in _KEPT},
        # A field that is too long for a column is not one for the other documents either.
        "doc": {name: value if is_small(value) else ... for name, value in fields},
        "content": digest(*hashes) if all(hashes) else digest(doc, row.get("target")),
        "values": {name: row.get(name) for name in metrics},
    }


# Means are computed anew, in another order.
_CLOSE = 1e-9


def read_lm_eval(given: Given, asked: Asked) -> Results:
    """Read one run, or those of a folder."""
    runs = list(runs_of(given))
    if asked.system is not None and len(runs) > 1:
        raise ResultsError(f"{given.path} holds several runs: name them one by one.")
    return join_results([_read(run, given, asked) for run in runs], allow=asked.allow)


def _read(run: Run, given: Given, asked: Asked) -> Results:
    tasks = [_Task.of(run, name, rows) for name, rows in run.samples.items() if rows]
    if "unfinished" not in asked.allow:
        _refuse_unfinished(run, tasks)
    left_out: dict[str, str] = {}
    scores: dict[str, list[float]] = {}
    n_rows, start = sum(len(task.docs) for task in tasks), 0
    up: dict[str, bool] = {}
    for task in tasks:
        for name, column in task.metrics(run, left_out).items():
            whole = scores.setdefault(name, [math.nan] * n_rows)
            whole[start : start + len(column)] = column
            _note_direction(up, name, task.higher_is_better(name))
        start += len(task.docs)
    if not scores:
        told = ", ".join(f"{name} ({why})" for name, why in left_out.items())
        raise ResultsError(f"{run.where} has no score that is a mean over items: {told}.")
    docs = [doc for task in tasks for doc in task.docs.values()]
    of_task = [task.name for task in tasks for _ in task.docs]
    system = asked.system or _model(run)
    return Results(
        system=[system] * n_rows,
        item=[f"{task.name}/{doc}" for task in tasks for doc in task.docs],
        scores=scores,
        columns={
            "task": of_task,
            **small_columns(
                [doc["doc"] for doc in docs], taken=["task", *scores], prefix="doc_"
            ),
        },
        content=[doc["content"] for doc in docs],
        higher_is_better=up,
        sources=(_source(system, run, given, tasks),),
        left_out=tuple(left_out),
    )


@dataclass(frozen=True, kw_only=True)
class _Task:
    """The samples of one task, and what the results say of it."""

    name: str
    # By document: what the log has of it, and the values by metric and filter.
    docs: dict[str, Mapping[str, Any]]
    values: dict[tuple[str, str], dict[str, Any]]
    filters: tuple[str, ...]
    known: Mapping[str, Any] = field(repr=False)

    @classmethod
    def of(cls, run: Run, name: str, rows: list[Mapping[str, Any]]) -> "_Task":
        docs: dict[str, Mapping[str, Any]] = {}
        values: dict[tuple[str, str], dict[str, Any]] = {}
        filters: dict[str, None] = {}
        where = f"{run.where}, task {name}"
        for row in rows:
            doc = word(row["doc_id"], f"{where}: doc_id")
            by = text_of(row["filter"]) or "none"
            filters[by] = None
            docs.setdefault(doc, row)
            for metric, value in row["values"].items():
                cells = values.setdefault((metric, by), {})
                if doc in cells:
                    raise ResultsError(f"{where} has two samples of document {doc}.")
                cells[doc] = value
        known = {
            what: optional_mapping(run.results.get(what), f"{run.where}: {what}").get(name)
            for what in ("results", "versions", "higher_is_better", "n-samples", "n-shot")
        }
        return cls(name=name, docs=docs, values=values, filters=tuple(filters), known=known)

    def count(self, run: Run, kind: str) -> int | None:
        """Documents of the task (original), or of the run (effective)."""
        counts = optional_mapping(self.known["n-samples"], f"{run.where}: n-samples")
        return whole_number(counts.get(kind))

    def metrics(self, run: Run, left_out: dict[str, str]) -> dict[str, list[float]]:
        """Columns by metric; notes which are left out, and why."""
        found = {}
        for (metric, by), cells in self.values.items():
            name = metric if len(self.filters) == 1 else f"{metric},{by}"
            column = [_number(cells.get(doc)) for doc in self.docs]
            if any(value is None for value in column):
                left_out[name] = "not numbers"
                continue
            numbers = [value for value in column if value is not None]
            if self._is_mean(numbers, f"{metric},{by}", run):
                found[name] = numbers
            else:
                left_out[name] = "not a mean over items"
        return found

    def _is_mean(self, column: list[float], key: str, run: Run) -> bool:
        """Whether the log's own score is the mean: of a perplexity or F1 it is another number.

        Where samples are missing, or the log has no score, it is not known; then it is read.
        """
        told = optional_mapping(self.known["results"], f"{run.where}: results")
        score = number(told.get(key))
        known = [value for value in column if not math.isnan(value)]
        counted = self.count(run, "effective")
        if score is None or math.isnan(score) or not known or counted != len(self.docs):
            return True
        mean = math.fsum(known) / len(known)
        return math.isclose(mean, score, rel_tol=_CLOSE, abs_tol=_CLOSE)

    def higher_is_better(self, name: str) -> bool | None:
        """Direction of a metric, where the log tells."""
        told = self.known["higher_is_better"]
        up = told.get(name.partition(",")[0]) if isinstance(told, dict) else None
        return up if isinstance(up, bool) else None


def _refuse_unfinished(run: Run, tasks: list[_Task]) -> None:
    """Refuse fewer samples than the results were computed from."""
    counted = optional_mapping(run.results.get("n-samples"), f"{run.where}: n-samples")
    missing = [name for name in counted if name not in {task.name for task in tasks}]
    if run.complete and missing:
        raise ResultsError(
            f"{run.where} is of the task {missing[0]} too, and has no samples of it. To read "
            "what there is, pass allow='unfinished'."
        )
    for task in tasks:
        expected = task.count(run, "effective")
        if expected is not None and expected != len(task.docs):
            raise ResultsError(
                f"{run.where} is of {expected} documents of {task.name}, and there are samples "
                f"of {len(task.docs)}. To read what there is, pass allow='unfinished'."
            )


def _note_direction(up: dict[str, bool], name: str, direction: bool | None) -> None:
    if direction is not None and up.setdefault(name, direction) != direction:
        raise ResultsError(f"higher {name} is better in one task, and lower in another.")


def _number(value: Any) -> float | None:
    """Return a number. The log writes those of some types as text, as True of NumPy."""
    if value in ("True", "False"):
        return float(value == "True")
    return read_number(value) if isinstance(value, str) else number(value)


def _model(run: Run) -> str:
    config = optional_mapping(run.results.get("config"), f"{run.where}: config")
    told = config.get("model_args")
    inside = told.get("pretrained") if isinstance(told, dict) else None
    return text_of(run.results.get("model_name") or inside or config.get("model")) or "model"


def _source(system: str, run: Run, given: Given, tasks: list[_Task]) -> Source:
    told = run.results
    originals = [task.count(run, "original") for task in tasks]
    whole = [count for count in originals if count is not None]
    templated = bool(told.get("chat_template") or told.get("chat_template_sha"))
    return Source(
        system=system,
        format=LM_EVAL.name,
        path="" if given.path is None else str(given.what),
        task=_named(run, tasks),
        version=_one_or_each(tasks, "versions"),
        created=_date(told.get("date")),
        # When it began, to the microsecond: no two runs have that in common.
        run=text_of(told.get("date")),
        n_expected=sum(whole) if len(whole) == len(tasks) else None,
        settings=facts(
            num_fewshot=_one_or_each(tasks, "n-shot"),
            # With a template of the chat, prompts are the model's own.
            prompts=None if templated else digest(*_first_prompts(tasks)),
        ),
    )


def _named(run: Run, tasks: list[_Task]) -> str:
    """The group that has exactly these tasks; else the tasks."""
    names = sorted(task.name for task in tasks)
    groups = optional_mapping(run.results.get("group_subtasks"), f"{run.where}: group_subtasks")
    of_all = [group for group in groups if sorted(_leaves(group, groups)) == names]
    # Of groups within each other the innermost, however the run was started.
    inner = (group for group in of_all if not any(each in groups[group] for each in of_all))
    return next(inner, ", ".join(names))


def _leaves(group: str, groups: Mapping[str, Any], above: tuple[str, ...] = ()) -> set[str]:
    """Tasks of a group, which may hold groups."""
    inside = groups.get(group)
    if not isinstance(inside, list) or not inside or group in above:
        return {group}
    return {leaf for each in inside for leaf in _leaves(str(each), groups, (*above, group))}


def _one_or_each(tasks: list[_Task], what: str) -> str:
    """What is told of all tasks, or of each one by its name."""
    told = {task.name: text_of(task.known[what]) for task in tasks}
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return ", ".join(f"{name} {value}" for name, value in sorted(told.items()))


def _first_prompts(tasks: list[_Task]) -> Iterator[tuple[str, str, str]]:
    """The prompt of each task's first document: one tells how all of them are made."""
    for task in sorted(tasks, key=lambda task: task.name):
        doc = min(task.docs, key=lambda doc: (len(doc), doc))
        yield task.name, doc, text_of(task.docs[doc]["prompt_hash"])


def _date(told: Any) -> str:
    try:
        return datetime.fromtimestamp(float(told), UTC).isoformat(timespec="seconds")
    except (TypeError, ValueError, OverflowError, OSError):
        return ""


LM_EVAL = Format(
    name="lm_eval",
    of="logs of lm-evaluation-harness (samples_*.jsonl beside results_*.json, or their folder)",
    recognises=looks_like_lm_eval,
    read=read_lm_eval,
    resembles=resembles_lm_eval,
    beside=files_of_run,
    reads={
        "system": "The model's name. A folder of folders has one for each.",
        "item": "Task and document, paired by the hashes of document and target too.",
        "scores": "The metrics of the samples, by filter where a task has several "
        "(``exact_match,strict``), with their directions. What lm_eval does not average over "
        "documents is left out: perplexities, F1, correlations of a whole corpus.",
        "columns": "The task, so that the tasks of a group can be the groups, and fields of "
        "the document: numbers and short texts.",
        "refused": "Fewer samples than the results were computed from "
        "(``allow='unfinished'``), another number of examples in the prompt or another prompt "
        "(``allow='settings'``). Prompts by a chat template are the model's own.",
        "objects": "What ``lm_eval.simple_evaluate`` returns is read too.",
    },
)
