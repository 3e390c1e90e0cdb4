"""Scores by query, as `trec_eval -q` prints them: metric, query, value."""

import re

from skstat.io._formats.records import Format, Given, Log, Row, results_of
from skstat.io._results import Results, ResultsError

# The name of the file, and below it the first line.
_LOOKS = re.compile(r".*\n[\w.@]+[ \t]*\t\S+[ \t]*\t\S+\r?\n")
# Rows over all queries, which come last, and counts of documents.
_ALL, _COUNTS = "all", ("num_", "runid", "relstring")


def read_trec_eval(given: Given) -> list[Results]:
    """Read a run; queries are the items.

    :system: The ``runid``; else the name of the file.
    :item: The query.
    :scores: The metrics, of which more is better; not the counts of documents.
    """
    assert given.path is not None
    scores: dict[str, dict[str, float]] = {}
    name = given.path.stem
    for number, line in enumerate(given.path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            metric, query, value = line.split()
            if metric == "runid":
                name = value
            elif query != _ALL and not metric.startswith(_COUNTS):
                scores.setdefault(query, {})[metric] = float(value)
        except ValueError as error:
            raise ResultsError(f"{given.path}, line {number}: {error}.") from error
    if not scores:
        raise ResultsError(f"{given.path} has no scores by query: run trec_eval with -q.")
    rows = [Row(item=query, scores=own) for query, own in scores.items()]
    return [results_of([Log(system=name, rows=rows)], given)]


TREC_EVAL = Format(
    name="trec_eval",
    of="scores by query of trec_eval -q",
    looks=_LOOKS,
    read=read_trec_eval,
)
