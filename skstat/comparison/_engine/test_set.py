"""What rows and predictions of a test set are handed in, and as what procedures take them."""

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._columns import is_index
from skstat.comparison._engine.facts import any_row_scores
from skstat.comparison._engine.parallel_blocks import Blocks
from skstat.comparison._procedures import Procedure, procedure_name, sample_taken, sample_types
from skstat.comparison._question import Question
from skstat.evaluation._data import draw_seed
from skstat.metrics import row_scores
from skstat.metrics._sums import right_rows
from skstat.stats._bootstrap import Bootstrap, check_resampling
from skstat.stats._kernels import CallableKernel
from skstat.stats._predictions import rows_where
from skstat.stats._procedure import declared
from skstat.stats._resampling import DEFAULT_RESAMPLES
from skstat.stats._scores import check_count

# Seconds that resampling a metric of the user's own may take unasked, and how often it is
# resampled where the usual number would take longer.
_LONGEST = 60.0
_FEWER_RESAMPLES = (1999, 999)
BESIDE = ("groups", "sample_weight", "strata")

Interval = Literal["percentile", "basic", "bca"]


def part_of(
    predictions: stats.Predictions, rows: Any, *, one_by_one: bool = True
) -> stats.Predictions:
    """Return predictions for some of the rows, drawn one by one or in cells of equal ones."""
    beside = {
        name: None if values is None else values[rows]
        for name in BESIDE
        for values in [getattr(predictions, name)]
    }
    return stats.Predictions(
        predictions.y_true[rows],
        {name: output[rows] for name, output in predictions.outputs.items()},
        predictions.metric,
        **beside,
        draw="rows" if one_by_one else predictions.draw,
    )


def draws_of(
    n_resamples: int | None,
    random_state: Any,
    interval: str | None = None,
    n_jobs: int | None = None,
    horizon: int | None = None,
) -> dict[str, Any]:
    """Draw the seed, and say how a question asks for resamples of a test set."""
    usual = DEFAULT_RESAMPLES
    check_resampling(usual if n_resamples is None else n_resamples, interval or "percentile")
    if horizon is not None:
        check_count("horizon", horizon)
    return {
        "n_resamples": n_resamples,
        "usual_draws": usual,
        "seed": draw_seed(random_state),
        "interval": interval,
        "workers": Blocks(n_jobs),
        "horizon": horizon,
    }


def affordable(question: Question, predictions: stats.Predictions) -> Question:
    """Draw less often where a metric of the user's own would take minutes, and say so.

    One of few numbers is taken, so that mostly the same number is drawn everywhere.
    """
    kernel = predictions.kernel
    known = question.n_resamples is not None or question.draws_note
    if known or not isinstance(kernel, CallableKernel):
        return question
    once = np.ones((1, kernel.plan.n), dtype=np.int64)
    seconds = math.inf
    for _ in range(2):  # the first call may import what it needs
        begun = time.perf_counter()
        with np.errstate(all="ignore"):
            kernel.weighted(once)
        seconds = min(seconds, time.perf_counter() - begun)
    each = 2 * seconds  # p-value and interval
    if each * DEFAULT_RESAMPLES <= _LONGEST:
        return question
    fewer = [n for n in _FEWER_RESAMPLES if each * n <= _LONGEST]
    n = max(fewer, default=min(_FEWER_RESAMPLES))
    minutes = math.ceil(each * DEFAULT_RESAMPLES / 60)
    note = (
        f"{n} resamples, because the metric is slow: n_resamples={DEFAULT_RESAMPLES} takes "
        f"about {minutes} minute{'s' * (minutes > 1)}"
    )
    return replace(question, usual_draws=n, draws_note=note)


def named_predictions(predictions: Any) -> dict[str, Any]:
    """Return predictions by label."""
    if isinstance(predictions, Mapping):
        named = {str(name): values for name, values in predictions.items()}
    elif hasattr(predictions, "columns"):
        named = {str(name): predictions[name] for name in predictions.columns}
    else:
        raise TypeError(
            "predictions must be a mapping (or DataFrame) of name to predictions, got "
            f"{type(predictions).__name__}: {{'nb': nb.predict(X_test), 'tree': ...}}."
        )
    index = [] if isinstance(predictions, Mapping) else list(filter(is_index, named))
    if index:
        raise ValueError(
            f"column {index[0]!r} of predictions looks like names of the rows, and not like "
            "predictions of a system: drop it, or make it the index."
        )
    if len(named) < 2:
        raise ValueError(f"predictions holds {len(named)} system(s); at least 2 are compared.")
    return named


def two_by_name(a: Any, b: Any, names: tuple[str, str] | None) -> dict[str, Any]:
    """Predictions of A and B by label."""
    found = {}
    for given, letter in ((a, "A"), (b, "B")):
        named = isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str)
        label, values = given if named and not isinstance(given[1], str) else (letter, given)
        found[label] = values
    if len(found) < 2:
        raise ValueError("a and b have the same name; rename one.")
    if names is not None:
        listed = isinstance(names, tuple | list) and len(names) == 2
        if not listed or names[0] == names[1]:
            raise ValueError(f"names={names!r} must be two different labels.")
        return dict(zip(names, found.values(), strict=True))
    return found


def sample_for(procedure: Procedure, pair: stats.Predictions) -> Any:
    """Return the sample that a procedure takes, made from predictions."""
    types = sample_types(procedure)
    name = procedure_name(procedure)
    if pair.ordered and types & {stats.AgreementTable, stats.BinaryScores}:
        raise ValueError(
            f"{name} treats rows as independent, but order= says that they are not; use "
            f"test='paired_bootstrap', which draws blocks."
        )
    if stats.AgreementTable in types:
        return _agreement(pair, name)
    if stats.BinaryScores in types:
        return _binary_scores(pair, name)
    if pair.counts is not None and types & {stats.PairedScores}:
        raise ValueError(
            f"{name} needs the rows themselves, and counts tell only how many there "
            "are of each kind; use test='paired_permutation' or test='paired_bootstrap', or "
            "pass the rows."
        )
    if stats.PairedScores in types:
        if declared(procedure).ordered_units and not pair.ordered:
            raise ValueError(f"{name} needs rows in time order: pass order=.")
        a, b = _rows(pair, name)
        if pair.groups is not None:
            grouped = stats.PairedScores(a, b, groups=pair.groups)
            return sample_taken(procedure, grouped)
        if declared(procedure).needs == "groups":
            raise ValueError(f"{name} needs groups: pass groups=, one label per row.")
        return stats.PairedScores(a, b, unit="instance", ordered=pair.ordered)
    return pair


def _check_plain_rows(pair: stats.Predictions, procedure: str) -> None:
    for argument in ("sample_weight", "strata"):
        if getattr(pair, argument) is not None:
            raise ValueError(
                f"{procedure} does not support {argument}; use test='paired_permutation', or "
                "test='paired_bootstrap', which keeps the sizes of strata."
            )


def _rows(pair: stats.Predictions, procedure: str) -> list[NDArray[np.float64]]:
    _check_plain_rows(pair, procedure)
    rows = row_scores(pair)
    if rows is None:
        raise ValueError(
            f"{procedure} needs a score for every row, and {pair.metric.name} has none (it is "
            f"not a mean over rows); use test='paired_permutation' or test='paired_bootstrap'."
        )
    return rows


def _agreement(pair: stats.Predictions, procedure: str) -> Any:
    if not pair.metric.is_accuracy or pair.groups is not None:
        what = "groups" if pair.groups is not None else f"metric={pair.metric.name!r}"
        raise ValueError(
            f"{procedure} compares the accuracy on independent rows, and does not fit {what}; "
            "use test='paired_permutation'."
        )
    _rows(pair, procedure)  # refuses what the test does not support
    return agreement_of(pair)


def is_right_or_wrong(pair: stats.Predictions) -> bool:
    """Whether independent rows of equal weight are right or wrong, and nothing else counts."""
    beside = (pair.groups, pair.sample_weight, pair.strata, pair.order)
    return pair.metric.is_accuracy and all(each is None for each in beside)


def agreement_of(pair: stats.Predictions) -> stats.AgreementTable:
    """Count the rows on which both, one or none of two systems is right."""
    a, b = right_rows(pair)
    both, right_a, right_b = (rows_where(pair, rows) for rows in (a & b, a, b))
    return stats.AgreementTable(
        both=both,
        only_a=right_a - both,
        only_b=right_b - both,
        neither=pair.n_rows - right_a - right_b + both,
    )


def _binary_scores(pair: stats.Predictions, procedure: str) -> stats.BinaryScores:
    if not pair.metric.is_whole_auc:
        raise ValueError(
            f"{procedure} compares whole areas under ROC curves; it does not fit "
            f"metric={pair.metric.name!r} with these options. Use metric='roc_auc', or another "
            "test."
        )
    _check_plain_rows(pair, procedure)
    return binary_scores(pair)


def binary_scores(predictions: stats.Predictions) -> stats.BinaryScores:
    """Return scores for instances of two classes, of two or more systems."""
    binary = predictions.metric.prepared(predictions)
    if any(output.ndim > 1 for output in binary.outputs.values()):
        raise ValueError(
            "DeLong's test needs two classes; for several use test='paired_permutation'."
        )
    return stats.BinaryScores.from_scores(
        binary.y_true, binary.outputs, groups=predictions.groups, known=binary.known
    )


def notes_of(sample: stats.Predictions, outcome: stats.Comparison) -> list[str]:
    """Facts of the test set and of the resampling, for the report.

    What holds for one pair only is said of a pair, not of several systems.
    """
    pair = sample if len(sample.names) == 2 else None
    notes = [f"{sample.n_rows} rows"]
    if sample.groups is not None:
        sizes = np.bincount(sample.groups)
        span = str(sizes.min()) if np.ptp(sizes) == 0 else f"{sizes.min()} to {sizes.max()}"
        notes.append(f"{sample.n_units} groups of {span} rows")
        rows = None if pair is None else any_row_scores(pair)
        if rows is not None:
            icc = stats.intraclass_correlation(rows[0] - rows[1], sample.groups)
            if math.isfinite(icc):
                notes.append(f"intraclass correlation of the differences {icc:.2f}")
    if sample.ordered:
        notes.append("in time order")
        if isinstance(outcome.law, Bootstrap):
            notes.append(f"blocks of {sample.block_length} rows")
    if sample.sample_weight is not None:
        notes.append("weighted")
    how = getattr(outcome.law, "how", "")
    if how and (pair is None or not pair.identical):
        notes.append(f"resampled by {how}")
    return notes
