"""Predictions of systems for one test set, as what is compared."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._columns import is_index
from skstat.comparison import _guide as guide
from skstat.comparison._engine.ask import Chosen, Compared, Influence, OfRope
from skstat.comparison._engine.classes import beside_largest_class, class_sizes_of
from skstat.comparison._engine.joint import (
    Joint,
    Pair,
    joint_of_flips,
    joint_of_law,
    largest_of_family,
)
from skstat.comparison._engine.parallel_blocks import Blocks
from skstat.comparison._engine.row_facts import any_row_scores, row_facts
from skstat.comparison._procedures import (
    SAMPLES,
    Procedure,
    procedure_name,
    procedures_by_name,
    sample_types,
)
from skstat.comparison._question import Question
from skstat.evaluation._random_state import draw_seed
from skstat.metrics import row_scores
from skstat.metrics._labels import right_rows
from skstat.metrics._metric import bounds_of
from skstat.report._doubts import Facts
from skstat.report._evidence import ComparisonEvidence
from skstat.stats import _joint_law as laws
from skstat.stats._bootstrap import (
    Bootstrap,
    bootstrap_outcome,
    check_resampling,
    differences_of,
)
from skstat.stats._bootstrap_posterior import WeightedScores, best_by_right_rows, n_differing
from skstat.stats._common import declare, declared
from skstat.stats._kernels import CallableKernel, bootstrap
from skstat.stats._max_t import JointFlips
from skstat.stats._permutation import permutation_outcome
from skstat.stats._replicates import in_short
from skstat.stats._resampling import DEFAULT_RESAMPLES
from skstat.stats._samples import check_count, rows_where

# Seconds that resampling a metric of the user's own may take unasked, and how often it is
# resampled where the usual number would take longer.
_LONGEST = 60.0
_FEWER_RESAMPLES = (1999, 999)
BESIDE = ("groups", "sample_weight", "strata")

Interval = Literal["percentile", "basic", "bca"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Predicted(Compared):
    """Predictions of two systems or more for one test set.

    Attributes
    ----------
    family : Predicted, optional
        The systems that a pair is of: all pairs share draws.
    in_slice : bool
        Whether these are some of the rows: of many slices replicates beside every test would
        take longer than the tests.
    """

    family: "Predicted | None" = None
    in_slice: bool = False
    kept: dict[Any, Any] = field(init=False, default_factory=dict)

    @classmethod
    def of(cls, predictions: stats.Predictions, **known: Any) -> Self:
        """Return the systems of predictions."""
        predictions.scores  # noqa: B018  refuses what cannot be scored before anything else
        metric = predictions.metric
        return cls(
            sample=predictions,
            names=predictions.names,
            metric=metric.name,
            is_loss=metric.is_loss,
            told={"direction_assumed": metric.direction_assumed, "bounds": bounds_of(metric)},
            **known,
        )

    # --- one pair ---

    def take(self, pair: Pair) -> Self:
        family = None if self.in_slice else self
        sample = self.sample.pair(*pair)
        if self.in_slice:
            sample.scores  # noqa: B018  refuses what cannot be scored before anything else
        return replace(self, sample=sample, names=pair, family=family, of_family=True)

    def alone(self, question: Question) -> Self:
        return replace(super().alone(question), family=None)

    def choose(self, question: Question) -> Chosen:
        if len(self.names) == 2:
            return guide.choose_for_test_set(question.test, self.sample)
        if question.test != "auto":
            first = self.sample.pair(*self.names[:2])
            return guide.choose_for_test_set(question.test, first)
        several = {"control": question.control is not None, "adjustment": question.adjustment}
        choice = guide.recommend(guide.Situation.of_predictions(self.sample, **several))
        return guide.procedure_of(choice), choice

    def choose_of_pair(self, pair: Self, chosen: Chosen, question: Question) -> Chosen:
        _, choice = chosen
        if choice is None:
            return chosen
        jointly = question.adjustment in ("auto", "max-t")
        if jointly and choice.name in procedures_by_name(*SAMPLES):
            return chosen[0], None
        if self.rows is None:
            return pair.choose(question)
        # Where rows have scores, all pairs are in the same situation.
        return self._once("chosen", lambda: pair.choose(question))

    def sample_for(self, procedure: Procedure) -> Any:
        return sample_for(procedure, self.sample)

    def options(self, procedure: Procedure, question: Question) -> dict[str, Any]:
        if self.in_slice:
            question = replace(question, standard_error="jackknife")
        return super().options(procedure, question)

    def design_of(
        self, procedure: Procedure, outcome: stats.Comparison, question: Question
    ) -> Mapping[str, Any]:
        notes = _notes(self.sample, outcome)
        if question.draws_note and (len(self.names) > 2 or outcome.by_itself.n_resamples):
            notes.append(question.draws_note)
        return {"kind": "one test set", "notes": notes}

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        return row_facts(self.facts, self.sample, procedure, options)

    def posterior(self, sample: Any, question: Question) -> OfRope | None:
        pair = self.sample
        if _is_right_or_wrong(pair):
            return partial(stats.agreement_posterior, agreement_of(pair))
        if self.family is None or pair.ordered:  # of rows in order it says why there is none
            return partial(
                stats.bootstrap_posterior, pair, n_draws=question.n_draws,
                rng=question.seed, workers=question.workers,
            )  # fmt: skip
        a, b = (self.family.names.index(name) for name in self.names)
        drawn, differing = self.family.weighted(question), n_differing(pair.kernel)
        return lambda rope: drawn.posterior(a, b, rope, differing)

    def about_classes(self, report: ComparisonEvidence) -> ComparisonEvidence:
        return beside_largest_class(report, class_sizes_of(self.sample))

    def affordable(self, question: Question) -> Question:
        return affordable(question, self.sample)

    # --- several systems ---

    def _once(self, key: Any, find: Callable[[], Any]) -> Any:
        if key not in self.kept:
            self.kept[key] = find()
        return self.kept[key]

    def replicates(self, question: Question) -> Any:
        """Return the bootstrap of all systems, drawn once for all that need it."""
        n, seed, kernel = question.n_draws, question.drawn_by, self.sample.kernel
        return self._once(
            ("replicates", n), lambda: bootstrap([kernel], n, seed, workers=question.workers)
        )

    def weighted(self, question: Question) -> WeightedScores:
        """Return the scores of all systems with weights of the rows, drawn once."""
        n, seed, kernel = question.n_draws, question.drawn_by, self.sample.kernel
        return self._once(
            ("weighted", n), lambda: WeightedScores.of(kernel, n, seed, question.workers)
        )

    def best(self, question: Question) -> Callable[[float], stats.BestPosterior]:
        predictions = self.sample
        if not _is_right_or_wrong(predictions):
            return lambda rope: self.weighted(question).best(self.names, rope)
        right, counts = np.column_stack(right_rows(predictions)), predictions.counts
        return partial(
            best_by_right_rows,
            self.names,
            right,
            np.ones(len(right), dtype=np.int64) if counts is None else counts,
            n_draws=question.n_draws,
            seed=question.drawn_by,
        )

    @cached_property
    def rows(self) -> list[NDArray[np.float64]] | None:
        """Scores of independent rows whose plain mean is the score."""
        predictions = self.sample
        weighted = predictions.sample_weight is not None or predictions.strata is not None
        if weighted or predictions.ordered or predictions.counts is not None:
            return None
        return row_scores(predictions)

    def table(self) -> stats.ScoreTable | None:
        rows, predictions = self.rows, self.sample
        if rows is None:
            return None
        if predictions.groups is None:
            return stats.ScoreTable(dict(zip(self.names, rows, strict=True)), unit="instance")
        share = predictions.n_units / predictions.n_rows
        values = {
            name: row.mean() + share * np.bincount(predictions.groups, row - row.mean())
            for name, row in zip(self.names, rows, strict=True)
        }
        return stats.ScoreTable(values, unit="group")

    def joint(
        self, pairs: Sequence[Pair], question: Question, *, everyone: bool
    ) -> Joint | None:
        # An interval of another kind that was asked for is that of each pair.
        adjustment, groups = question.adjustment, self.sample.groups
        if adjustment != "max-t" and (adjustment != "auto" or question.interval is not None):
            return None
        few = groups is not None and self.sample.n_units < guide.FEWEST_FLIPPED
        if self.rows is None or few:
            found = joint_of_law(self._law(question), pairs, question)
        else:
            scores, sizes = np.column_stack(self.rows), None
            if groups is not None:
                scores = np.column_stack([np.bincount(groups, row) for row in self.rows])
                sizes = np.bincount(groups).astype(float)
            found = joint_of_flips(JointFlips(scores, sizes), self.names, pairs, question)
        # Areas that differ without any variance have p-values by permutation.
        lost = adjustment == "auto" and np.isnan(found.found.pvalues).any()
        return None if lost else found

    def _law(self, question: Question) -> laws.JointLaw:
        predictions, table, n = self.sample, self.table(), question.n_draws
        if table is not None:
            return laws.law_of_means(
                table,
                "comparison of several systems",
                method="t",
                n_resamples=n,
                rng=question.drawn_by,
                for_few=True,
            )
        if "normal-areas" in guide.Situation.of_predictions(predictions).facts:
            areas = binary_scores(predictions)
            return laws.law_of_areas(areas, n_resamples=n, seed=question.drawn_by)
        drawn, unit = self.replicates(question), predictions.unit
        return laws.law_of_replicates(
            self.names,
            predictions.scores,
            drawn.scores[0],
            n_units=predictions.n_units,
            where=f"over {unit}s, for these {len(self.names)} fitted systems",
            seed=drawn.seed,
            quantity=self.metric,
            assumptions=(
                f"there are enough {unit}s for the bootstrap",
                f"{unit}s further apart than the blocks that are drawn are independent"
                if predictions.ordered
                else f"the {unit}s are independent of each other",
            ),
            widened=True,
        )

    def suits(self, joint: Joint, procedure: Procedure) -> bool:
        if procedure_name(procedure) == "paired_bootstrap":
            return any(key[0] == "replicates" for key in self.kept)
        return super().suits(joint, procedure)

    def shared(self, procedure: Procedure, question: Question) -> Procedure:
        def differences(pair: stats.PairedPredictions) -> dict[str, Any]:
            a, b = map(self.names.index, pair.names)
            return differences_of(
                self.sample.kernel,
                self.replicates(question),
                question.interval or "percentile",
                systems=(a, b),
                noise=pair.noise,
            )

        def paired_bootstrap(
            sample: stats.PairedPredictions, *, alternative: str
        ) -> stats.Comparison:
            if sample.identical:
                own: Any = question.interval or "percentile"
                return procedure(sample, alternative=alternative, rng=0, interval=own)
            drawn = differences(sample)
            found = bootstrap_outcome(sample, drawn, pvalue="shift", alternative=alternative)
            # Limits by bca also rest on how many replicates are below the estimate.
            law: Any = found.law
            if law.limits_by == "bca":
                return found
            return replace(found, law=replace(law, replicates=in_short(law.replicates)))

        def paired_permutation(
            sample: stats.PairedPredictions, *, alternative: str
        ) -> stats.Comparison:
            if sample.identical:
                return procedure(sample, alternative=alternative, rng=question.drawn_by)
            return permutation_outcome(
                sample,
                lambda: differences(sample),
                n_resamples=question.n_draws,
                seed=question.drawn_by,
                must_draw=question.n_resamples is not None,
                interval=question.interval or "permutation",
                alternative=alternative,
                workers=question.workers,
            )

        if procedure is stats.paired_bootstrap:
            return declare(paired_bootstrap, declared(procedure))
        if procedure is stats.paired_permutation:
            return declare(paired_permutation, declared(procedure))
        return procedure

    def omnibus(self, joint: Joint | None, question: Question) -> stats.OmnibusOutcome | None:
        predictions, table = self.sample, self.table()
        weighted = predictions.sample_weight is not None or predictions.strata is not None
        if weighted or predictions.ordered:
            return None
        if predictions.metric.is_accuracy and predictions.groups is None:
            return None if table is None else stats.cochran_q(table, rng=question.seed)
        if predictions.metric.is_whole_auc:
            try:
                return stats.delong_wald(binary_scores(predictions))
            except ValueError:  # several classes, or too few instances of one
                return None
        if table is None or table.n_units < 2:
            return None
        if joint is not None:
            return largest_of_family(joint, table, question)
        return stats.largest_t(table, n_resamples=question.n_draws, rng=question.seed)

    # --- slices ---

    def part(self, rows: Any, *, one_by_one: bool) -> Self:
        part = part_of(self.sample, rows, one_by_one=one_by_one)
        return replace(self, sample=part, in_slice=True)

    def influence(self) -> Influence | None:
        # A metric without a formula, or one that is undefined without some unit, may say
        # anything, and nothing tells how much it varies.
        kernel = self.sample.kernel
        if isinstance(kernel, CallableKernel):
            return None
        times = kernel.plan.multiplicity
        without = kernel.left_out[:, 0] - kernel.left_out[:, 1]
        if not np.isfinite(without).all():  # one unit is all that there is of a class
            return None
        values = (times.sum() - 1) * (np.average(without, weights=times) - without)
        # In a mean all rows weigh alike, whatever their class.
        sizes = [n for n in kernel.class_sizes or () if n and not self.sample.metric.is_mean]
        return Influence(np.asarray(values), times.astype(np.float64), min(sizes, default=None))


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


def sample_for(procedure: Procedure, pair: stats.PairedPredictions) -> Any:
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
    if pair.counts is not None and types & {stats.ClusteredScores, stats.PairedScores}:
        raise ValueError(
            f"{name} needs the rows themselves, and PredictionCounts hold only how many there "
            "are of each kind; use test='paired_permutation' or test='paired_bootstrap', or "
            "pass the rows."
        )
    if stats.ClusteredScores in types:
        a, b = _rows(pair, name)
        if pair.groups is None:
            raise ValueError(f"{name} needs groups: pass groups=, one label per row.")
        return stats.ClusteredScores(a, b, groups=pair.groups)
    if stats.PairedScores in types:
        if declared(procedure).ordered_units and not pair.ordered:
            raise ValueError(f"{name} needs rows in time order: pass order=.")
        a, b = _rows(pair, name)
        if pair.groups is not None:
            return stats.ClusteredScores(a, b, groups=pair.groups).per_group()
        return stats.PairedScores(a, b, unit="instance", ordered=pair.ordered)
    return pair


def _rows(pair: stats.PairedPredictions, procedure: str) -> list[NDArray[np.float64]]:
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


def _agreement(pair: stats.PairedPredictions, procedure: str) -> Any:
    if not pair.metric.is_accuracy or pair.groups is not None:
        what = "groups" if pair.groups is not None else f"metric={pair.metric.name!r}"
        raise ValueError(
            f"{procedure} compares the accuracy on independent rows, and does not fit {what}; "
            "use test='paired_permutation'."
        )
    _rows(pair, procedure)  # refuses what the test does not support
    return agreement_of(pair)


def _is_right_or_wrong(pair: stats.Predictions) -> bool:
    """Whether independent rows of equal weight are right or wrong, and nothing else counts."""
    beside = (pair.groups, pair.sample_weight, pair.strata, pair.order)
    return pair.metric.is_accuracy and all(each is None for each in beside)


def agreement_of(pair: stats.PairedPredictions) -> stats.AgreementTable:
    """Count the rows on which both, one or none of two systems is right."""
    a, b = right_rows(pair)
    both, right_a, right_b = (rows_where(pair, rows) for rows in (a & b, a, b))
    return stats.AgreementTable(
        both=both,
        only_a=right_a - both,
        only_b=right_b - both,
        neither=pair.n_rows - right_a - right_b + both,
    )


def _binary_scores(pair: stats.PairedPredictions, procedure: str) -> stats.BinaryScores:
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


def _notes(sample: stats.Predictions, outcome: stats.Comparison) -> list[str]:
    """Facts of the test set and of the resampling, for the report.

    What holds for one pair only is said of a pair, not of several systems.
    """
    pair = sample if isinstance(sample, stats.PairedPredictions) else None
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
