"""Where lm-evaluation-harness puts what it logs: which samples belong to which results."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skstat.io._formats.format import Given
from skstat.io._formats.records import (
    FILE_LIMIT,
    digest,
    is_small,
    mapping,
    parsed,
    read_json,
    sequence,
)
from skstat.io._join import ResultsError

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
