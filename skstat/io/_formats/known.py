"""Which formats there are, and which one something is of."""

from pathlib import Path

from skstat._spelling import what_to_use
from skstat.io._formats.helm import HELM
from skstat.io._formats.inspect import INSPECT
from skstat.io._formats.lm_eval import LM_EVAL
from skstat.io._formats.promptfoo import PROMPTFOO
from skstat.io._formats.records import REPORT, Format, Given
from skstat.io._formats.retrieval import IR_MEASURES, TREC_EVAL
from skstat.io._formats.skore_reports import SKORE
from skstat.io._formats.swe_bench import SWE_BENCH
from skstat.io._formats.table import TABLE
from skstat.io._results import ResultsError

# Files in a folder that are looked at, and that an error names.
_LOOKED_AT, _SHOWN = 1000, 4
# The first that recognises what was given reads it; those that recognise little stand last.
FORMATS = (INSPECT, LM_EVAL, HELM, PROMPTFOO, SWE_BENCH, SKORE, TREC_EVAL, IR_MEASURES, TABLE)


def format_of(given: Given) -> Format:
    """Return the format that was named, or the first that recognises what was given."""
    if given.format:
        by_name = {each.name: each for each in FORMATS}
        if given.format not in by_name:
            use = what_to_use(given.format, by_name)
            raise ResultsError(f"format={given.format!r} is unknown; {use}.")
        return by_name[given.format]
    if given.path is not None and not given.path.exists():
        raise ResultsError(f"{given.path} does not exist.")
    if given.path is not None and given.path.is_file() and not given.head.strip():
        raise ResultsError(f"{given.path} is empty: it holds no results.")
    if (match := recognised(given)) is not None:
        return match
    if REPORT.match(given.head):
        raise ResultsError(
            f"{given.path} is a report that skstat wrote, and holds no results to compare: "
            "skstat.report_from_dict(json.loads(text)) reads it."
        )
    formats = "; ".join(each.of for each in FORMATS)
    raise ResultsError(
        f"{given.where} is in no format that skstat knows{_inside(given)}. It reads {formats}. "
        "Where it is one of them, name it with format=; of anything else make a table."
    )


def _inside(given: Given) -> str:
    """Say which files or folders in a folder can be read, and how."""
    if given.path is None or not given.path.is_dir():
        return ""
    inside = sorted(given.path.iterdir())[:_LOOKED_AT]
    readable = [str(path) for path in inside if recognised(Given(path)) is not None]
    shown = ", ".join(map(repr, readable[:_SHOWN])) + ", ..." * (len(readable) > _SHOWN)
    return f", but holds what it does: read_results([{shown}])" if readable else ""


def recognised(given: Given) -> Format | None:
    """Return the first format that recognises what was given; None if there is none."""
    return next((each for each in FORMATS if each.knows(given)), None)


def holds_results(path: Path) -> bool:
    """Whether a file looks like results, which an output would overwrite."""
    return path.is_file() and recognised(Given(path)) is not None
