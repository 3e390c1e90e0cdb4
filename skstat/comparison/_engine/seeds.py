"""Several seeds of each system on one test set, and in slices of its rows."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison import _guide as guide
from skstat.comparison._engine.classes import beside_largest_class, class_sizes_of
from skstat.comparison._engine.pair import ask_sample
from skstat.comparison._engine.row_facts import equal_to_truth
from skstat.comparison._engine.slices import (
    AskedSlice,
    ask_slices,
    on_all_rows,
    part_of_predictions,
)
from skstat.comparison._engine.systems import joined, judged
from skstat.comparison._engine.test_set import affordable, ask_pair
from skstat.comparison._procedures import Procedure, sample_types
from skstat.comparison._question import Question
from skstat.evaluation._slices import Slices
from skstat.metrics import ScoreMetric, row_scores
from skstat.metrics._metric import bounds_of
from skstat.report._doubts import Facts
from skstat.report._evidence import ComparisonEvidence, SeedsEvidence, SlicesEvidence
from skstat.stats import PairedScores, Predictions, SeededPredictions, SeedScores
from skstat.stats._common import subclasses_of
from skstat.stats._pairwise import pairs_of
from skstat.stats._samples import PredictionsSummary
from skstat.stats._seeds import pseudo_values

SEEDS = ("crossed", "average", "means", "per-seed", "pooled")
_WITH_SLICES = ("crossed", "average")


@dataclass(frozen=True, kw_only=True, eq=False)
class SeededRuns:
    """Runs of systems by several seeds, on one test set.

    Attributes
    ----------
    predictions : Predictions
        Each run as a system of its own, those of one system after another.
    n_seeds : mapping of str to int
        Runs of every system.
    paired : bool
        Whether seed i means the same for every system.
    """

    predictions: Predictions
    n_seeds: Mapping[str, int]
    paired: bool

    @classmethod
    def of(
        cls,
        y_true: Any,
        predictions: Mapping[str, Any],
        metric: ScoreMetric,
        rows: Mapping[str, Any],
        paired: bool,
    ) -> Self:
        """Read what the caller handed in."""
        if rows["order"] is not None:
            raise ValueError("seeds cannot be combined with order.")
        runs = {name: runs_of(name, values) for name, values in predictions.items()}
        outputs = {
            _run_name(name, number): output
            for name, each in runs.items()
            for number, output in enumerate(each)
        }
        return cls(
            predictions=Predictions(y_true, outputs, metric, **rows),
            n_seeds={name: len(each) for name, each in runs.items()},
            paired=paired,
        )

    def part(self, rows: Any, names: Sequence[str]) -> Self:
        """Return the runs of some systems on some rows."""
        n_seeds = {name: self.n_seeds[name] for name in names}
        runs = [_run_name(name, k) for name, n in n_seeds.items() for k in range(n)]
        part = part_of_predictions(self.predictions, rows, runs, one_by_one=False)
        return replace(self, predictions=part, n_seeds=n_seeds)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(self.n_seeds)

    def check_seed_by_seed(self, seeds: str = "") -> None:
        """Refuse what goes seed by seed if the seeds of two systems cannot be matched."""
        (a, n_a), (b, n_b) = self.n_seeds.items()
        if n_a != n_b and seeds:
            raise ValueError(
                f"seeds={seeds!r} goes seed by seed, but {a} has {n_a} and {b} {n_b}; use "
                "seeds='crossed'."
            )
        if n_a != n_b:
            raise ValueError(
                f"paired_seeds=True needs as many seeds of {a} as of {b}, got {n_a} and {n_b}."
            )


def _run_name(name: str, number: int) -> str:
    return f"{name}, seed {number + 1}"


def ask_seeds(
    runs: SeededRuns, seeds: str, question: Question, *, of_family: bool = False
) -> ComparisonEvidence | SeedsEvidence:
    """Compare systems by the predictions of all their seeds.

    The verdict on a slice, one of a family, rests on its adjusted p-value.
    """
    test, adjustment = question.test, question.adjustment
    if test != "auto" and seeds not in ("per-seed", "pooled"):
        raise ValueError(
            f"test={test!r} and seeds={seeds!r} exclude each other: seeds choose the test. Use "
            "seeds='per-seed' or seeds='pooled' with a test."
        )
    pairs = pairs_of(runs.names, question.control)
    of_family = of_family or len(pairs) > 1
    if len(pairs) > 1 and (adjustment == "max-t" or seeds == "per-seed"):
        raise ValueError(
            f"adjustment={adjustment!r} with seeds={seeds!r} is possible for two systems only; "
            "use adjustment='holm' and seeds='crossed'."
        )
    family = {
        "n_systems": len(runs.names),
        "control": question.control is not None,
        "adjustment": adjustment,
    }
    reports: list[ComparisonEvidence] = []
    for pair in pairs:
        asked = runs.part(slice(None), pair)
        if asked.paired:
            asked.check_seed_by_seed()
        question = affordable(question, asked.predictions)
        if seeds == "per-seed":
            return _per_seed(asked, question)
        if seeds == "pooled":
            reports.append(_pooled(asked, question, of_family))
        else:
            reports.append(_over_seeds(asked, seeds, question, family, of_family))
    class_sizes = class_sizes_of(runs.predictions)
    if len(reports) == 1:
        return beside_largest_class(reports[0], class_sizes)
    design = reports[0].design
    if seeds != "pooled":
        design = _design(runs, reports[0].sample, question)
    summary = _summary(runs.names, reports, runs.predictions.n_rows)
    report = judged(joined(reports), summary, question, design=dict(design))
    return beside_largest_class(report, class_sizes)


def _summary(
    names: tuple[str, ...], reports: list[ComparisonEvidence], n_rows: int
) -> PredictionsSummary:
    """Scores of all systems over their seeds, as every pair has them."""
    scores = {name: own for report in reports for name, own in report.scores.items()}
    return PredictionsSummary(
        names=names,
        unit=reports[0].unit,
        n_units=reports[0].n_units,
        n_rows=n_rows,
        ordered=False,
        scores=tuple(scores[name] for name in names),
    )


def _over_seeds(
    asked: SeededRuns, seeds: str, question: Question,
    family: dict[str, Any], of_family: bool,
) -> ComparisonEvidence:  # fmt: skip
    """Crossed seeds and rows, seeds averaged, or one score per seed."""
    runs, (n_a, n_b) = asked.predictions, asked.n_seeds.values()
    (a, b), metric = asked.names, runs.metric
    options: dict[str, Any] = {}
    scores = None
    if runs.groups is runs.sample_weight is runs.strata is None:
        scores = row_scores(runs)
    if scores is None and seeds == "crossed" and runs.groups is None:
        scores = pseudo_values(runs)
    choice = guide.recommend(
        guide.Situation.of_predictions(
            runs,
            n_seeds=max(2, min(n_a, n_b)),
            seeds=seeds,
            by_rows=scores is not None,
            **family,
        )
    )
    procedure = guide.procedure_of(choice)
    sample: Any
    if scores is not None:
        of_systems = {"a": np.array(scores[:n_a]), "b": np.array(scores[n_a:])}
        sample = SeedScores(of_systems, paired_seeds=asked.paired)
    elif seeds == "means":
        asked.check_seed_by_seed(seeds)
        if not asked.paired:
            raise ValueError(
                "seeds='means' needs paired_seeds=True here (only plain means over rows are "
                "compared without); use seeds='crossed'."
            )
        values = runs.scores
        sample = PairedScores(values[:n_a], values[n_a:], unit="seed")
    else:
        sample = SeededPredictions(runs, (n_a, n_b), asked.paired)
        options = {"resample_seeds": seeds == "crossed"}
    facts = Facts(
        is_mean=metric.is_mean,
        n_seeds=min((n for n in (n_a, n_b) if n > 1), default=None),
        equal_to_truth=equal_to_truth(runs.y_true, runs.outputs),
    )
    report = ask_sample(
        procedure,
        sample,
        question,
        names=(a, b),
        metric=metric.name,
        is_loss=metric.is_loss,
        facts=facts,
        choice=choice,
        options=options,
        of_family=of_family,
    )
    return replace(
        report,
        design=_design(asked, sample, question),
        direction_assumed=metric.direction_assumed,
        bounds=bounds_of(metric),
    )


def _design(asked: SeededRuns, sample: Any, question: Question) -> dict[str, Any]:
    """Facts of the test set and the seeds of every system, for the report."""
    runs = asked.predictions
    *numbers, last = map(str, asked.n_seeds.values())
    paired = "paired" if asked.paired else "not paired"
    drawn = isinstance(sample, SeededPredictions)
    notes = [
        f"{runs.n_rows} rows",
        f"{', '.join(numbers)} and {last} seeds, {paired}",
        *([f"{runs.n_units} groups"] if runs.groups is not None else []),
        *([question.draws_note] if drawn and question.draws_note else []),
        *([f"random_state={question.seed}"] if drawn else []),
    ]
    return {"kind": "one test set, several seeds", "notes": notes}


def _pooled(asked: SeededRuns, question: Question, of_family: bool) -> ComparisonEvidence:
    """Every row of every seed as if it were a row of its own."""
    asked.check_seed_by_seed("pooled")
    (a, n_seeds), (b, _) = asked.n_seeds.items()
    alone = asked.predictions  # checked once, row by row

    def repeated(values: Any) -> Any:
        return None if values is None else np.concatenate([values] * n_seeds)

    outputs = list(alone.outputs.values())
    pooled = Predictions(
        repeated(alone.y_true),
        {
            a: np.concatenate(outputs[:n_seeds]),
            b: np.concatenate(outputs[n_seeds:]),
        },
        alone.metric,
        **{
            name: repeated(getattr(alone, name))
            for name in ("groups", "sample_weight", "strata")
        },
    )
    pair = pooled.pair(a, b)
    procedure, choice = guide.choose_for_test_set(question.test, pair)
    return ask_pair(
        pair, procedure, question,
        facts=Facts(pooled_seeds=True), choice=choice, of_family=of_family,
        ignored_variance=(
            "that each row comes once per seed: the same row is counted as several",
            "that the rows of one seed share it",
        ),
    )  # fmt: skip


def _per_seed(asked: SeededRuns, question: Question) -> SeedsEvidence:
    """One comparison for each seed: a description of how much depends on the seed."""
    asked.check_seed_by_seed("per-seed")
    runs, (a, b) = asked.predictions, asked.names
    reports = []
    for number in range(asked.n_seeds[a]):
        pair = runs.pair(_run_name(a, number), _run_name(b, number))
        procedure, choice = guide.choose_for_test_set(question.test, pair)
        found = ask_pair(pair, procedure, question, choice=choice)
        reports.append(found.named((a, b)))  # without the seed
    return SeedsEvidence(names=(a, b), parts=tuple(reports))


def runs_of(name: str, values: Any) -> list[Any]:
    """Predictions of each seed of a system."""
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


def check_seeds_in_slices(seeds: str) -> None:
    """Refuse treatments of seeds that have no law for slices."""
    if seeds not in _WITH_SLICES:
        raise ValueError(
            f"by= and seeds={seeds!r} cannot be combined: use seeds='crossed', of which seeds "
            "and rows are random in every slice, or seeds='average'."
        )


def ask_seeds_in_slices(
    slices: Slices, runs: SeededRuns, seeds: str, question: Question
) -> SlicesEvidence:
    """Compare systems by all their seeds, on all rows and in every slice.

    Slices share the seeds, and with them what these do to the systems: their errors correlate,
    which is left out of the adjustment (it is careful whatever the correlation is).
    """
    of_part = replace(question, control=None, adjustment="auto")

    def ask(rows: NDArray[np.int64], names: tuple[str, str]) -> AskedSlice:
        found: Any = ask_seeds(runs.part(rows, names), seeds, of_part, of_family=True)
        return AskedSlice(report=found)

    overall: Any = ask_seeds(runs, seeds, on_all_rows(question))
    groups = runs.predictions.groups
    return ask_slices(overall, slices, lambda rows, _: rows, ask, question, unit_of_row=groups)


def ask_seed_scores(
    table: stats.SeedScores,
    test: str | Procedure,
    question: Question,
    **about: Any,
) -> ComparisonEvidence:
    """Compare systems by the scores of their seeds; the pairs have no joint distribution."""
    _refuse_pairs(test)
    pairs = pairs_of(table.names, question.control)
    several = len(pairs) > 1
    if several and question.adjustment == "max-t":
        raise ValueError(
            "adjustment='max-t' needs scores of all systems on the same units, which unpaired "
            "seeds do not give; use adjustment='holm', or paired_seeds=True if seed i of "
            "every system belongs together."
        )
    compared = table if several else table.pair(*pairs[0])
    procedure, choice = guide.choose(test, compared, question)
    reports = [
        ask_sample(
            procedure,
            table.pair(a, b),
            question,
            names=(a, b),
            choice=None if several else choice,
            design=_described(table.pair(a, b).n_seeds),
            of_family=several,
            **about,
        )
        for a, b in pairs
    ]
    if not several:
        return reports[0]
    return judged(
        joined(reports),
        table,
        question,
        procedure,
        choice=choice,
        design=_described(table.n_seeds),
    )


def _refuse_pairs(test: str | Procedure) -> None:
    """Refuse a test of pairs: nothing pairs these seeds."""
    procedure = getattr(stats, test, None) if isinstance(test, str) else test
    if not inspect.isfunction(procedure):
        return
    if sample_types(procedure) & {stats.PairedScores, *subclasses_of(stats.PairedScores)}:
        raise ValueError(
            f"test={procedure.__name__!r} compares pairs of scores, and seed i of one "
            "system has nothing to do with seed i of another. If it has (the seed "
            "controls the same thing in both), say paired_seeds=True; else leave test out."
        )


def _described(n_seeds: tuple[int, ...]) -> dict[str, Any]:
    counts = ", ".join(map(str, n_seeds[:-1]))
    return {
        "kind": "one score per seed",
        "notes": [f"{counts} and {n_seeds[-1]} seeds, not paired"],
    }
