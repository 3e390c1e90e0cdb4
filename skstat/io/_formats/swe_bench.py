"""Results of SWE-bench: reports of its harness, and files of its leaderboard."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from skstat.io._formats import records
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._join import ResultsError
from skstat.io._results import Results

# A report has all instances that were evaluated; the leaderboard has those that were solved,
# and those that were not tried.
_FAILED = ("unresolved_ids", "error_ids", "empty_patch_ids")
_NOT_SOLVED = ("no_generation", "no_logs", "no_apply", "test_errored", "test_timeout")
_DETAILS = re.compile(rb'\s*\{\s*"[\w.-]+__[\w.-]+":\s*\{[^{}]*"resolved"')
# Where a system of the leaderboard has its outcomes.
_OUTCOMES = ("results/results.json", "per_instance_details.json")
_METRIC = "resolved"
# What less of is better.
_COSTS = ("cost", "api_calls")


def read_swe_bench(given: Given, asked: Asked) -> list[Results]:
    """Read one report, or those of a folder of the leaderboard.

    :system: The name of the report, or of the folder on the leaderboard.
    :item: The instance.
    :scores: ``resolved``; errors and empty patches are not resolved. Instances that were not
        submitted are missing. ``cost`` and ``api_calls`` of ``per_instance_details.json``, of
        which less is better.
    :columns: The repository.
    :refused: Instances that were submitted and have no outcome (``allow='unfinished'``). One
        ``results.json`` of the leaderboard by itself, because it leaves out what was tried and
        not solved: read the folder of all systems, or name the instances by ``columns={'item':
        ids}``.
    """
    assert given.path is not None
    files = _files(given.path) if given.path.is_dir() else [given.path]
    told = {path: records.mapping(records.read_json(path), path.name) for path in files}
    # Which instances there are, only all systems together tell, or the caller.
    every = dict.fromkeys(name for each in told.values() for name in _named(each))
    wanted = asked.columns.get("item")
    named = isinstance(wanted, Iterable) and not isinstance(wanted, str)
    every = dict.fromkeys(map(str, wanted)) if named and wanted else every
    whole = bool(named or given.path.is_dir())
    return [_one(path, each, asked, every if whole else None) for path, each in told.items()]


def _one(
    path: Path, told: Mapping[str, Any], asked: Asked, every: Mapping[str, None] | None
) -> Results:
    total, costs = None, {}
    if "resolved_ids" in told:  # a report of the harness: MODEL.RUN.json
        solved = dict.fromkeys(_ids(told, "resolved_ids"))
        failed = dict.fromkeys(name for kind in _FAILED for name in _ids(told, kind))
        submitted = _ids(told, "submitted_ids")
        lost = [name for name in submitted if name not in solved and name not in failed]
        total = records.whole_number(told.get("total_instances"))
        if lost and "unfinished" not in asked.allow:
            raise ResultsError(
                f"{path} has no outcome for {len(lost)} of the instances that were submitted, "
                f"such as {lost[0]!r}. To read what there is, pass allow='unfinished'."
            )
    elif isinstance(told.get("resolved"), list):  # of the leaderboard
        if every is None:
            raise ResultsError(
                f"{path} names the instances that were solved, and not all that were tried. "
                "Name all of them, as in columns={'item': ids}, or read the folder of all "
                "systems."
            )
        solved = dict.fromkeys(_ids(told, "resolved"))
        other = next((name for name in _named(told) if name not in every), None)
        if other is not None:
            raise ResultsError(f"{path} has {other!r}, which is not among the instances.")
        failed = dict.fromkeys(name for name in every if name not in solved)
    else:  # an entry per instance, with what it cost
        costs = {name: records.mapping(row, name) for name, row in told.items()}
        if not all(isinstance(row.get(_METRIC), bool) for row in costs.values()):
            raise ResultsError(f"{path} does not say of each instance whether it was resolved.")
        solved = dict.fromkeys(name for name, row in costs.items() if row[_METRIC])
        failed = dict.fromkeys(name for name in costs if name not in solved)
    both = next((name for name in solved if name in failed), None)
    if both is not None:
        raise ResultsError(f"{path} says of {both!r} that it was solved, and that it was not.")
    system = _system(path)
    rows = [
        records.Row(
            system=system,
            item=name,
            scores={
                _METRIC: name in solved,
                **{cost: costs.get(name, {}).get(cost) for cost in _COSTS},
            },
            # django__django-11099 is an issue of the repository django/django.
            facts={"repository": name.rpartition("-")[0].replace("__", "/")},
        )
        for name in [*solved, *failed]
    ]
    return records.results_of(
        rows,
        [asked.source(system, task="SWE-bench", n_expected=total)],
        str(path),
        higher_is_better={_METRIC: True, **dict.fromkeys(_COSTS, False)},
    )


def _files(folder: Path) -> list[Path]:
    """The outcomes of each system of a folder."""
    found = []
    for system in sorted(each for each in folder.iterdir() if each.is_dir()):
        there = (system / name for name in _OUTCOMES)
        found += [path for path in there if path.is_file()][:1]
    return found


def _named(told: Mapping[str, Any]) -> list[str]:
    """The instances that a file of the leaderboard names."""
    if not isinstance(told.get(_METRIC), list):
        return list(told)
    return [name for kind in (_METRIC, *_NOT_SOLVED) for name in _ids(told, kind)]


def _ids(told: Mapping[str, Any], kind: str) -> list[str]:
    return [records.word(name, kind) for name in records.sequence(told.get(kind), kind)]


def _system(path: Path) -> str:
    """Name of a system by its file: MODEL.RUN.json, or SYSTEM/results/results.json."""
    if path.parent.name == "results":
        return path.parent.parent.name
    return path.parent.name if path.stem in ("results", "per_instance_details") else path.stem


def _looks_like(given: Given) -> bool:
    head = given.head if given.suffix == ".json" else b""
    of_report = b'"total_instances"' in head or b'"resolved_ids"' in head
    of_leaderboard = head.lstrip()[:1] == b"{" and (
        b'"no_generation"' in head or head.lstrip()[1:].lstrip().startswith(b'"resolved":')
    )
    return of_report or of_leaderboard or bool(_DETAILS.match(head))


SWE_BENCH = Format(
    name="swe_bench",
    of="results of SWE-bench (reports of the harness, results.json, or a folder of systems)",
    recognises=_looks_like,
    inside=_files,
    read=read_swe_bench,
)
