"""Logs of Inspect (inspect_ai): `.eval` archives and `.json` files."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from skstat.io._formats.archive import Archive
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import (
    VALUES_LIMIT,
    digest,
    facts,
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

_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def metrics_of(samples: Sequence[Any], where: str) -> tuple[dict[str, list[float]], list[str]]:
    """Return scores by metric, and the names of those that are not numbers.

    Parameters
    ----------
    samples : sequence
        The scores of each sample as the log has them: by scorer; None where there are none.
    where : str
        The log, for errors.

    Returns
    -------
    scores : dict of str to list of float
        A scorer that gives several values has a metric for each, as ``judge.style``.
    left_out : list of str
        Metrics that gave some sample something that is not a number.
    """
    values: dict[str, dict[int, Any]] = {}
    for row, scores in enumerate(samples):
        for scorer, score in optional_mapping(scores, f"{where}: scores").items():
            value = optional_mapping(score, f"{where}: score of {scorer}").get("value")
            for name, each in _parts(scorer, value):
                values.setdefault(name, {})[row] = each
    if not values:
        raise ResultsError(f"{where} holds samples without scores: it was not scored.")
    found: dict[str, list[float]] = {}
    left_out: dict[str, Any] = {}
    for name, by_row in values.items():
        column = [math.nan] * len(samples)
        for row, value in by_row.items():
            each = as_number(value)
            if each is None:
                left_out[name] = value
                break
            column[row] = each
        else:
            found[name] = column
    # A scorer without values for any sample says nothing.
    found = {name: each for name, each in found.items() if not all(map(math.isnan, each))}
    if not found:
        odd_values = "; ".join(f"{name} gave {str(v)[:40]!r}" for name, v in left_out.items())
        raise ResultsError(f"{where} has no score that is a number ({odd_values or 'none'}).")
    return found, list(left_out)


def _parts(scorer: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield f"{scorer}.{key}", part
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield f"{scorer}[{place}]", part
    else:
        yield scorer, value


def as_number(value: Any) -> float | None:
    """Return a grade, an answer or a number as a number; None of anything else.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    float or None
        The number; nan where there is no value.
    """
    if not isinstance(value, str):
        return number(value)
    if value in _GRADES:
        return _GRADES[value]
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    found = read_number(value)
    return None if found is None or not math.isfinite(found) else found


def on_several_tasks(parts: Sequence[Results], path: str) -> Results:
    """Join results of one system on different tasks.

    Parameters
    ----------
    parts : sequence of Results
        Results of the system, each on one task and from one source.
    path : str
        Where all of them are.

    Returns
    -------
    Results
        All rows. An item's name begins with its task, which is a column too. What a task has
        not, a metric or column, is missing in its rows.
    """
    tasks = [part.sources[0].task for part in parts]
    repeated = any(part.repeat is not None for part in parts)
    columns = _stacked(parts, [part.columns for part in parts], None)
    columns = {
        f"metadata_{name}" if name == "task" else name: own for name, own in columns.items()
    }
    directions = {name: up for part in parts for name, up in part.higher_is_better.items()}
    return Results(
        system=np.concatenate([part.system for part in parts]),
        item=[
            f"{task}/{item}"
            for task, part in zip(tasks, parts, strict=True)
            for item in part.item
        ],
        repeat=[
            repeat
            for part in parts
            for repeat in (["1"] * len(part) if part.repeat is None else part.repeat)
        ]
        if repeated
        else None,
        scores=_stacked(parts, [part.scores for part in parts], math.nan),
        columns={"task": np.repeat(tasks, [len(part) for part in parts]), **columns},
        content=np.concatenate([part.content for part in parts])
        if all(part.content is not None for part in parts)
        else None,
        higher_is_better=directions,
        sources=(_joined([part.sources[0] for part in parts], path),),
        left_out=tuple(_united(part.left_out for part in parts)),
    )


def _stacked(
    parts: Sequence[Results], known: Sequence[Mapping[str, Any]], missing: Any
) -> dict[str, Any]:
    """Put columns below each other; a value is missing in the rows of parts without one."""
    return {
        name: [
            value
            for part, own in zip(parts, known, strict=True)
            for value in own.get(name, [missing] * len(part))
        ]
        for name in _united(known)
    }


def _united(names: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for each in names for name in each))


def _joined(sources: Sequence[Source], path: str) -> Source:
    """One source of all tasks. What is the same for all is said once."""
    ordered = sorted(sources, key=lambda source: source.task)
    expected = [source.n_expected for source in ordered]
    known = [count for count in expected if count is not None]
    return replace(
        ordered[0],
        path=path,
        task=", ".join(source.task for source in ordered),
        version=_one_or_each({source.task: source.version for source in ordered}),
        created=max(source.created for source in ordered),
        run=", ".join(source.run for source in ordered if source.run),
        n_expected=sum(known) if len(known) == len(expected) else None,
        settings={
            f"{name} of {source.task}": value
            for source in ordered
            for name, value in source.settings.items()
        },
        means={
            name: tuple(_united(source.means.get(name, ()) for source in ordered))
            for name in _united(source.means for source in ordered)
        },
    )


def _one_or_each(told: dict[str, str]) -> str:
    values = set(told.values())
    if len(values) == 1:
        return values.pop()
    return "; ".join(f"{task}: {value}" for task, value in told.items())


_ARCHIVE = b"PK\x03\x04"
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")
_SAMPLE = re.compile(r"samples/.+_epoch_\d+(/sample)?\.json")
# What Inspect calls a mean of the scores of all samples.
_MEANS = frozenset({"accuracy", "mean"})
# Summaries keep so much of a text, and mark what they cut.
_KEPT = 5120
_CUT = "...\n(content truncated)"


def read_inspect(given: Given, asked: Asked) -> Results:
    """Read one log, or the logs of a folder: models on tasks."""
    if given.path is None or not given.path.is_dir():
        return _read_log(given, asked)
    logs = _last_attempts(given.path)
    models = dict.fromkeys(model for model, _ in logs)
    if asked.system is not None and len(models) > 1:
        raise ResultsError(
            f"{given.path} holds logs of several models ({', '.join(models)}): name them one "
            "by one."
        )
    several = len(dict.fromkeys(task for _, task in logs)) > 1
    found = []
    for model in models:
        parts = [_read_log(Given(path), asked) for (of, _), path in logs.items() if of == model]
        found.append(on_several_tasks(parts, str(given.what)) if several else parts[0])
    return join_results(found, allow=asked.allow)


def _last_attempts(folder: Path) -> dict[tuple[str, str], Path]:
    """The logs of a folder by model and task; a run that failed may have been tried again."""
    attempts: dict[tuple[str, str], list[tuple[bool, str, Path]]] = {}
    for path in _logs_in(folder):
        header = _header_of(path)
        about = mapping(header.get("eval"), f"{path}: eval")
        key = word(about.get("model"), f"{path}: model"), text_of(about.get("task"))
        whole = header.get("status") == "success" and header.get("invalidated") is not True
        attempts.setdefault(key, []).append((whole, text_of(about.get("created")), path))
    for (model, task), tried in attempts.items():
        finished = [path.name for whole, _, path in tried if whole]
        if len(finished) > 1:
            raise ResultsError(
                f"{folder} holds {len(finished)} logs of {model!r} on {task!r} "
                f"({', '.join(finished)}): name those to be read."
            )
    return {key: max(tried)[-1] for key, tried in attempts.items()}


def _read_log(given: Given, asked: Asked) -> Results:
    header, samples = _log_of(given)
    where = _where(given)
    status = header.get("status", "started")
    if "unfinished" not in asked.allow:
        if status != "success":
            raise ResultsError(
                f"{where} is of a run with the status {status!r}: its scores are not final. To "
                "read what there is, pass allow='unfinished'."
            )
        if header.get("invalidated") is True:
            raise ResultsError(
                f"{where} is marked as invalidated. To read it all the same, pass "
                "allow='unfinished'."
            )
    about = mapping(header.get("eval"), f"{where}: eval")
    rows = list(_last_of_each(samples, where))
    if not rows:
        config = optional_mapping(about.get("config"), f"{where}: config")
        why = ": it was made without log_samples" if config.get("log_samples") is False else ""
        raise ResultsError(f"{where} holds no samples{why}.")
    scores, left_out = metrics_of([row.get("scores") for row in rows], where)
    epochs = [word(row.get("epoch", 1), f"{where}: epoch") for row in rows]
    system = asked.system or word(about.get("model"), f"{where}: model")
    metadata = [optional_mapping(row.get("metadata"), f"{where}: metadata") for row in rows]
    return Results(
        system=[system] * len(rows),
        item=[word(row["id"], f"{where}: id") for row in rows],
        repeat=epochs if len(set(epochs)) > 1 else None,
        scores=scores,
        columns=small_columns(metadata, taken=scores, prefix="metadata_"),
        content=[_content(row) for row in rows],
        sources=(_source(system, given, about),),
        left_out=tuple(left_out),
    )


def _source(system: str, given: Given, about: Mapping[str, Any]) -> Source:
    where = _where(given)
    dataset = optional_mapping(about.get("dataset"), f"{where}: dataset")
    return Source(
        system=system,
        format=INSPECT.name,
        path="" if given.path is None else str(given.what),
        task=text_of(about.get("task")),
        version=text_of(about.get("task_version")),
        created=text_of(about.get("created")),
        n_expected=whole_number(dataset.get("samples")),
        run=text_of(about.get("eval_id") or about.get("task_id")),
        settings=facts(task_args=about.get("task_args")),
        means=_means(about, where),
    )


def _means(about: Mapping[str, Any], where: str) -> dict[str, tuple[str, ...]]:
    """Return the scorers by the name that Inspect has for the mean of their scores."""
    found: dict[str, tuple[str, ...]] = {}
    for scorer, names in _names_of_metrics(about, where):
        for name in _MEANS.intersection(names):
            found[name] = (*found.get(name, ()), scorer)
    return found


def _names_of_metrics(about: Mapping[str, Any], where: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each scorer with the names of its metrics, without their packages."""
    for scorer in sequence(about.get("scorers") or [], f"{where}: scorers"):
        each = mapping(scorer, f"{where}: scorers")
        metrics = each.get("metrics")
        names = [
            str(metric.get("name", "")).rpartition("/")[2]
            for metric in (metrics if isinstance(metrics, list) else [])
            if isinstance(metric, dict) and "name" in metric
        ]
        yield text_of(each.get("name")), names


def _log_of(given: Given) -> tuple[Mapping[str, Any], list[Any]]:
    """Return what stands at the head of a log, and its samples or their summaries."""
    path = given.path
    if path is None:
        log = mapping(given.what.model_dump(mode="json"), _where(given))
        return log, list(sequence(log.get("samples") or [], _where(given)))
    if not given.head.startswith(_ARCHIVE):
        if given.suffix == ".eval":
            raise ResultsError(f"{path} is not a whole zip archive: its start is missing.")
        log = mapping(read_json(path), str(path))
        return log, list(sequence(log.get("samples") or [], f"{path}: samples"))
    with Archive(path) as archive:
        return _header(archive), list(_samples(archive))


def _where(given: Given) -> str:
    return "the log" if given.path is None else str(given.path)


def _header_of(path: Path) -> Mapping[str, Any]:
    if path.suffix.lower() != ".eval":
        return mapping(read_json(path), str(path))
    with Archive(path) as archive:
        return _header(archive)


def _header(archive: Archive) -> Mapping[str, Any]:
    # A run that has not come to its end has no header, but what it started with.
    for name in ("header.json", "_journal/start.json"):
        if name in archive.names:
            return mapping(_member(archive, name), f"{archive.path}: {name}")
    raise ResultsError(f"{archive.path} is a zip archive, but no log of Inspect.")


def _samples(archive: Archive) -> Iterator[Any]:
    names = archive.names
    if "summaries.json" in names:
        yield from _members(archive, "summaries.json")
        return
    journal = [found for name in names if (found := _JOURNAL.fullmatch(name))]
    ordered = [found[0] for found in sorted(journal, key=lambda each: int(each[1]))]
    samples = [] if journal else [name for name in names if _SAMPLE.fullmatch(name)]
    archive.refuse_many([*ordered, *samples])
    for name in ordered:
        yield from _members(archive, name)
    for name in samples:
        where = f"{archive.path}, member {name!r}"
        # A sample that was tried again stands in the archive twice; the last counts.
        text = archive.read_last(name)
        sample = mapping(parsed(text, where, n_values=VALUES_LIMIT), where)
        kept = ("id", "epoch", "input", "target", "metadata", "scores", "error")
        yield {field: sample[field] for field in kept if field in sample}


def _member(archive: Archive, name: str) -> Any:
    where = f"{archive.path}, member {name!r}"
    return parsed(archive.read(name), where, n_values=VALUES_LIMIT)


def _members(archive: Archive, name: str) -> Sequence[Any]:
    return sequence(_member(archive, name), f"{archive.path}, member {name!r}")


def _last_of_each(samples: Sequence[Any], where: str) -> Iterator[Mapping[str, Any]]:
    """A sample that was tried again has several summaries; the last counts."""
    last: dict[tuple[str, str], Mapping[str, Any]] = {}
    for sample in samples:
        row = mapping(sample, f"{where}: a sample")
        key = word(row.get("id"), f"{where}: id"), word(row.get("epoch", 1), f"{where}: epoch")
        last.pop(key, None)
        last[key] = row
    yield from last.values()


def _content(row: Mapping[str, Any]) -> str:
    return digest(_as_summarised(row.get("input")), _as_summarised(row.get("target")))


def _as_summarised(given: Any) -> Any:
    """What a summary keeps of an input or target, so that samples are equal to summaries."""
    if isinstance(given, str):
        return given.removesuffix(_CUT)[:_KEPT]
    if isinstance(given, list):
        return [_as_summarised(part) for part in given]
    if isinstance(given, dict) and "role" in given:
        return [text_of(given["role"]), _as_summarised(given.get("content"))]
    if isinstance(given, dict):
        kind = text_of(given.get("type"))
        return _as_summarised(given.get("text")) if kind == "text" else f"({kind.capitalize()})"
    return given


def _looks_like(given: Given) -> bool:
    path = given.path
    if path is None:
        # What inspect_ai.eval and read_eval_log return, without a need of the package.
        return type(given.what).__name__ == "EvalLog" and hasattr(given.what, "model_dump")
    return bool(_logs_in(path)) if path.is_dir() else _is_log(path)


def _logs_in(folder: Path) -> list[Path]:
    return sorted(
        path for end in (".eval", ".json") for path in folder.glob(f"*{end}") if _is_log(path)
    )


def _is_log(path: Path) -> bool:
    if path.suffix.lower() == ".eval":
        return True
    given = Given(path)
    return (
        given.head.lstrip()[:1] == b"{"
        and not given.is_report
        and all(
            word in given.head for word in (b'"version"', b'"status"', b'"eval"', b'"task_id"')
        )
    )


INSPECT = Format(
    name="inspect",
    of="logs of Inspect (.eval or .json, or a folder of them)",
    recognises=_looks_like,
    read=read_inspect,
    reads={
        "system": "The model. A folder has logs of several, and of several tasks; of a run "
        "that was tried again, the log that succeeded.",
        "item": "The sample's id, paired by its input and target too. In a folder of several "
        "tasks, task and id.",
        "repeat": "The epoch.",
        "scores": "One per scorer, and one per value where a scorer gives several "
        "(``style.words``). Grades and words become numbers as in Inspect: ``C`` is 1, ``P`` "
        "0.5, ``I`` and ``N`` 0, yes and true 1, no and false 0. A sample that failed or has "
        "no score is missing. What is not a number is left out, where Inspect counts it as 0.",
        "columns": "Metadata of the samples: numbers and short texts. In a folder of several "
        "tasks, the task.",
        "refused": "Runs that did not succeed or are invalidated (``allow='unfinished'``), "
        "other arguments of the task (``allow='settings'``).",
        "objects": "What ``inspect_ai.eval`` and ``read_eval_log`` return is read too.",
        "needs": "The package zstandard for logs that are packed with it, as Inspect does "
        "today, before Python 3.14: ``pip install skstat[logs]``.",
    },
)
