"""Scores of two systems in slices of the items that they were scored on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat._names import listed
from skstat.comparison._ask_scores import Request, ask_two
from skstat.comparison._engine import AskedSlice, ask_slices
from skstat.comparison._question import Question
from skstat.comparison._score_readers import Given, GivenSamples, Sample
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._slices import Slices, cut, slices_of
from skstat.io import Results
from skstat.report import ComparisonReport, MetricsReport, SlicesReport
from skstat.report._metrics_report import one_or_per_metric
from skstat.stats import ClusteredScores, ClusteredScoreTable, PairedScores, ScoreTable
from skstat.stats._common import labels_of
from skstat.stats._post_hoc import pairs_of


def columns_named(scores: Any, by: Any) -> tuple[str, ...] | None:
    """Return the columns of the scores that `by` names; None of one value per row."""
    names = [by] if isinstance(by, str) else by
    if not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        return None
    has: Any = getattr(scores, "columns", scores if isinstance(scores, Mapping) else ())
    known = set(map(str, has)) | ({*scores.scores} if isinstance(scores, Results) else set())
    if isinstance(by, str) or set(names) <= known:
        return tuple(names)
    return None


def ask_slices_of_scores(
    given: Given, scores: Any, by: Any, question: Question, request: Request
) -> SlicesReport | MetricsReport:
    """Ask what was read of all items and in every slice, metric by metric.

    Parameters
    ----------
    given : Given
        What was read.
    scores : object
        What the caller handed in, by whose labels columns are matched.
    by : object
        What says which slice an item is in.
    question : Question
        Direction, level and margin.
    request : Request
        Which test; its adjustment is that of slices.
    """
    if not isinstance(given, GivenSamples):
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question.check_metrics(given.samples)
    seed = draw_seed(request.random_state)
    return one_or_per_metric(
        {
            metric: _ask_metric(given, metric, scores, by, question, request, seed)
            for metric in given.samples
        }
    )


def _ask_metric(
    given: GivenSamples,
    metric: str,
    scores: Any,
    by: Any,
    question: Question,
    request: Request,
    seed: int,
) -> SlicesReport:
    pair, names = _pair(given.samples[metric], given, request)

    def ask(part: Any, *, of_family: bool = False) -> ComparisonReport:
        return ask_two(part, names, given, metric, question, request, seed, of_family)

    return ask_slices(
        ask(pair),
        _slices(given, metric, scores, by, len(pair.a)),
        lambda rows, _: _ask_part(pair, rows, ask),
        question,
        unit_of_row=pair.groups if isinstance(pair, ClusteredScores) else None,
        adjustment=request.adjustment,
        seed=seed,
    )


def _pair(
    sample: Sample, given: GivenSamples, request: Request
) -> tuple[PairedScores | ClusteredScores, tuple[str, str]]:
    """Return the two systems, scored on instances or groups of them."""
    unit = sample.unit
    if unit not in ("instance", "group"):
        raise ValueError(
            f"by= cuts instances into slices, and the unit of these scores is {unit!r}."
        )
    if request.constant is not None or len(given.names) != 2:
        raise ValueError(
            f"by= compares two systems slice by slice, and there are {len(given.names)} "
            f"({listed(given.names)}): name two by systems=."
        )
    pair: Any
    if isinstance(sample, ScoreTable | ClusteredScoreTable):
        a, b = pairs_of(sample.names, request.control)[0]
        names, pair = (a, b), sample.pair(a, b)
    else:
        names, pair = (given.names[0], given.names[1]), sample
    if getattr(pair, "ordered", False):
        raise ValueError(
            "by= compares instances as independent, and these are ordered. Compare the "
            "instances of one slice by themselves."
        )
    assert isinstance(pair, PairedScores | ClusteredScores)
    return pair, names


def _slices(given: GivenSamples, metric: str, scores: Any, by: Any, n_rows: int) -> Slices:
    if columns := given.slices.get(metric):
        return cut(columns, frozenset())
    beside = {"scores": scores}
    if isinstance(scores, Mapping):
        own = {str(name): values for name, values in scores.items()}
        beside = {f"scores[{name!r}]": own[name] for name in given.names}
    labelled = {name: own for name, own in beside.items() if labels_of(own) is not None}
    return slices_of(by(scores) if callable(by) else by, n_rows, labelled)


def _ask_part(pair: PairedScores | ClusteredScores, rows: Any, ask: Any) -> AskedSlice:
    """Compare the two on some instances; their groups, if they have any, are the units."""
    a, b = pair.a[rows], pair.b[rows]
    d = a - b
    if isinstance(pair, ClusteredScores):
        part: Any = ClusteredScores(a, b, groups=pair.groups[rows])
        sizes = np.bincount(part.groups)
        # The mean without a group changes by that much; of equal groups by its deviation.
        changes = np.bincount(part.groups, d - d.mean()) / np.maximum(len(rows) - sizes, 1)
        values = (part.n_units - 1) * (changes - changes.mean())
    else:
        part = PairedScores(a, b, unit="instance")
        values = d - d.mean()
    return AskedSlice(
        report=ask(part, of_family=True), values=values, times=np.ones(len(values))
    )
