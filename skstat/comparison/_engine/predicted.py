"""Comparison of predictions for one test set, with one random seed per system or several."""

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._columns import read_name
from skstat.comparison import _guide as guide
from skstat.comparison import _question as questions
from skstat.comparison._engine import facts
from skstat.comparison._engine import joint as laws
from skstat.comparison._engine.ask import Chosen, Compared, Influence, OfRope, ask
from skstat.comparison._engine.best import best_by_right_rows
from skstat.comparison._engine.joint import Joint, Pair, omnibus_of
from skstat.comparison._question import Procedure, Question
from skstat.metrics import row_scores
from skstat.metrics._metric import bounds_of
from skstat.metrics._sums import right_rows
from skstat.report._doubts import Facts
from skstat.report._evidence import ComparisonEvidence, SeedsEvidence
from skstat.stats._bootstrap import Bootstrap, WeightedScores, draw_scores
from skstat.stats._chance import DEFAULT_RESAMPLES, draw_seed
from skstat.stats._kernels import CallableKernel
from skstat.stats._pairwise import pairs_of
from skstat.stats._predictions import PredictionsSummary, rows_where
from skstat.stats._procedure import check_choice, declared
from skstat.stats._seeds import pseudo_values

# Seconds that resampling a metric of the caller's may take by default, and the numbers of
# resamples to choose from where the usual number would take longer.
_MAX_SECONDS = 60.0
_FEWER_RESAMPLES = (1999, 999)
SEEDS = ("crossed", "average", "means", "per-seed", "pooled")
WEIGHING, BESIDE = ("sample_weight", "strata"), ("groups", "sample_weight", "strata")

Interval = Literal["percentile", "basic", "bca"]


@dataclass(frozen=True, kw_only=True, eq=False)
class OnTestSet(Compared):
    """Systems whose predictions for one test set are known."""

    @classmethod
    def of(cls, predictions: stats.Predictions, **extra: Any) -> Self:
        """Return the comparison of the systems of predictions."""
        predictions.scores  # noqa: B018  raises if predictions cannot be scored
        metric = predictions.metric
        fixed = {"direction_assumed": metric.direction_assumed, "bounds": bounds_of(metric)}
        own: Any = {"sample": predictions, "names": predictions.names, "fixed": fixed}
        return cls(metric=metric.name, is_loss=metric.is_loss, **own | extra)

    @property
    def predictions(self) -> stats.Predictions:
        """Predictions of all systems."""
        return self.sample

    def with_class_doubts(self, report: ComparisonEvidence) -> ComparisonEvidence:
        return facts.with_guessing_doubts(report, partial(facts.class_sizes, self.predictions))

    def affordable(self, question: Question) -> Question:
        kernel = self.predictions.kernel
        n_is_fixed = question.n_resamples is not None or question.draws_note
        if n_is_fixed or not isinstance(kernel, CallableKernel):
            return question
        seconds = math.inf
        for _ in range(2):  # the first call may import what it needs
            start = time.perf_counter()
            with np.errstate(all="ignore"):
                kernel.weighted(kernel.plan.multiplicity[None])
            seconds = min(seconds, time.perf_counter() - start)
        per_draw = 2 * seconds  # p-value and interval
        if per_draw * DEFAULT_RESAMPLES <= _MAX_SECONDS:
            return question
        # One of few numbers is used, so that it rarely depends on the speed of the machine.
        fewer = [n for n in _FEWER_RESAMPLES if per_draw * n <= _MAX_SECONDS]
        n = max(fewer, default=min(_FEWER_RESAMPLES))
        minutes = math.ceil(per_draw * DEFAULT_RESAMPLES / 60)
        note = (
            f"{n} resamples, because the metric is slow: n_resamples={DEFAULT_RESAMPLES} takes "
            f"about {minutes} minute{'s' * (minutes > 1)}"
        )
        return replace(question, usual_draws=n, draws_note=note)


@dataclass(frozen=True, kw_only=True, eq=False)
class Predicted(OnTestSet):
    """Predictions of two systems or more for one test set."""

    # --- one pair ---

    def take(self, pair: Pair) -> Self:
        sample = self.sample.pair(*pair)
        sample.scores  # noqa: B018  raises if predictions cannot be scored
        return replace(self, sample=sample, names=pair, of_family=True)

    def choose(self, question: Question) -> Chosen:
        return guide.choose(question.test, self.sample, question)

    def choose_of_pair(self, pair: Self, chosen: Chosen, question: Question) -> Chosen:
        procedure, situation = chosen
        if situation is None:
            return chosen
        jointly = question.adjustment in ("auto", "max-t")
        if jointly and procedure in questions.procedures_by_name(*questions.SAMPLES).values():
            return procedure, None
        return pair.choose(question)

    def sample_for(self, procedure: Procedure) -> Any:
        pair, types = self.sample, questions.sample_types(procedure)
        kinds = (stats.AgreementTable, stats.BinaryScores, stats.PairedScores)
        kind = next((kind for kind in kinds if kind in types), None)
        if kind is None:
            return pair
        if problem := _misfit(pair, kind, procedure):
            raise ValueError(f"{questions.procedure_name(procedure)} {problem}")
        if kind is stats.AgreementTable:
            return agreement_of(pair)
        if kind is stats.BinaryScores:
            return binary_scores(pair.family or pair).pair(*pair.names)
        a, b = row_scores(pair)  # type: ignore[misc]  # None is refused above
        units: dict[str, Any] = {"unit": "instance", "ordered": pair.ordered}
        units = units if pair.groups is None else {"groups": pair.groups}
        return questions.sample_taken(procedure, stats.PairedScores(a, b, **units))

    def design_of(self, procedure: Procedure, outcome: stats.Comparison) -> Mapping[str, Any]:
        sample, notes = self.sample, [f"{self.sample.n_rows} rows"]
        pair = sample if len(sample.names) == 2 else None
        if sample.groups is not None:
            sizes = np.bincount(sample.groups)
            span = str(sizes.min()) if np.ptp(sizes) == 0 else f"{sizes.min()} to {sizes.max()}"
            notes.append(f"{sample.n_units} groups of {span} rows")
            rows = None if pair is None else facts.any_row_scores(pair)
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
        return {"kind": "one test set", "notes": notes}

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        return facts.row_facts(self.facts, self.sample, procedure, options)

    def posterior(self, sample: Any, question: Question) -> OfRope | None:
        pair = self.sample
        if self._is_right_or_wrong:
            return partial(stats.agreement_posterior, agreement_of(pair))
        return partial(
            stats.bootstrap_posterior, pair, n_draws=question.n_draws,
            rng=question.seed, workers=question.workers,
        )  # fmt: skip

    # --- several systems ---

    def best(self, question: Question) -> Callable[[float], Any]:
        predictions = self.sample
        if not self._is_right_or_wrong:
            how = (question.n_draws, draw_seed(question.drawn_by), question.workers)
            drawn = WeightedScores.of_predictions
            return lambda rope: drawn(predictions, *how)[0].best(self.names, rope)
        right, counts = np.column_stack(right_rows(predictions)), predictions.counts
        counts = np.ones(len(right), dtype=np.int64) if counts is None else counts
        drawing = {"n_draws": question.n_draws, "seed": question.drawn_by}
        return partial(best_by_right_rows, self.names, right, counts, **drawing)

    @property
    def _is_plain(self) -> bool:
        sample = self.sample
        return not sample.ordered and all(getattr(sample, name) is None for name in WEIGHING)

    @property
    def _is_right_or_wrong(self) -> bool:
        ungrouped = self.sample.groups is None
        return self._is_plain and ungrouped and self.sample.metric.is_accuracy

    @cached_property
    def table(self) -> stats.ScoreTable | None:
        """Scores of rows whose unweighted mean is the score; None if there are none."""
        predictions = self.sample
        counted = predictions.counts is not None or not self._is_plain
        rows = None if counted else row_scores(predictions)
        if rows is None:
            return None
        scores = dict(zip(self.names, rows, strict=True))
        return stats.ScoreTable(scores, unit=predictions.unit, groups=predictions.groups)

    def joint(self, pairs: Sequence[Pair], question: Question, all_pairs: bool) -> Joint | None:
        # An interval of another kind, if asked for, is that of each pair.
        adjustment, table = question.adjustment, self.table
        if adjustment != "max-t" and (adjustment != "auto" or question.interval is not None):
            return None
        if table is not None:
            return Joint.of_table(table, pairs, question)
        areas = "normal-areas" in guide.Situation.of(self.sample).words
        if areas:
            draws = {"n_resamples": question.n_draws, "seed": question.drawn_by}
            law = laws.law_of_areas(binary_scores(self.sample), **draws)
        else:
            drawing = question.n_draws, draw_seed(question.drawn_by), question.workers
            drawn, *_ = draw_scores(self.sample, *drawing)
            law = laws.law_of_replicates(self.sample, drawn)
        joint = Joint.of(law, self.names, pairs, question, bootstrap=not areas)
        # Areas that differ without any variance need p-values by permutation.
        undefined = adjustment == "auto" and np.isnan(joint.max_t.pvalue).any()
        return None if undefined else joint

    def omnibus(self, joint: Joint | None, question: Question) -> stats.OmnibusOutcome | None:
        predictions, table = self.sample, self.table
        if self._is_plain and predictions.metric.is_whole_auc:
            try:
                return stats.delong_wald(binary_scores(predictions))
            except ValueError:  # several classes, or too few instances of one
                return None
        if table is None or table.n_units < 2:
            return None
        return omnibus_of(table, joint, question, right=predictions.metric.is_accuracy)

    # --- slices ---

    def part(self, rows: Any, *, one_by_one: bool) -> Self:
        draw: Any = "rows" if one_by_one else self.sample.draw
        return replace(self, sample=part_of(self.sample, rows, draw=draw))

    def influence(self) -> Influence | None:
        # The variance of a metric without a formula, or of one that is undefined without some
        # unit, is not known.
        kernel = self.sample.kernel
        if isinstance(kernel, CallableKernel):
            return None
        times = kernel.plan.multiplicity
        apart = kernel.jackknife()
        if not np.isfinite(apart).all():  # some class has one unit only
            return None
        values = (times.sum() - 1) * apart
        # In a mean all rows have the same weight, whatever their class.
        sizes = [n for n in kernel.class_sizes or () if n and not self.sample.metric.is_mean]
        return Influence(np.asarray(values), times.astype(np.float64), min(sizes, default=None))


def _misfit(pair: stats.Predictions, kind: type, procedure: Procedure) -> str:
    """Return why a procedure that takes a kind of sample does not fit; empty if it does."""
    metric, groups = pair.metric, pair.groups
    if kind is not stats.PairedScores:
        if pair.ordered:
            return (
                "treats rows as independent, but order= says that they are not; use "
                "test='paired_bootstrap', which draws blocks."
            )
        if kind is stats.BinaryScores and not metric.is_whole_auc:
            return (
                "compares whole areas under ROC curves; it does not fit "
                f"metric={metric.name!r} with these options. Use metric='roc_auc', or another "
                "test."
            )
        if kind is stats.AgreementTable and not (metric.is_accuracy and groups is None):
            what = "groups" if groups is not None else f"metric={metric.name!r}"
            return (
                f"compares the accuracy on independent rows, and does not fit {what}; use "
                "test='paired_permutation'."
            )
    elif pair.counts is not None:
        return (
            "needs the rows themselves, and counts tell only how many there are of each kind; "
            "use test='paired_permutation' or test='paired_bootstrap', or pass the rows."
        )
    elif declared(procedure).ordered_units and not pair.ordered:
        return "needs rows in time order: pass order=."
    for argument in WEIGHING:
        if getattr(pair, argument) is not None:
            return (
                f"does not support {argument}; use test='paired_permutation', or "
                "test='paired_bootstrap', which keeps the sizes of strata."
            )
    if kind is stats.PairedScores and row_scores(pair) is None:
        return (
            f"needs a score for every row, and {metric.name} has none (it is not a mean over "
            "rows); use test='paired_permutation' or test='paired_bootstrap'."
        )
    if kind is stats.PairedScores and groups is None and declared(procedure).needs == "groups":
        return "needs groups: pass groups=, one label per row."
    return ""


def agreement_of(pair: stats.Predictions) -> stats.AgreementTable:
    """Return counts of the rows on which both, one or none of two systems is right."""
    a, b = right_rows(pair)
    both, right_a, right_b = rows_where(pair, a & b), rows_where(pair, a), rows_where(pair, b)
    neither = pair.n_rows - right_a - right_b + both
    return stats.AgreementTable(both, right_a - both, right_b - both, neither)


def binary_scores(predictions: stats.Predictions) -> stats.BinaryScores:
    """Return scores for instances of two classes, of two or more systems."""
    scores: stats.BinaryScores = facts.compute_once(predictions, _areas, predictions.metric)
    return scores


def _areas(predictions: stats.Predictions, metric: Any) -> stats.BinaryScores:
    rows, groups = metric.prepared(predictions), predictions.groups
    if any(output.ndim > 1 for output in rows.outputs.values()):
        raise ValueError("DeLong's test needs two classes; use test='paired_permutation'.")
    return stats.BinaryScores.from_scores(rows.y_true, rows.outputs, groups=groups)


def part_of(
    predictions: stats.Predictions, rows: Any, outputs: Any = None, **extra: Any
) -> stats.Predictions:
    """Return predictions for some rows; a row may be repeated."""
    arrays = {name: getattr(predictions, name) for name in ("y_true", *BESIDE)}
    extra |= {name: array[rows] for name, array in arrays.items() if array is not None}
    if outputs is None:
        outputs = {name: array[rows] for name, array in predictions.outputs.items()}
    return replace(predictions, outputs=outputs, **extra)


def named_predictions(predictions: Any) -> dict[str, Any]:
    """Return predictions by name of the system."""
    is_frame = hasattr(predictions, "columns")
    if not is_frame and not isinstance(predictions, Mapping):
        raise TypeError(
            "predictions must be a mapping (or DataFrame) of name to predictions, got "
            f"{type(predictions).__name__}: {{'nb': nb.predict(X_test), 'tree': ...}}."
        )
    names = predictions.columns if is_frame else predictions
    named = {str(name): predictions[name] for name in names}
    if is_frame and (index := [n for n in named if read_name(n).is_index]):
        raise ValueError(
            f"column {index[0]!r} of predictions looks like names of the rows, and not like "
            "predictions of a system: drop it, or make it the index."
        )
    if len(named) < 2:
        raise ValueError(f"predictions holds {len(named)} system(s); at least 2 are compared.")
    return named


@dataclass(frozen=True, kw_only=True, eq=False)
class Seeded(OnTestSet):
    """Systems with predictions of several random seeds.

    `sample` holds the scores of all seeds, and the predictions as its `runs`.

    Attributes
    ----------
    seeds : str
        How seeds are compared: one of `SEEDS`.
    n_systems : int
        Number of systems in the comparison, of which this may be a pair.
    """

    seeds: str
    n_systems: int

    @staticmethod
    def check(
        seeds: Any, question: Question, names: Collection[str], *, ordered: bool, sliced: bool
    ) -> None:
        """Refuse options that cannot be combined with several seeds."""
        if seeds is None:
            raise ValueError(
                "paired_seeds=True says how seeds belong together; pass seeds= too."
            )
        check_choice("seeds", seeds, SEEDS)
        pairs_of([*names], question.control)
        test, adjustment = question.test, question.adjustment
        if ordered:
            raise ValueError("seeds cannot be combined with order.")
        if sliced and seeds not in ("crossed", "average"):
            raise ValueError(
                f"by= and seeds={seeds!r} cannot be combined: use seeds='crossed', of which "
                "seeds and rows are random in every slice, or seeds='average'."
            )
        if test != "auto" and seeds not in ("per-seed", "pooled"):
            raise ValueError(
                f"test={test!r} and seeds={seeds!r} exclude each other: seeds choose the test. "
                "Use seeds='per-seed' or seeds='pooled' with a test."
            )
        if len(names) > 2 and (adjustment == "max-t" or seeds == "per-seed"):
            raise ValueError(
                f"adjustment={adjustment!r} with seeds={seeds!r} is possible for two systems "
                "only; use adjustment='holm' and seeds='crossed'."
            )

    @classmethod
    def read(
        cls, y_true: Any, named: Any, *, seeds: str, paired_seeds: bool, **rows: Any
    ) -> Self:
        """Return the comparison of systems with a sequence of predictions for every seed."""
        by_system = {name: runs_of(name, values) for name, values in named.items()}
        n_seeds = {name: len(per_seed) for name, per_seed in by_system.items()}
        outputs = {
            f"{name}, seed {number}": output
            for name, per_seed in by_system.items()
            for number, output in enumerate(per_seed, start=1)
        }
        runs = stats.Predictions(y_true, outputs, **rows)
        sample = stats.SeedScores.of_runs(runs, n_seeds, paired_seeds=paired_seeds)
        names = tuple(by_system)
        return cls.of(runs, sample=sample, names=names, seeds=seeds, n_systems=len(names))

    @property
    def predictions(self) -> stats.Predictions:
        return self.sample.runs

    def take(self, pair: Pair) -> Any:
        two = replace(self, sample=self.sample.take(pair), names=pair, of_family=True)
        if self.seeds in ("per-seed", "pooled"):
            two.check_seed_by_seed()
        return two._pooled() if self.seeds == "pooled" else two

    def check_seed_by_seed(self) -> None:
        """Refuse two systems with unequal numbers of seeds."""
        (a, b), (n_a, n_b) = self.names, self.sample.n_seeds
        if n_a != n_b:
            raise ValueError(
                f"seeds={self.seeds!r} goes seed by seed, but {a} has {n_a} and {b} {n_b}; use "
                "seeds='crossed'."
            )

    def _pooled(self) -> Predicted:
        """Return two systems with the rows of all seeds together, as if they were more rows."""
        runs, n_seeds = self.predictions, self.sample.n_seeds[0]
        outputs, rows = list(runs.outputs.values()), np.tile(np.arange(runs.n_rows), n_seeds)
        both = np.concatenate(outputs[:n_seeds]), np.concatenate(outputs[n_seeds:])
        pooled = part_of(runs, rows, outputs=dict(zip(self.names, both, strict=True)))
        ignored = (
            "that each row comes once per seed: the same row is counted as several",
            "that the rows of one seed share it",
        )
        pooling = Facts(pooled_seeds=True)
        return Predicted.of(pooled, facts=pooling, ignored=ignored, of_family=True)

    @cached_property
    def _rows(self) -> stats.SeedScores | None:
        """Scores of rows by seed, or pseudo-values in their place; None if there are none."""
        runs, scores = self.predictions, None
        if runs.groups is runs.sample_weight is runs.strata is None:
            scores = row_scores(runs)
        if scores is None and self.seeds == "crossed" and runs.groups is None:
            scores = pseudo_values(runs)
        if scores is None:
            return None
        n_a, paired = self.sample.n_seeds[0], self.sample.paired_seeds
        both = {"a": np.array(scores[:n_a]), "b": np.array(scores[n_a:])}
        return stats.SeedScores(both, paired_seeds=paired)

    def choose(self, question: Question) -> Chosen:
        if len(self.names) > 2:
            return stats.seeded_bootstrap, None  # every pair then chooses its own test
        facts = question.facts | {"seeds": self.seeds, "by_rows": self._rows is not None}
        facts |= {"n_seeds": max(2, min(self.sample.n_seeds)), "n_systems": self.n_systems}
        situation = guide.Situation.of(self.predictions, **facts)
        procedure = guide.procedure_for(situation)
        if self._rows is None and self.seeds != "means":
            procedure = partial(procedure, resample_seeds=self.seeds == "crossed")
        return procedure, situation

    def choose_of_pair(self, pair: Any, chosen: Chosen, question: Question) -> Chosen:
        return pair.choose(question)

    def sample_for(self, procedure: Procedure) -> Any:
        if self._rows is not None:
            return self._rows
        if self.seeds != "means":
            return self.sample
        self.check_seed_by_seed()
        if not self.sample.paired_seeds:
            raise ValueError(
                "seeds='means' needs paired_seeds=True here (only plain means over rows are "
                "compared without); use seeds='crossed'."
            )
        return self.sample.per_seed()

    def design_of(self, procedure: Procedure, outcome: stats.Comparison) -> Mapping[str, Any]:
        if self.seeds == "pooled":
            return self.take((self.names[0], self.names[1])).design_of(procedure, outcome)
        runs = self.predictions
        *numbers, last = map(str, self.sample.n_seeds)
        paired = "paired" if self.sample.paired_seeds else "not paired"
        notes = [
            f"{runs.n_rows} rows",
            f"{', '.join(numbers)} and {last} seeds, {paired}",
            *([f"{runs.n_units} groups"] if runs.groups is not None else []),
        ]
        return {"kind": "one test set, several seeds", "notes": notes}

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        runs = self.predictions
        return Facts(
            is_mean=runs.metric.is_mean,
            n_seeds=min((n for n in self.sample.n_seeds if n > 1), default=None),
            equal_to_truth=facts.equal_to_truth(runs),
        )

    def summary(self, samples: Any) -> PredictionsSummary:
        return PredictionsSummary(
            names=self.names,
            unit=samples[0].unit,
            n_units=samples[0].n_units,
            n_rows=self.predictions.n_rows,
            ordered=False,
            scores=tuple(float(scores.mean()) for scores in self.sample.scores.values()),
        )

    def part(self, rows: NDArray[np.int64], *, one_by_one: bool) -> Self:
        scores = self.sample
        part = part_of(self.predictions, rows)
        n_seeds = dict(zip(scores.names, scores.n_seeds, strict=True))
        sample = stats.SeedScores.of_runs(part, n_seeds, paired_seeds=scores.paired_seeds)
        return replace(self, sample=sample, n_systems=2)

    def seed_by_seed(self, question: Question) -> SeedsEvidence:
        """Compare two systems separately for every seed."""
        question = self.affordable(question)
        (pair,) = pairs_of(self.names, question.control)
        runs = self.take(pair).predictions
        all_runs, n_seeds, reports = Predicted.of(runs), len(runs.names) // 2, []
        for a, b in zip(runs.names[:n_seeds], runs.names[n_seeds:], strict=True):
            two = replace(all_runs.take((a, b)), of_family=False)
            report = ask(two, two.choose(question), question)
            reports.append(report.named(pair))  # without the seed
        return SeedsEvidence(names=pair, parts=tuple(reports))


def runs_of(name: str, values: Any) -> list[Any]:
    """Return the predictions of every seed of a system."""
    if hasattr(values, "columns"):
        return [values[column] for column in values.columns]
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray):
        raise TypeError(
            f"predictions[{name!r}] must be a sequence of predictions, one per seed, got "
            f"{type(values).__name__}."
        )
    runs = list(values)
    if not runs or any(np.ndim(run) == 0 for run in runs):
        raise ValueError(
            f"predictions[{name!r}] must hold one sequence of predictions per seed (shape "
            "(n_seeds, n_rows))."
        )
    return runs
