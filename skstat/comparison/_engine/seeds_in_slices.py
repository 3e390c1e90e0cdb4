"""Several seeds of each system, in slices of the rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine.seeds import ask_seeds, runs_of
from skstat.comparison._engine.slices import AskedSlice, ask_slices, on_all_rows
from skstat.comparison._engine.test_set import Resampling
from skstat.comparison._question import Question
from skstat.evaluation._slices import Slices
from skstat.metrics import ScoreMetric
from skstat.report._doubts import Facts
from skstat.report._evidence import SlicesEvidence
from skstat.stats import Predictions

_WITH_SLICES = ("crossed", "average")


def check_seeds_in_slices(seeds: str) -> None:
    """Refuse treatments of seeds that have no law for slices."""
    if seeds not in _WITH_SLICES:
        raise ValueError(
            f"by= and seeds={seeds!r} cannot be combined: use seeds='crossed', of which seeds "
            "and rows are random in every slice, or seeds='average'."
        )


@dataclass(frozen=True, eq=False)
class _Part:
    """Some rows of a test set, with the predictions of every seed."""

    y_true: Any
    runs: Mapping[str, list[Any]]
    rows: Mapping[str, Any]


def ask_seeds_in_slices(
    y_true: Any,
    predictions: Mapping[str, Any],
    metric: ScoreMetric,
    seeds: str,
    slices: Slices,
    question: Question,
    resampling: Resampling,
    *,
    rows: Mapping[str, Any],
    paired_seeds: bool,
    facts: Facts,
    finish: Callable[[Any], Any],
) -> SlicesEvidence:
    """Compare systems by all their seeds, on all rows and in every slice.

    Slices share the seeds, and with them what these do to the systems: their errors correlate,
    which is left out of the adjustment (it is careful whatever the correlation is).

    Parameters
    ----------
    slices : Slices
        The rows of every slice.
    finish : callable
        Adds to a report what is known of the metric.
    y_true, predictions, metric, seeds, question, resampling, rows, paired_seeds, control, \
facts
        As in :func:`ask_seeds`.
    """
    ask = partial(
        ask_seeds, metric=metric, seeds=seeds, resampling=resampling,
        paired_seeds=paired_seeds, test="auto", facts=facts,
    )  # fmt: skip
    of_part = replace(question, control=None, adjustment="auto")
    runs = {name: runs_of(name, values) for name, values in predictions.items()}
    # All in one order of the rows, which labels may give.
    flat = {(name, k): own for name, each in runs.items() for k, own in enumerate(each)}
    numbered = {str(place): own for place, own in enumerate(flat.values())}
    whole = Predictions(y_true, numbered, metric, **rows)

    def part_of(places: NDArray[np.int64], _: bool) -> _Part:
        found: dict[str, list[Any]] = {name: [] for name in runs}
        for (name, _number), own in zip(flat, whole.outputs.values(), strict=True):
            found[name].append(own[places])
        beside = {
            argument: None if values is None else values[places]
            for argument in rows
            for values in [getattr(whole, argument, None)]
        }
        return _Part(whole.y_true[places], found, beside)

    def ask_part(part: _Part, names: tuple[str, str]) -> AskedSlice:
        two = {name: part.runs[name] for name in names}
        found = ask(part.y_true, two, question=of_part, rows=part.rows, of_family=True)
        return AskedSlice(report=finish(found))

    overall = ask(y_true, predictions, question=on_all_rows(question), rows=rows)
    return ask_slices(
        finish(overall), slices, part_of, ask_part, question,
        unit_of_row=whole.groups,
    )  # fmt: skip
