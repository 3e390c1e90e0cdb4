"""Results of SWE-bench: reports of its harness, and files of its leaderboard."""

import re
from collections.abc import Sequence
from pathlib import Path

from skstat.io._formats import records
from skstat.io._formats.records import Entry, Format, Given
from skstat.io._results import Results

# A report has all instances that were evaluated; the leaderboard has those that were solved,
# and those that were not tried.
_FAILED = ("unresolved_ids", "error_ids", "empty_patch_ids")
_NOT_SOLVED = ("no_generation", "no_logs", "no_apply", "test_errored", "test_timeout")
# A report, results and details of the leaderboard.
_LOOKS = re.compile(
    r'.+\.(?i:json)\n(?s:.*"(?:total_instances|resolved_ids)"|\s*\{(?:.*"no_generation"|'
    r'\s*(?:"resolved":|"[\w.-]+__[\w.-]+":\s*\{[^{}]*"resolved")))'
)
# Where a system of the leaderboard has its outcomes.
_OUTCOMES = ("results/results.json", "per_instance_details.json")
_METRIC = "resolved"
# What less of is better.
_COSTS = ("cost", "api_calls")


def read_swe_bench(given: Given) -> list[Results]:
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
    reports = {path: Entry.of(records.read_json(path), path.name) for path in files}
    # Which instances there are, only all systems together tell, or the caller.
    instances = given.columns.get("item")
    every = instances if not isinstance(instances, str) else None
    if every is None and given.path.is_dir():
        every = [name for each in reports.values() for name in _named(each)]
    results = []
    for path, each in reports.items():
        with records.reading(path):
            log = _log(path, each, given, every and [*dict.fromkeys(map(str, every))])
        ways = {_METRIC: True, **dict.fromkeys(_COSTS, False)}
        results.append(records.results_of([log], given, higher_is_better=ways))
    return results


def _log(path: Path, report: Entry, given: Given, every: Sequence[str] | None) -> records.Log:
    costs: dict[str, Entry] = {}
    if "resolved_ids" in report:  # a report of the harness: MODEL.RUN.json
        solved = _ids(report, "resolved_ids")
        failed = [name for kind in _FAILED for name in _ids(report, kind)]
        lost = [n for n in _ids(report, "submitted_ids") if n not in {*solved, *failed}]
        if lost:
            named = f"{len(lost)} of the instances that were submitted, such as {lost[0]!r}"
            given.refuse_unfinished(f"there is no outcome for {named}")
    elif isinstance(report.get(_METRIC), list):  # of the leaderboard
        if every is None:
            raise ValueError(
                "it names the instances that were solved, and not all. Name these, as in "
                "columns={'item': ids}, or read the folder of all systems."
            )
        solved = _ids(report, _METRIC)
        if other := [name for name in _named(report) if name not in every]:
            raise ValueError(f"{other[0]!r} is not among the instances.")
        failed = [name for name in every if name not in solved]
    else:  # an entry per instance, with what it cost
        costs = {name: report.part(name) for name in report}
        if not all(isinstance(row.get(_METRIC), bool) for row in costs.values()):
            raise ValueError("it does not say of each instance whether it was resolved.")
        solved = [name for name, row in costs.items() if row[_METRIC]]
        failed = [name for name in costs if name not in solved]
    if both := [name for name in solved if name in failed]:
        raise ValueError(f"it says of {both[0]!r} that it was solved, and that it was not.")
    rows = []
    for name in dict.fromkeys([*solved, *failed]):
        cost_of = costs.get(name, Entry())
        scores = {_METRIC: name in solved, **{cost: cost_of.get(cost) for cost in _COSTS}}
        # django__django-11099 is an issue of the repository django/django.
        facts = {"repository": name.rpartition("-")[0].replace("__", "/")}
        rows.append(records.Row(item=name, scores=scores, facts=facts))
    size = report.count("total_instances")
    return records.Log(system=_system(path), rows=rows, task="SWE-bench", n_expected=size)


def _files(folder: Path) -> list[Path]:
    """The outcomes of each system of a folder."""
    files = []
    for system in sorted(each for each in folder.iterdir() if each.is_dir()):
        outcomes = (system / name for name in _OUTCOMES)
        files += [path for path in outcomes if path.is_file()][:1]
    return files


def _named(report: Entry) -> list[str]:
    """The instances that a file of the leaderboard names."""
    if not isinstance(report.get(_METRIC), list):
        return list(report)
    return [name for kind in (_METRIC, *_NOT_SOLVED) for name in _ids(report, kind)]


def _ids(report: Entry, kind: str) -> list[str]:
    return [records.word(name, kind) for name in report.listed(kind)]


def _system(path: Path) -> str:
    """Name of a system by its file: MODEL.RUN.json, or SYSTEM/results/results.json."""
    if path.parent.name == "results":
        return path.parent.parent.name
    return path.parent.name if path.stem in ("results", "per_instance_details") else path.stem


_OF = "results of SWE-bench (reports of the harness, results.json, or a folder of systems)"
SWE_BENCH = Format("swe_bench", _OF, read_swe_bench, _LOOKS, _files)
