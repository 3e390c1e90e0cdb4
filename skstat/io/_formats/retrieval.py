"""Scores of retrieval by query: trec_eval and ir_measures."""

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from skstat._names import listed
from skstat.io._formats import records
from skstat.io._formats.records import Format, Given
from skstat.io._results import Results
from skstat.io._table import read_number

_SUMMARY = "all"
_RUN = "runid"
# Counts of documents and of queries, and geometric means, of which a query has no value.
_NO_SCORE = re.compile(
    r"(num|gm|relstring|rbp_resid|unj|prefs_num)_?|runid$|Num(Q|Ret|Rel|RelRet)\b"
)
# Names that trec_eval has, with their cut-offs; it fills each up to 22 letters.
_TREC = (
    r"(?:runid|num_\w+|(gm_)?(map|bpref)|map_(cut_\d+|avgjg)|Rprec\S*|recip_rank|P_\S+|"
    r"recall_\d+|relative_P_\d+|success_\d+|set_\S+|R?ndcg\S*|infAP|11pt_avg|(bin)?G\S*|"
    r"iprec_at_recall_[\d.]+|utility\S*|yaap|relstring\w*|rbp\S*|unj\S*|prefs_\w+|qrels_jg)"
)
# Values are printed with four decimals.
_LAST_PLACE = 0.5e-4
_MEASURE = re.compile(r"[A-Za-z]\w*(\([^\t]*\))?(@\d+)?$")
# Names that ir_measures has. A middle column of other names may be one of systems.
_IR = (
    r"(α_|\\u03b1_|alpha_)?(AP|MAP|Accuracy|BPM|BPref|Bpref|CEA|Compat|DCG|ERR|INSQ|INST|IPrec|Judged|"
    r"MRR|NDCG|nDCG|NERR\d*|nERR|NRBP|nNRBP|NumQ|NumRel|NumRelRet|NumRet|P|R|RBP|RPrec|Rprec|RR|"
    r"SDCG|STREC|StRecall|Set(AP|F|P|R|RelP)|Success|infAP)(_IA)?(\([^\t\n]*\))?(@\d+)?"
)


_IR_LINE = (
    rf"(?!\{{)[^\t\n]*\t{_IR}\t[^\S\n]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|"
    rf'\{{(?=.*"query_id")(?=.*"value")[^{{\n]*"measure":\s*"{_IR}"[^{{}}\n]*\}}'
)


# What a line says: a measure, a query, and the value, still as text.
_Score = tuple[str, str, Any]


def read_trec_eval(given: Given) -> list[Results]:
    """Read what ``trec_eval -q`` printed.

    :system: The ``runid`` where it is printed, else the name of the file.
    :item: The query, or topic. Where ``trec_eval -c`` has no line for queries that a run
        returned nothing for, its means tell how many, and they score 0.
    :scores: The measures, of which more is better. Counts and means are left out.
    """
    return _read(given, _trec_line)


def read_ir_measures(given: Given) -> list[Results]:
    """Read what ``ir_measures --by_query`` printed.

    :system: The name of the file.
    :item: The query.
    :scores: The measures, of which more is better. Counts and means are left out.
    """
    return _read(given, _ir_line)


def _read(given: Given, line: Callable[[str], _Score | None]) -> list[Results]:
    path = given.path
    assert path is not None
    runs, means = [], {}
    by_query = defaultdict[str, dict[str, Any]](dict)
    for text, number in records.lines_of(records.content_of(path), path):
        score = line(text.rstrip("\r\n"))
        if score is None:
            shown = text.strip()[:60]
            raise ValueError(f"line {number} is {shown!r}, and not a measure, query and value.")
        measure, query, value = score
        if measure == _RUN:
            runs.append(str(value))
        elif query == _SUMMARY:
            means[measure] = _finite(value)
        elif not _NO_SCORE.match(measure):
            where = f"{measure} of query {query!r}"
            if measure in by_query[query]:
                raise ValueError(f"{where} stands there twice: read one run at a time.")
            if _finite(value) is None:
                raise ValueError(f"{where} is {value!r}, and no number.")
            by_query[query][measure] = float(value)
    if not by_query:
        raise ValueError("it has means only: call trec_eval -q, or ir_measures --by_query.")
    if len(runs) > 1:
        raise ValueError(f"it holds {len(runs)} runs ({listed(runs)}): give each its own file.")
    n = len(by_query)
    whole = _n_queries(by_query, means) if line is _trec_line else n
    log = records.Log(
        system=runs[0] if runs else path.stem,
        rows=[records.Row(item=query, scores=scores) for query, scores in by_query.items()],
        n_expected=whole if whole > n else None,
        score_left_out=0.0 if whole > n else None,
    )
    directions = dict.fromkeys((name for scores in by_query.values() for name in scores), True)
    return [records.results_of([log], given, higher_is_better=directions)]


def _n_queries(
    queries: Mapping[str, Mapping[str, float]], means: Mapping[str, float | None]
) -> int:
    """Return how many queries the means are of: up to 9.0.8 ``-c`` has no line for some.

    Those that a run returned nothing for have the score 0, so that a mean times the number of
    queries is the sum of the lines.
    """
    n_lines, stated = len(queries), means.get("num_q")
    measures = {name for scores in queries.values() for name in scores}
    by_measure = {n: mean for n, mean in means.items() if n in measures and mean is not None}
    sums = {name: sum(own.get(name, 0.0) for own in queries.values()) for name in by_measure}

    def fits(n: int) -> bool:
        rounding = 1e-9 + _LAST_PLACE * (n + n_lines)
        return all(abs(mean * n - sums[name]) <= rounding for name, mean in by_measure.items())

    n = n_lines if stated is None else int(stated)
    if stated is None and not fits(n):
        name = max(by_measure, key=lambda name: by_measure[name])
        n = round(sums[name] / by_measure[name]) if by_measure[name] > 0 else n
    if n < n_lines or ((stated is None or n > n_lines) and not fits(n)):
        raise ValueError(
            f"there are lines of {n_lines} queries, and means of {stated or 'other'} ones that "
            "are not their sum by that number: call trec_eval with -q -c once more."
        )
    return n


def _trec_line(line: str) -> _Score | None:
    parts = line.split(maxsplit=2)
    if len(parts) < 3 or not re.fullmatch(_TREC, parts[0]):
        return None
    return parts[0], parts[1], parts[2].strip()


def _ir_line(line: str) -> _Score | None:
    if line.startswith("{"):
        try:
            state = json.loads(line)
        except ValueError:
            return None
        if not isinstance(state, Mapping) or not {"query_id", "measure", "value"} <= set(state):
            return None
        return str(state["measure"]), str(state["query_id"]), state["value"]
    parts = line.split("\t")
    if len(parts) != 3 or not _MEASURE.match(parts[1]) or _finite(parts[2]) is None:
        return None
    return parts[1], parts[0], parts[2]


def _finite(value: Any) -> float | None:
    """Return a finite number; None of anything else."""
    number = read_number(str(value))
    return number if number is not None and math.isfinite(number) else None


def _looks(line: str) -> re.Pattern[str]:
    """Return how a file looks of which every line at the start is one of these, or empty."""
    blank = r"[^\S\n]*\n"
    return re.compile(rf".*\n(?:{blank})*(?:{line}){blank}(?:(?:{line})?{blank})*.*\Z")


_OF_IR = "output of ir_measures --by_query (TSV, JSON lines)"
_TREC_LINE = rf"[^\S\n]*{_TREC}[^\S\n]+\S+[^\S\n]+\S.*"
TREC_EVAL = Format("trec_eval", "output of trec_eval -q", read_trec_eval, _looks(_TREC_LINE))
IR_MEASURES = Format("ir_measures", _OF_IR, read_ir_measures, _looks(_IR_LINE))
