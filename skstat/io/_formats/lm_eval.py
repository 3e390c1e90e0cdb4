"""Logs of lm-evaluation-harness: `samples_*.jsonl` beside `results_*.json`."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skstat.io._formats import records
from skstat.io._formats.records import Entry, Format, Given
from skstat.io._results import Results, ResultsError
from skstat.io._table import read_number

# Both end with the time of the run: results_TIME.json, samples_TASK_TIME.jsonl.
_TIME = r"(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
_RESULTS = re.compile(rf".*_{_TIME}\.json")
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_{_TIME}\.jsonl")
_START = r'\s*\{\s*"results":\s*\{(?s:.*)("alias"|,none)'
# Of a row, what is kept; documents, responses and prompts are long.
_KEPT = ("doc_id", "filter", "prompt_hash")
# Means are computed anew, in another order.
_CLOSE = 1e-9


def read_lm_eval(given: Given) -> list[Results]:
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
    path = given.path
    if path is None:
        return [_run(given, Entry(given.what), {})]
    if not path.is_dir():
        return [_run_at(path, given)]
    results = []
    for folder in _folders(path):
        runs = [files for files in _runs_in(folder).values() if "" in files]
        if all(len(files) == 1 for files in runs):
            raise _incomplete(folder)
        if len(runs) > 1:
            several = ", ".join(files[""].name for files in runs)
            raise ResultsError(f"{folder} holds several runs ({several}): name one.")
        results.append(_run_at(runs[0][""], given))
    return results


def _runs_in(folder: Path) -> dict[str, dict[str, Path]]:
    """Return files by the time of their run: samples by task, and the results by ''."""
    runs: dict[str, dict[str, Path]] = {}
    for path in sorted(each for each in folder.iterdir() if each.is_file()):
        if match := _SAMPLES.fullmatch(path.name) or _RESULTS.fullmatch(path.name):
            task = match.groupdict().get("task", "")
            runs.setdefault(match["time"], {})[task] = path
    return runs


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


def _run_at(path: Path, given: Given) -> Results:
    """Read the run that a file of results is of, or one task of it, by its samples."""
    others = _runs_in(path.parent).values()
    files = next((files for files in others if path in files.values()), {"": path})
    if "" not in files:
        raise _incomplete(path.parent)
    results = files.pop("")
    of_task = {task: each for task, each in files.items() if each == path}
    with records.reading(path):
        entry = Entry.of(records.read_json(results), results.name)
        return _run(given, entry, of_task or files, complete=not of_task)


def _run(
    given: Given, results: Entry, files: Mapping[str, Path], *, complete: bool = True
) -> Results:
    """Read one run: what its results say, and its samples by task; all or some of them."""
    samples = {task: list(_rows(path)) for task, path in files.items()}
    if not samples:
        part = results.part("samples")
        samples = {task: list(map(_kept, part.listed(task))) for task in part}
    docs = {task: _docs(rows, task) for task, rows in samples.items() if rows}
    if not docs:
        raise ValueError(
            "there are no samples: run lm_eval with --log_samples, and keep its .jsonl files."
        )
    counts, directions, left_out = results.part("n-samples"), dict[str, bool](), {}
    lacking = [task for task in counts if task not in docs] if complete else []
    why = [f"the task {task} too, and has no samples of it" for task in lacking]
    templated, logs = results.get("chat_template") or results.get("chat_template_sha"), []
    for task, of_task in docs.items():
        n, effective = len(of_task), counts.part(task).count("effective")
        if effective not in (None, n):
            why.append(f"{effective} documents of {task}, and there are samples of {n}")
        ways = results.part("higher_is_better").get(task)
        means = results.part("results").part(task)
        by = records.text_of(samples[task][0]["filter"]) or "none"
        for name in dict.fromkeys(name for doc in of_task.values() for name in doc.scores):
            stated = ways.get(name.partition(",")[0]) if isinstance(ways, dict) else None
            values = [_number(doc.scores.get(name)) for doc in of_task.values()]
            mean = records.as_number(means.get(f"{name},{by}", means.get(name)))
            if effective == n and not _is_mean(mean, values):
                left_out[name] = "is not a mean over items"
                for doc in of_task.values():
                    doc.scores.pop(name, None)
            elif isinstance(stated, bool) and directions.setdefault(name, stated) != stated:
                raise ValueError(f"higher {name} is better in one task, and lower in another.")
        # The prompt of the first document tells how all of them are made.
        first = min(
            samples[task], key=lambda row: (len(str(row["doc_id"])), str(row["doc_id"]))
        )
        log = records.Log(
            system=_model(results),
            rows=list(of_task.values()),
            task=task,
            version=results.part("versions").get(task),
            created=_date(results.get("date")),
            # When it began, to the microsecond: no two runs have that in common.
            run=results.text("date"),
            n_expected=counts.part(task).count("original"),
            settings={"num_fewshot": results.part("n-shot").get(task)},
            # With a template of the chat, prompts are the model's own.
            prompts=None if templated else [first.word("doc_id"), first["prompt_hash"]],
        )
        logs.append(log)
    if why:
        given.refuse_unfinished(f"the run is of {why[0]}")
    return records.results_of(
        logs,
        given,
        by_task=True,
        task=_named(results.part("group_subtasks"), sorted(docs)),
        prefix="doc_",
        number=_number,
        left_out=left_out,
        higher_is_better=directions,
    )


def _rows(path: Path) -> Iterator[Entry]:
    for line, number in records.lines_of(records.content_of(path), path):
        where = f"{path}, line {number}"
        with records.reading(where):
            yield _kept(records.parsed(line, where))


def _kept(given: Any) -> Entry:
    row = Entry.of(given, "a sample")
    metrics = row.listed("metrics")
    if not all(isinstance(name, str) for name in metrics):
        raise ValueError("names of metrics must be text.")
    doc = row.get("doc")
    fields = doc.items() if isinstance(doc, dict) else ()
    hashes = row.get("doc_hash"), row.get("target_hash")
    return Entry(
        {name: row.get(name) for name in _KEPT},
        # A field that is too long for a column is not one for the other documents either.
        doc={name: value if records.is_small(value) else ... for name, value in fields},
        content=records.digest(*(hashes if all(hashes) else (doc, row.get("target")))),
        values={name: row.get(name) for name in metrics},
    )


def _docs(rows: Sequence[Entry], task: str) -> dict[str, records.Row]:
    """Put the samples of a document, one for each filter, into one of all scores."""
    several = len({row.text("filter") for row in rows}) > 1
    docs: dict[str, records.Row] = {}
    for row in rows:
        name = records.word(row["doc_id"], f"task {task}: doc_id")
        doc = records.Row(item=name, scores={}, facts=row["doc"], content=row["content"])
        scores = docs.setdefault(name, doc).scores
        for metric, value in row["values"].items():
            key = f"{metric},{row.text('filter') or 'none'}" if several else metric
            if key in scores:
                raise ValueError(f"task {task} has two samples of document {name}.")
            scores[key] = value
    return docs


def _is_mean(score: float | None, values: Sequence[float | None]) -> bool:
    """Whether the log's own score is the mean: of a perplexity or F1 it is another number.

    Where the log has no score, or not all are numbers, it is not known; then it is read.
    """
    finite = [value for value in values if value is not None and not math.isnan(value)]
    if score is None or math.isnan(score) or not finite or None in values:
        return True
    return math.isclose(math.fsum(finite) / len(finite), score, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _number(value: Any) -> float | None:
    """Return a number. The log writes those of some types as text, as True of NumPy."""
    if value in ("True", "False"):
        return float(value == "True")
    return read_number(value) if isinstance(value, str) else records.as_number(value)


def _model(results: Entry) -> str:
    config = results.part("config")
    arguments = config.get("model_args")
    inside = arguments.get("pretrained") if isinstance(arguments, dict) else None
    name = results.get("model_name") or inside or config.get("model")
    return records.text_of(name) or "model"


def _named(groups: Entry, names: list[str]) -> str:
    """The group that has exactly these tasks; else the tasks."""
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


def _date(seconds: Any) -> str:
    with suppress(TypeError, ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(float(seconds), UTC).isoformat(timespec="seconds")
    return ""


LM_EVAL = Format(
    name="lm_eval",
    of="logs of lm-evaluation-harness (samples_*.jsonl beside results_*.json, or their folder)",
    looks=re.compile(rf"{_SAMPLES.pattern}\n|.*\n{_START}"),
    inside=_folders,
    is_object=lambda what: (
        isinstance(what, dict) and {"results", "versions", "samples"} <= {*what}
    ),
    read=read_lm_eval,
)
