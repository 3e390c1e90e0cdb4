"""Scores of Inspect's samples as numbers, as Inspect's `value_to_float` makes them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skstat.io._formats.records import number, optional_mapping, read_number
from skstat.io._join import ResultsError

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
