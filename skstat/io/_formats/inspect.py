"""Logs of Inspect (inspect_ai): `.eval` archives and `.json` files."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from skstat.io._formats import records
from skstat.io._formats.archive import Archive
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import word
from skstat.io._join import ResultsError
from skstat.io._results import Results, Source
from skstat.io._table import read_number

_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_ARCHIVE = b"PK\x03\x04"
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")
_SAMPLE = re.compile(r"samples/.+_epoch_\d+(/sample)?\.json")
# Summaries keep so much of a text, and mark what they cut.
_KEPT = 5120
_CUT = "...\n(content truncated)"


@dataclass(frozen=True, kw_only=True)
class _Log:
    """One log: a model on a task, which has no name in some logs."""

    model: str
    task: str
    about: Mapping[str, Any]
    samples: Sequence[Mapping[str, Any]]


def read_inspect(given: Given, asked: Asked) -> list[Results]:
    """Read one log, or the logs of a folder: models on tasks.

    :system: The model. A folder has logs of several, and of several tasks; of a run that was
        tried again, the log that succeeded.
    :item: The sample's id, paired by its input and target too. In a folder of several tasks,
        task and id.
    :repeat: The epoch.
    :scores: One per scorer, and one per value where a scorer gives several (``style.words``).
        Grades and words become numbers as in Inspect: ``C`` is 1, ``P`` 0.5, ``I`` and ``N`` 0,
        yes and true 1, no and false 0. A sample that failed or has no score is missing. What is
        not a number is left out, where Inspect counts it as 0.
    :columns: Metadata of the samples: numbers and short texts. In a folder of several tasks,
        the task.
    :refused: Runs that did not succeed or are invalidated (``allow='unfinished'``), other
        arguments of the task (``allow='settings'``).
    :objects: What ``inspect_ai.eval`` and ``read_eval_log`` return is read too.
    :needs: The package zstandard for logs that are packed with it, as Inspect does today,
        before Python 3.14: ``pip install skstat[logs]``.
    """
    folder = given.path if given.path is not None and given.path.is_dir() else None
    logs = [
        _log(each, asked) for each in ([given] if folder is None else _last_attempts(folder))
    ]
    several = len({log.task for log in logs}) > 1
    by_model: dict[str, list[_Log]] = {}
    for log in logs:
        by_model.setdefault(log.model, []).append(log)
    return [
        records.results_of(
            [row for log in own for row in _rows(log, several)],
            [_source(model, own, asked)],
            _where(given),
            prefix="metadata_",
            number=_number,
        )
        for model, own in by_model.items()
    ]


def _last_attempts(folder: Path) -> list[Given]:
    """The logs of a folder by model and task; a run that failed may have been tried again."""
    attempts: dict[tuple[str, str], list[tuple[bool, str, Path]]] = {}
    for path in _logs_in(folder):
        with records.reading(path):
            if path.suffix == ".eval":
                with Archive(path) as archive:
                    header = _header(archive)
            else:
                header = records.mapping(records.read_json(path), "the log")
            about = records.mapping(header.get("eval"), "eval")
            key = word(about.get("model"), "model"), records.text_of(about.get("task"))
        whole = header.get("status") == "success" and header.get("invalidated") is not True
        attempts.setdefault(key, []).append(
            (whole, records.text_of(about.get("created")), path)
        )
    for (model, task), tried in attempts.items():
        finished = [path.name for whole, _, path in tried if whole]
        if len(finished) > 1:
            raise ResultsError(
                f"{folder} holds {len(finished)} logs of {model!r} on {task!r} "
                f"({', '.join(finished)}): name those to be read."
            )
    return [Given(max(tried)[-1]) for tried in attempts.values()]


def _log(given: Given, asked: Asked) -> _Log:
    where = _where(given)
    with records.reading(where):
        header, samples = _log_of(given)
        status = header.get("status", "started")
        why = "marked as invalidated" if header.get("invalidated") is True else ""
        why = why if status == "success" else f"of a run with the status {status!r}"
        if why and "unfinished" not in asked.allow:
            raise ResultsError(
                f"{where} is {why}: its scores are not final. To read what there is, pass "
                "allow='unfinished'."
            )
        about = records.mapping(header.get("eval"), "eval")
        # Of a sample that was tried again the last counts, in its place.
        last: dict[tuple[str, str], Mapping[str, Any]] = {}
        for sample in reversed([records.mapping(sample, "a sample") for sample in samples]):
            key = word(sample.get("id"), "id"), word(sample.get("epoch", 1), "epoch")
            last.setdefault(key, sample)
        if not last:
            unlogged = (
                records.mapping(about.get("config"), "config").get("log_samples") is False
            )
            why = ": it was made without log_samples" if unlogged else ""
            raise ResultsError(f"{where} holds no samples{why}.")
        if not any(records.mapping(sample.get("scores"), "scores") for sample in last.values()):
            raise ResultsError(f"{where} holds samples without scores: it was not scored.")
        return _Log(
            model=word(about.get("model"), "model"),
            task=records.text_of(about.get("task")),
            about=about,
            samples=list(last.values())[::-1],
        )


def _rows(log: _Log, several: bool) -> Iterator[records.Row]:
    """Yield the samples of a log; of several tasks, items are named by theirs."""
    for sample in log.samples:
        scores = records.mapping(sample.get("scores"), "scores")
        values = (
            _values(name, records.mapping(score, f"score of {name}").get("value"))
            for name, score in scores.items()
        )
        yield records.Row(
            system=log.model,
            item=f"{log.task}/{sample['id']}" if several else str(sample["id"]),
            scores=dict(chain.from_iterable(values)),
            repeat=str(sample.get("epoch", 1)),
            facts=records.mapping(sample.get("metadata"), "metadata"),
            content=records.digest(
                *(_as_summarised(sample.get(part)) for part in ("input", "target"))
            ),
            task=log.task if several else "",
        )


def _values(scorer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a scorer gives; of several values each is a metric, as ``judge.style``."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield f"{scorer}.{key}", part
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield f"{scorer}[{place}]", part
    else:
        yield scorer, value


def _number(value: Any) -> float | None:
    """Return a grade, an answer or a number as a number; None of anything else."""
    if not isinstance(value, str):
        return records.as_number(value)
    if value in _GRADES:
        return _GRADES[value]
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    found = read_number(value)
    return None if found is None or not math.isfinite(found) else found


def _source(system: str, logs: Sequence[_Log], asked: Asked) -> Source:
    """Say where the results of a model on all its tasks came from."""
    tasks = {log.task: log.about for log in logs}
    runs = [
        records.text_of(about.get("eval_id") or about.get("task_id"))
        for about in tasks.values()
    ]
    return asked.source(
        system,
        task=", ".join(sorted(tasks)),
        version=records.one_or_each(
            {task: told.get("task_version") for task, told in tasks.items()}
        ),
        created=max(records.text_of(about.get("created")) for about in tasks.values()),
        n_expected=records.total(
            records.mapping(log.about.get("dataset"), "dataset").get("samples") for log in logs
        ),
        run=", ".join(filter(None, runs)),
        settings=records.facts(
            task_args=records.one_or_each(
                {t: told.get("task_args") or None for t, told in tasks.items()}
            )
        ),
    )


def _log_of(given: Given) -> tuple[Mapping[str, Any], Sequence[Any]]:
    """Return what stands at the head of a log, and its samples or their summaries."""
    path = given.path
    if path is not None and given.head.startswith(_ARCHIVE):
        with Archive(path) as archive:
            return _header(archive), list(_samples(archive))
    if given.suffix == ".eval":
        raise ResultsError(f"{path} is not a whole zip archive: its start is missing.")
    told = given.what.model_dump(mode="json") if path is None else records.read_json(path)
    log = records.mapping(told, "the log")
    return log, records.sequence(log.get("samples"), "samples")


def _where(given: Given) -> str:
    return "the log" if given.path is None else str(given.path)


def _header(archive: Archive) -> Mapping[str, Any]:
    # A run that has not come to its end has no header, but what it started with.
    for name in ("header.json", "_journal/start.json"):
        if name in archive.names:
            return records.mapping(_member(archive, name), name)
    raise ResultsError(f"{archive.path} is a zip archive, but no log of Inspect.")


def _samples(archive: Archive) -> Iterator[Any]:
    names = archive.names
    journal = [found for name in names if (found := _JOURNAL.fullmatch(name))]
    summaries = [found[0] for found in sorted(journal, key=lambda each: int(each[1]))]
    summaries = ["summaries.json"] if "summaries.json" in names else summaries
    samples = [] if summaries else [name for name in names if _SAMPLE.fullmatch(name)]
    archive.refuse_many([*summaries, *samples])
    for name in summaries:
        yield from records.sequence(_member(archive, name), name)
    for name in samples:
        sample = records.mapping(_member(archive, name, last=True), name)
        kept = ("id", "epoch", "input", "target", "metadata", "scores", "error")
        yield {field: sample[field] for field in kept if field in sample}


def _member(archive: Archive, name: str, *, last: bool = False) -> Any:
    where, text = f"{archive.path}, member {name!r}", archive.unpacked(name, last=last)
    records.check_size(text, where)
    return records.parsed(text, where)


def _as_summarised(given: Any) -> Any:
    """What a summary keeps of an input or target, so that samples are equal to summaries."""
    if isinstance(given, str):
        return given.removesuffix(_CUT)[:_KEPT]
    if isinstance(given, list):
        return [_as_summarised(part) for part in given]
    if isinstance(given, dict) and "role" in given:
        return [records.text_of(given["role"]), _as_summarised(given.get("content"))]
    if isinstance(given, dict):
        kind = records.text_of(given.get("type"))
        return _as_summarised(given.get("text")) if kind == "text" else f"({kind.capitalize()})"
    return given


def _logs_in(folder: Path) -> list[Path]:
    paths = sorted(folder.iterdir())
    return [p for p in paths if p.suffix in (".eval", ".json") and _is_log(Given(p))]


def _is_log(given: Given) -> bool:
    words = (b'"version"', b'"status"', b'"eval"', b'"task_id"')
    is_json = given.head.lstrip()[:1] == b"{" and all(word in given.head for word in words)
    return given.suffix == ".eval" or (is_json and not given.is_report)


INSPECT = Format(
    name="inspect",
    of="logs of Inspect (.eval or .json, or a folder of them)",
    recognises=_is_log,
    inside=_logs_in,
    # What inspect_ai.eval and read_eval_log return, without a need of the package.
    is_object=lambda what: type(what).__name__ == "EvalLog" and hasattr(what, "model_dump"),
    read=read_inspect,
)
