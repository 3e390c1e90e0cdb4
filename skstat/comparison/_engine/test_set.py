"""One test set: what the user handed in, and the sample that a procedure takes."""

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison._engine.pair import ask_sample, design_with_seed, seeds_drawn_by
from skstat.comparison._procedures import Procedure, procedure_name, sample_types
from skstat.comparison._question import Question
from skstat.metrics import ScoreMetric, row_scores
from skstat.report import ComparisonReport, Recommendation
from skstat.report._doubts import Context
from skstat.stats import (
    AgreementTable,
    BinaryScores,
    ClusteredScores,
    Outcome,
    PairedPredictions,
    PairedScores,
    Predictions,
)
from skstat.stats._common import declared, rng_option, rows_differ
from skstat.stats._resampling import CallableKernel
from skstat.stats._samples import effective_groups
from skstat.stats._test_set import check_resampling
from skstat.stats._time_order import first_autocorrelation

# Correlation of rows, in standard errors, that no luck explains: of rows in any order, and
# of rows that are known to follow each other.
_ALIKE = 4.0
_BEYOND = 3.0
_FEWEST_NEIGHBOURS = 50
# The metric without each unit costs as much as so many resamples.
_MANY_UNITS = 2_000

Interval = Literal["percentile", "basic", "studentized", "bca"]


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How the caller wants resamples drawn; one seed for all of a call."""

    n_resamples: int
    interval: str | None
    seed: int
    workers: Any
    horizon: int | None = None

    def __post_init__(self) -> None:
        check_resampling(self.n_resamples, self.interval or "percentile")
        whole = isinstance(self.horizon, int | float | np.number) and not self.horizon % 1
        if self.horizon is not None and not (whole and self.horizon >= 1):
            raise ValueError(f"horizon={self.horizon!r} must be a whole number of at least 1.")

    def options(self, procedure: Procedure) -> dict[str, Any]:
        """Those of the settings that a procedure takes, and that the caller left open in it."""
        settings = {
            "n_resamples": self.n_resamples,
            "interval": self.interval,
            "workers": self.workers,
            "horizon": self.horizon,
        }
        if self.interval is None:  # the procedure's own
            del settings["interval"]
        known = inspect.signature(procedure).parameters
        fixed = procedure.keywords if isinstance(procedure, partial) else {}
        chosen = {name: settings[name] for name in settings if name in known}
        left = {name: value for name, value in chosen.items() if name not in fixed}
        return left | rng_option(procedure, self.seed)


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
    if len(named) < 2:
        raise ValueError(f"predictions holds {len(named)} system(s); at least 2 are compared.")
    return named


def ask_pair(
    pair: PairedPredictions,
    procedure: Procedure,
    question: Question,
    resampling: Resampling,
    *,
    context: Context,
    choice: Recommendation | None = None,
    ignored_variance: tuple[str, ...] = (),
) -> ComparisonReport:
    """Ask a procedure of two systems on one test set, and write the report."""
    metric = pair.metric
    options = resampling.options(procedure)
    report = ask_sample(
        procedure,
        sample_for(procedure, pair),
        question,
        names=(pair.names[0], pair.names[1]),
        metric=metric.name,
        is_loss=metric.is_loss,
        context=with_row_facts(pair, procedure, context, options),
        choice=choice,
        ignored_variance=ignored_variance,
        options=options,
    )
    if "rng" in inspect.signature(procedure).parameters:
        drawn = seeds_drawn_by(procedure, resampling.seed, report.outcome)
    else:  # it may draw from what all pairs share
        drawn = [getattr(report.outcome, "seed", None)]
    facts = design(pair, report.outcome)
    return replace(report, design=design_with_seed(facts, resampling.seed, *drawn))


def sample_for(procedure: Procedure, pair: PairedPredictions) -> Any:
    """Return the sample that a procedure takes, made from predictions."""
    types = sample_types(procedure)
    name = procedure_name(procedure)
    if pair.ordered and types & {AgreementTable, BinaryScores}:
        raise ValueError(
            f"{name} treats rows as independent, but order= says that they are not; use "
            f"test='paired_bootstrap', which draws blocks."
        )
    if AgreementTable in types:
        return _agreement(pair, name)
    if BinaryScores in types:
        return _binary_scores(pair, name)
    if ClusteredScores in types:
        a, b = _rows(pair, name)
        if pair.groups is None:
            raise ValueError(f"{name} needs groups: pass groups=, one label per row.")
        return ClusteredScores(a, b, groups=pair.groups)
    if PairedScores in types:
        if declared(procedure).ordered_units and not pair.ordered:
            raise ValueError(f"{name} needs rows in time order: pass order=.")
        a, b = _rows(pair, name)
        if pair.groups is not None:
            return ClusteredScores(a, b, groups=pair.groups).per_group()
        return PairedScores(a, b, unit="instance", ordered=pair.ordered)
    return pair


def _rows(pair: PairedPredictions, procedure: str) -> list[NDArray[np.float64]]:
    if pair.sample_weight is not None:
        raise ValueError(
            f"{procedure} does not support sample_weight; use test='paired_permutation' or "
            "test='paired_bootstrap'."
        )
    if pair.strata is not None:
        raise ValueError(
            f"{procedure} does not support strata; use test='paired_bootstrap', which keeps "
            "their sizes."
        )
    rows = row_scores(pair)
    if rows is None:
        raise ValueError(
            f"{procedure} needs a score for every row, and {pair.metric.name} has none (it is "
            f"not a mean over rows); use test='paired_permutation' or test='paired_bootstrap'."
        )
    return rows


def _agreement(pair: PairedPredictions, procedure: str) -> Any:
    if not pair.metric.is_accuracy or pair.groups is not None:
        what = "groups" if pair.groups is not None else f"metric={pair.metric.name!r}"
        raise ValueError(
            f"{procedure} compares the accuracy on independent rows, and does not fit {what}; "
            "use test='paired_permutation'."
        )
    a, b = (right > 0 for right in _rows(pair, procedure))
    return AgreementTable(
        both=int((a & b).sum()),
        only_a=int((a & ~b).sum()),
        only_b=int((~a & b).sum()),
        neither=int((~a & ~b).sum()),
    )


def _binary_scores(pair: PairedPredictions, procedure: str) -> BinaryScores:
    if not pair.metric.is_whole_auc:
        raise ValueError(
            f"{procedure} compares whole areas under ROC curves; it does not fit "
            f"metric={pair.metric.name!r} with these options. Use metric='roc_auc', or another "
            "test."
        )
    for argument in ("sample_weight", "strata"):
        if getattr(pair, argument) is not None:
            raise ValueError(
                f"{procedure} does not support {argument}; use test='paired_permutation' or "
                "test='paired_bootstrap'."
            )
    return binary_scores(pair)


def binary_scores(predictions: Predictions) -> BinaryScores:
    """Return scores for instances of two classes, of two or more systems."""
    binary = predictions.metric.prepared(predictions)
    if any(output.ndim > 1 for output in binary.outputs.values()):
        raise ValueError(
            "DeLong's test needs two classes; for several use test='paired_permutation'."
        )
    return BinaryScores(
        binary.y_true, binary.outputs, groups=predictions.groups, known=binary.known
    )


def with_row_facts(
    pair: PairedPredictions, procedure: Procedure, context: Context, options: dict[str, Any]
) -> Context:
    """Add what is known about the rows to what is known beside the numbers."""
    counts = None
    if BinaryScores in sample_types(procedure):
        positives = int(pair.metric.prepared(pair).y_true.sum())
        counts = (positives, pair.n_rows - positives)
    resampled = PairedPredictions in sample_types(procedure)
    smallest = None if pair.strata is None else int(np.bincount(pair.strata).min())
    return replace(
        context,
        neighbours_alike=None
        if pair.ordered
        else _correlation(pair, 1, _ALIKE, within_classes=True),
        autocorrelation=_beyond(pair, options) if pair.ordered else None,
        block_length=pair.block_length,
        neighbours=_neighbours(pair) if pair.ordered else None,
        class_counts=counts,
        horizon=options.get("horizon"),
        smallest_stratum=smallest,
        aucs=tuple(map(float, pair.scores)) if pair.metric.is_whole_auc else (),
        rows=_scored_rows(pair),
        n_differing=_n_differing(pair),
        rarest_class=_rarest_class(pair) if resampled else None,
        rarest_label=_rarest_label(pair) if resampled else "",
        largest_share=_largest_share(pair) if resampled else None,
        n_effective=None if pair.groups is None else effective_groups(pair.groups),
        equal_to_truth=equal_to_truth(pair.y_true, pair.outputs),
    )


def equal_to_truth(y_true: NDArray[Any], outputs: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the systems whose predictions are the truth itself."""
    return tuple(
        name for name, output in outputs.items() if not rows_differ(output, y_true).any()
    )


def _rarest_class(pair: PairedPredictions) -> int | None:
    """Rows of the rarest class, if the metric counts classes alike."""
    sizes = pair.kernel.class_sizes
    return min(sizes) if sizes else None


def _rarest_label(pair: PairedPredictions) -> str:
    """Label of the rarest class, if the rows have one each and the metric counts that class."""
    rarest = _rarest_class(pair)
    if rarest is None or pair.y_true.ndim > 1:
        return ""
    labels, sizes = np.unique(pair.y_true, return_counts=True)
    return str(labels[sizes.argmin()]) if sizes.min() == rarest else ""


def _largest_share(pair: PairedPredictions) -> float | None:
    """Largest share of a row, or group, in the variance of the difference.

    By the jackknife; not known where the metric would be called for every row.
    """
    kernel = pair.kernel
    if isinstance(kernel, CallableKernel) or kernel.plan.n_units > _MANY_UNITS:
        return None
    with np.errstate(invalid="ignore"):
        influence = kernel.left_out[:, 0] - kernel.left_out[:, 1]
    if not np.isfinite(influence).all():
        return None
    counts = kernel.plan.multiplicity
    squares = (influence - np.average(influence, weights=counts)) ** 2
    total = float(counts @ squares)
    return float(squares.max()) / total if total > 0 else None


def _n_differing(pair: PairedPredictions) -> int:
    """Count the rows, or groups, on which the outputs differ."""
    differ = rows_differ(*pair.outputs.values())
    if pair.groups is None:
        return int(differ.sum())
    return len(np.unique(pair.groups[differ]))


def _scored_rows(pair: PairedPredictions) -> PairedScores | None:
    """Pair the scores of every row, if the metric is their plain mean."""
    rows = None if pair.sample_weight is not None else row_scores(pair)
    return None if rows is None else PairedScores(rows[0], rows[1], unit="instance")


def design(sample: Predictions, outcome: Outcome) -> dict[str, Any]:
    """Facts of the test set and of the resampling, for the report.

    What holds for one pair only is said of a pair, not of several systems.
    """
    pair = sample if isinstance(sample, PairedPredictions) else None
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
        if isinstance(outcome, stats.BootstrapOutcome):
            notes.append(f"blocks of {sample.block_length} rows")
    if sample.sample_weight is not None:
        notes.append("weighted")
    how = getattr(outcome, "how", "")
    if how and (pair is None or not pair.identical):
        notes.append(f"resampled by {how}")
    return {"kind": "one test set", "notes": notes}


def any_row_scores(pair: Predictions) -> list[NDArray[np.float64]] | None:
    """Per-row scores of the metric, or else whether a row is right, or its squared error."""
    rows = row_scores(pair)
    metric: ScoreMetric = pair.metric
    if rows is None and metric.kind == "numbers" and pair.y_true.ndim == 1:
        y = pair.y_true.astype(float)
        outputs = pair.outputs.values()
        if all(out.ndim == 1 for out in outputs):
            return [-((y - out) ** 2) for out in outputs]
    if rows is None and metric.kind == "labels" and pair.y_true.ndim == 1:
        return [np.asarray(out == pair.y_true, dtype=float) for out in pair.outputs.values()]
    return rows


def _beyond(pair: PairedPredictions, options: dict[str, Any]) -> float | None:
    """Correlation of differences further apart than the test allows for."""
    reach = options.get("horizon", pair.block_length)
    if reach is None and "horizon" in options:  # the test looks for itself how far
        return None
    return _correlation(pair, reach or 1, _BEYOND)


def _neighbours(pair: PairedPredictions) -> float | None:
    """Correlation of the differences of neighbours, where rows have scores."""
    rows = any_row_scores(pair)
    return None if rows is None else first_autocorrelation(rows[0] - rows[1])


def _correlation(
    pair: PairedPredictions, lag: int, errors: float, *, within_classes: bool = False
) -> float | None:
    """Correlation of differences `lag` rows apart, if no luck explains it.

    Rows that stand class by class are not groups: systems that are better at different classes
    have similar differences on neighbours there. Within the classes they do not.
    """
    if pair.groups is not None or pair.n_rows < max(_FEWEST_NEIGHBOURS, 2 * lag):
        return None
    rows = any_row_scores(pair)
    if rows is None:
        return None
    d = rows[0] - rows[1]
    d = d - d.mean()
    if within_classes and pair.metric.kind != "numbers" and pair.y_true.ndim == 1:
        _, classes = np.unique(pair.y_true, return_inverse=True)
        d = d - (np.bincount(classes, weights=d) / np.bincount(classes))[classes]
    squares = float(d @ d)
    if squares <= 0:
        return None
    correlation = float(d[lag:] @ d[:-lag]) / squares
    return correlation if correlation * math.sqrt(len(d)) > errors else None
