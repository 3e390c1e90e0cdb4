"""Logs of lm-evaluation-harness: `samples_*.jsonl` beside `results_*.json`."""

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skstat.io._formats import records
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._join import ResultsError
from skstat.io._results import Results, Source
from skstat.io._table import read_number

# Both end with the time of the run: results_TIME.json, samples_TASK_TIME.jsonl.
_TIME = r"(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
_RESULTS = re.compile(rf".*_{_TIME}\.json")
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_{_TIME}\.jsonl")
_START = re.compile(rb'\s*\{\s*"results":\s*\{')
# Of a row, what is kept; documents, responses and prompts are long.
_KEPT = ("doc_id", "filter", "prompt_hash")
# Means are computed anew, in another order.
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class _Run:
    """One run: what the file of its results says, and the rows of samples by task."""

    where: str
    results: Mapping[str, Any]
    samples: Mapping[str, list[Mapping[str, Any]]]
    complete: bool = True  # whether all tasks of the run are wanted

    def told(self, what: str) -> Mapping[str, Any]:
        """Return what the results say of each task."""
        return records.mapping(self.results.get(what), what)

    def counts(self, kind: str) -> dict[str, int | None]:
        """Documents of every task (original), or of it in the run (effective)."""
        told = self.told("n-samples")
        return {
            task: records.whole_number(records.mapping(told.get(task), "n-samples").get(kind))
            for task in self.samples
        }


def _looks_like(given: Given) -> bool:
    head = given.head
    named = given.path is not None and _SAMPLES.fullmatch(given.path.name) is not None
    return named or (bool(_START.match(head)) and (b'"alias"' in head or b",none" in head))


def read_lm_eval(given: Given, asked: Asked) -> list[Results]:
    """Read the runs of a file, folder or object: a model on tasks each.

    :system: The model's name. A folder of folders has one for each.
    :item: Task and document, paired by the hashes of document and target too.
    :scores: The metrics of the samples, by filter where a task has several
        (``exact_match,strict``), with their directions. What lm_eval does not average over
        documents is left out: perplexities, F1, correlations of a whole corpus.
    :columns: The task, so that the tasks of a group can be the groups, and fields of the
        document: numbers and short texts.
    :refused: Fewer samples than the results were computed from (``allow='unfinished'``),
        another number of examples in the prompt or another prompt (``allow='settings'``).
        Prompts by a chat template are the model's own.
    :objects: What ``lm_eval.simple_evaluate`` returns is read too.
    """
    return [_read(run, asked) for run in _runs_of(given)]


def _runs_of(given: Given) -> Iterator[_Run]:
    """Read the runs that something given holds: one, or one for each folder of a folder."""
    path = given.path
    if path is None:
        yield _run("the results", given.what, {})
    elif not path.is_dir():
        yield _run_at(path)
    else:
        for folder in _folders(path):
            runs = [files for files in _runs_in(folder).values() if "" in files]
            if all(len(files) == 1 for files in runs):
                raise _incomplete(folder)
            if len(runs) > 1:
                several = ", ".join(files[""].name for files in runs)
                raise ResultsError(f"{folder} holds several runs ({several}): name one.")
            yield _run_at(runs[0][""])


def _runs_in(folder: Path) -> dict[str, dict[str, Path]]:
    """Return files by the time of their run: samples by task, and the results by ''."""
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(each for each in folder.iterdir() if each.is_file()):
        if one := _SAMPLES.fullmatch(path.name) or _RESULTS.fullmatch(path.name):
            task = one.groupdict().get("task", "")
            found.setdefault(one["time"], {})[task] = path
    return found


def _folders(folder: Path) -> list[Path]:
    """Return a folder and those in it, where they hold files of runs."""
    inside = [folder, *sorted(each for each in folder.iterdir() if each.is_dir())]
    return [each for each in inside if _runs_in(each)]


def _incomplete(folder: Path) -> ResultsError:
    names = [path.name for files in _runs_in(folder).values() for path in files.values()]
    return ResultsError(
        f"{folder} looks like logs of lm-evaluation-harness ({', '.join(names[:2])}), and has "
        "no results_TIME.json with samples_TASK_TIME.jsonl of the same time beside it. Run "
        "lm_eval with --log_samples, and keep its files in one folder, under their names."
    )


def _run_at(path: Path) -> _Run:
    """Read the run that a file of results is of, or one task of it, by its samples."""
    beside = _runs_in(path.parent).values()
    files = next((files for files in beside if path in files.values()), {"": path})
    if "" not in files:
        raise _incomplete(path.parent)
    results = files.pop("")
    of_task = {task: each for task, each in files.items() if each == path}
    told = records.mapping(records.read_json(results), results.name)
    return replace(_run(str(path), told, of_task or files), complete=not of_task)


def _run(where: str, results: Mapping[str, Any], files: Mapping[str, Path]) -> _Run:
    samples = {task: list(_rows(path)) for task, path in files.items()}
    if not samples:
        for task, rows in records.mapping(results.get("samples"), "samples").items():
            samples[task] = [_kept(row) for row in records.sequence(rows, task)]
    samples = {task: rows for task, rows in samples.items() if rows}
    if not samples:
        raise ResultsError(
            f"{where} has no samples: run lm_eval with --log_samples, and keep "
            "samples_TASK_TIME.jsonl in the folder of the results."
        )
    return _Run(where=where, results=results, samples=samples)


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    for line, number in records.lines_of(records.content_of(path), path):
        where = f"{path}, line {number}"
        with records.reading(where):
            yield _kept(records.parsed(line, where))


def _kept(given: Any) -> Mapping[str, Any]:
    row = records.mapping(given, "a sample")
    metrics = records.sequence(row.get("metrics"), "metrics")
    if not all(isinstance(name, str) for name in metrics):
        raise ValueError("names of metrics must be text.")
    doc = row.get("doc")
    fields = doc.items() if isinstance(doc, dict) else ()
    hashes = row.get("doc_hash"), row.get("target_hash")
    return {
        **{name: row.get(name) for name in _KEPT},
        # A field that is too long for a column is not one for the other documents either.
        "doc": {name: value if records.is_small(value) else ... for name, value in fields},
        "content": records.digest(*hashes)
        if all(hashes)
        else records.digest(doc, row.get("target")),
        "values": {name: row.get(name) for name in metrics},
    }


def _read(run: _Run, asked: Asked) -> Results:
    docs = {task: _docs(rows, f"task {task}") for task, rows in run.samples.items()}
    if "unfinished" not in asked.allow:
        _refuse_unfinished(run, docs)
    left_out: dict[str, str] = {}
    directions: dict[str, bool] = {}
    for task, of_task in docs.items():
        up = run.told("higher_is_better").get(task)
        for name in dict.fromkeys(name for doc in of_task.values() for name in doc["scores"]):
            said = up.get(name.partition(",")[0]) if isinstance(up, dict) else None
            if not _is_mean(run, task, name, of_task):
                left_out[name] = "is not a mean over items"
                for doc in of_task.values():
                    doc["scores"].pop(name, None)
            elif isinstance(said, bool) and directions.setdefault(name, said) != said:
                raise ResultsError(
                    f"higher {name} is better in one task, and lower in another."
                )
    system = _model(run)
    rows = [
        records.Row(
            system=system,
            item=f"{task}/{name}",
            scores=doc["scores"],
            facts=doc["doc"],
            content=doc["content"],
            task=task,
        )
        for task, of_task in docs.items()
        for name, doc in of_task.items()
    ]
    return records.results_of(
        rows,
        [_source(system, run, docs, asked)],
        run.where,
        prefix="doc_",
        number=_number,
        left_out=left_out,
        higher_is_better=directions,
    )


def _docs(rows: list[Mapping[str, Any]], where: str) -> dict[str, Any]:
    """Put the samples of a document, one for each filter, into one of all scores."""
    several = len({records.text_of(row["filter"]) for row in rows}) > 1
    docs: dict[str, Any] = {}
    for row in rows:
        name = records.word(row["doc_id"], f"{where}: doc_id")
        scores = docs.setdefault(name, {**row, "scores": {}})["scores"]
        for metric, value in row["values"].items():
            key = f"{metric},{records.text_of(row['filter']) or 'none'}" if several else metric
            if key in scores:
                raise ValueError(f"{where} has two samples of document {name}.")
            scores[key] = value
    return docs


def _is_mean(run: _Run, task: str, name: str, docs: Mapping[str, Any]) -> bool:
    """Whether the log's own score is the mean: of a perplexity or F1 it is another number.

    Where samples are missing, or the log has no score, it is not known; then it is read.
    """
    by = records.text_of(run.samples[task][0]["filter"]) or "none"
    told = records.mapping(run.told("results").get(task), "results")
    score = records.as_number(told.get(f"{name},{by}", told.get(name)))
    column = [_number(doc["scores"].get(name)) for doc in docs.values()]
    known = [value for value in column if value is not None and not math.isnan(value)]
    if score is None or math.isnan(score) or not known or None in column:
        return True
    if run.counts("effective")[task] != len(docs):
        return True
    return math.isclose(math.fsum(known) / len(known), score, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _refuse_unfinished(run: _Run, docs: Mapping[str, Any]) -> None:
    """Refuse fewer samples than the results were computed from."""
    missing = [name for name in run.told("n-samples") if name not in docs]
    why = ""
    if run.complete and missing:
        why = f"the task {missing[0]} too, and has no samples of it"
    for task, expected in run.counts("effective").items():
        if expected is not None and expected != len(docs[task]):
            why = why or (
                f"{expected} documents of {task}, and there are samples of {len(docs[task])}"
            )
    if why:
        raise ResultsError(
            f"{run.where} is of {why}. To read what there is, pass allow='unfinished'."
        )


def _number(value: Any) -> float | None:
    """Return a number. The log writes those of some types as text, as True of NumPy."""
    if value in ("True", "False"):
        return float(value == "True")
    return read_number(value) if isinstance(value, str) else records.as_number(value)


def _model(run: _Run) -> str:
    config = run.told("config")
    told = config.get("model_args")
    inside = told.get("pretrained") if isinstance(told, dict) else None
    return (
        records.text_of(run.results.get("model_name") or inside or config.get("model"))
        or "model"
    )


def _source(system: str, run: _Run, docs: Mapping[str, Any], asked: Asked) -> Source:
    told = run.results
    templated = bool(told.get("chat_template") or told.get("chat_template_sha"))
    # The prompt of each task's first document: one tells how all of them are made.
    first = {task: min(own, key=lambda name: (len(name), name)) for task, own in docs.items()}
    prompts = [
        (task, name, records.text_of(docs[task][name]["prompt_hash"]))
        for task, name in sorted(first.items())
    ]
    each = {what: run.told(what) for what in ("versions", "n-shot")}
    said = {w: records.one_or_each({t: own.get(t) for t in docs}) for w, own in each.items()}
    return asked.source(
        system,
        task=_named(run, sorted(docs)),
        version=said["versions"],
        created=_date(told.get("date")),
        # When it began, to the microsecond: no two runs have that in common.
        run=records.text_of(told.get("date")),
        n_expected=records.total(run.counts("original").values()),
        settings=records.facts(
            num_fewshot=said["n-shot"],
            # With a template of the chat, prompts are the model's own.
            prompts=None if templated else records.digest(*prompts),
        ),
    )


def _named(run: _Run, names: list[str]) -> str:
    """The group that has exactly these tasks; else the tasks."""
    groups = run.told("group_subtasks")
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


def _date(told: Any) -> str:
    with suppress(TypeError, ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(float(told), UTC).isoformat(timespec="seconds")
    return ""


LM_EVAL = Format(
    name="lm_eval",
    of="logs of lm-evaluation-harness (samples_*.jsonl beside results_*.json, or their folder)",
    recognises=_looks_like,
    inside=_folders,
    is_object=lambda what: (
        isinstance(what, dict) and {"results", "versions", "samples"} <= {*what}
    ),
    read=read_lm_eval,
)
