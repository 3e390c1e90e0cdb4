"""Several seeds of each system on one test set, and in slices of its rows."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison import _guide as guide
from skstat.comparison._engine.classes import beside_largest_class, class_sizes_of
from skstat.comparison._engine.family import AskedPairs
from skstat.comparison._engine.pair import ask_sample, design_with_seed, seeds_drawn_by
from skstat.comparison._engine.row_facts import equal_to_truth
from skstat.comparison._engine.slices import AskedSlice, ask_slices, on_all_rows
from skstat.comparison._engine.systems import report_on
from skstat.comparison._engine.test_set import Resampling, ask_pair
from skstat.comparison._procedures import Procedure, sample_types
from skstat.comparison._question import Question
from skstat.evaluation._slices import Slices
from skstat.metrics import ScoreMetric, row_scores
from skstat.metrics._metric import bounds_of
from skstat.report._doubts import Facts
from skstat.report._evidence import PairEvidence, SeedsEvidence, SlicesEvidence, SystemsEvidence
from skstat.stats import CrossedScores, PairedScores, Predictions, SeededPredictions
from skstat.stats._common import subclasses_of
from skstat.stats._pairwise import pairs_of
from skstat.stats._samples import PredictionsSummary
from skstat.stats._seeds import pseudo_values

SEEDS = ("crossed", "average", "means", "per-seed", "pooled")
_WITH_SLICES = ("crossed", "average")


def ask_seeds(
    y_true: Any,
    predictions: Mapping[str, Any],
    metric: ScoreMetric,
    seeds: str,
    question: Question,
    resampling: Resampling,
    *,
    rows: Mapping[str, Any],
    paired_seeds: bool,
    of_family: bool = False,
) -> PairEvidence | SystemsEvidence | SeedsEvidence:
    """Compare systems by the predictions of all their seeds.

    The verdict on a slice, one of a family, rests on its adjusted p-value.
    """
    runs = {name: runs_of(name, values) for name, values in predictions.items()}
    if rows["order"] is not None:
        raise ValueError("seeds cannot be combined with order.")
    test, control, adjustment = question.test, question.control, question.adjustment
    if test != "auto" and seeds not in ("per-seed", "pooled"):
        raise ValueError(
            f"test={test!r} and seeds={seeds!r} exclude each other: seeds choose the test. Use "
            "seeds='per-seed' or seeds='pooled' with a test."
        )
    pairs = pairs_of(list(runs), control)
    of_family = of_family or len(pairs) > 1
    if len(pairs) > 1 and (adjustment == "max-t" or seeds == "per-seed"):
        raise ValueError(
            f"adjustment={adjustment!r} with seeds={seeds!r} is possible for two systems only; "
            "use adjustment='holm' and seeds='crossed'."
        )
    family = {
        "n_systems": len(runs),
        "control": control is not None,
        "adjustment": adjustment,
    }
    reports: list[PairEvidence] = []
    for a, b in pairs:
        asked = _SeededPair(
            y_true, (a, b), (runs[a], runs[b]), metric, dict(rows), paired_seeds
        )
        resampling = resampling.for_metric(asked.every_run)
        if seeds == "per-seed":
            return _per_seed(asked, question, resampling)
        if seeds == "pooled":
            reports.append(_pooled(asked, question, resampling, of_family))
        else:
            found = _over_seeds(asked, seeds, question, resampling, family, of_family)
            reports.append(found)
    class_sizes = class_sizes_of(asked.every_run)
    if len(reports) == 1:
        return beside_largest_class(reports[0], class_sizes)
    design = reports[0].design
    if seeds != "pooled":
        n_seeds = [len(outputs) for outputs in runs.values()]
        design = _design(asked, reports[0].sample, n_seeds, resampling)
    report = report_on(
        _summary(list(runs), reports, asked.every_run.n_rows),
        AskedPairs.of_reports(reports),
        question,
        design=dict(design),
    )
    return beside_largest_class(report, class_sizes)


def _summary(names: list[str], reports: list[PairEvidence], n_rows: int) -> PredictionsSummary:
    """Scores of all systems over their seeds, as every pair has them."""
    scores = {
        name: summary["mean"]
        for report in reports
        for name, summary in zip(report.names, report.compared.summaries(), strict=True)
    }
    return PredictionsSummary(
        names=tuple(names),
        unit=reports[0].unit,
        n_units=reports[0].n_units,
        n_rows=n_rows,
        ordered=False,
        scores=tuple(scores[name] for name in names),
    )


class _SeededPair:
    """The runs of two systems."""

    def __init__(
        self,
        y_true: Any,
        names: tuple[str, str],
        runs: tuple[list[Any], list[Any]],
        metric: ScoreMetric,
        rows: dict[str, Any],
        paired_seeds: bool,
    ) -> None:
        self.y_true, self.names, self.runs = y_true, names, runs
        self.metric, self.rows, self.paired_seeds = metric, rows, paired_seeds
        self.n_seeds = (len(runs[0]), len(runs[1]))
        if paired_seeds and self.n_seeds[0] != self.n_seeds[1]:
            raise ValueError(
                f"paired_seeds=True needs as many seeds of {names[0]} as of {names[1]}, got "
                f"{self.n_seeds[0]} and {self.n_seeds[1]}."
            )

    @cached_property
    def every_run(self) -> Predictions:
        """Each run as a system of its own."""
        outputs = {
            f"{name}, seed {number}": output
            for name, outputs in zip(self.names, self.runs, strict=True)
            for number, output in enumerate(outputs, start=1)
        }
        return Predictions(self.y_true, outputs, self.metric, **self.rows)

    def by_index(self, seeds: str) -> None:
        """Refuse what goes seed by seed if the seeds cannot be matched."""
        if self.n_seeds[0] != self.n_seeds[1]:
            raise ValueError(
                f"seeds={seeds!r} goes seed by seed, but {self.names[0]} has "
                f"{self.n_seeds[0]} and {self.names[1]} {self.n_seeds[1]}; use "
                "seeds='crossed'."
            )


def _over_seeds(
    asked: _SeededPair, seeds: str, question: Question, resampling: Resampling,
    family: dict[str, Any], of_family: bool,
) -> PairEvidence:  # fmt: skip
    """Crossed seeds and rows, seeds averaged, or one score per seed."""
    runs = asked.every_run
    n_a, n_b = asked.n_seeds
    options: dict[str, Any] = {}
    scores = None
    if all(asked.rows[name] is None for name in ("groups", "sample_weight", "strata")):
        scores = row_scores(runs)
    if scores is None and seeds == "crossed" and asked.rows["groups"] is None:
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
        sample = CrossedScores(
            np.array(scores[:n_a]), np.array(scores[n_a:]), paired_seeds=asked.paired_seeds
        )
    elif seeds == "means":
        asked.by_index(seeds)
        if not asked.paired_seeds:
            raise ValueError(
                "seeds='means' needs paired_seeds=True here (only plain means over rows are "
                "compared without); use seeds='crossed'."
            )
        values = runs.scores
        sample = PairedScores(values[:n_a], values[n_a:], unit="seed")
    else:
        sample = SeededPredictions(runs, asked.n_seeds, asked.paired_seeds)
        options = {
            **resampling.options(procedure),
            "resample_seeds": seeds == "crossed",
        }
    facts = Facts(
        is_mean=asked.metric.is_mean,
        n_seeds=min((n for n in asked.n_seeds if n > 1), default=None),
        equal_to_truth=equal_to_truth(runs.y_true, runs.outputs),
    )
    report = ask_sample(
        procedure,
        sample,
        question,
        names=asked.names,
        metric=asked.metric.name,
        is_loss=asked.metric.is_loss,
        facts=facts,
        choice=choice,
        options=options,
        of_family=of_family,
    )
    return replace(
        report,
        design=_design(asked, sample, asked.n_seeds, resampling),
        direction_assumed=asked.metric.direction_assumed,
        bounds=bounds_of(asked.metric),
    )


def _design(
    asked: _SeededPair, sample: Any, n_seeds: Sequence[int], resampling: Resampling
) -> dict[str, Any]:
    """Facts of the test set and the seeds of every system, for the report."""
    runs = asked.every_run
    *numbers, last = map(str, n_seeds)
    paired = "paired" if asked.paired_seeds else "not paired"
    drawn = isinstance(sample, SeededPredictions)
    notes = [
        f"{runs.n_rows} rows",
        f"{', '.join(numbers)} and {last} seeds, {paired}",
        *([f"{runs.n_units} groups"] if runs.groups is not None else []),
        *([resampling.note] if drawn and resampling.note else []),
        *([f"random_state={resampling.seed}"] if drawn else []),
    ]
    return {"kind": "one test set, several seeds", "notes": notes}


def _pooled(
    asked: _SeededPair, question: Question, resampling: Resampling, of_family: bool
) -> PairEvidence:
    """Every row of every seed as if it were a row of its own."""
    asked.by_index("pooled")
    n_seeds = asked.n_seeds[0]
    alone = asked.every_run  # checked once, row by row

    def repeated(values: Any) -> Any:
        return None if values is None else np.concatenate([values] * n_seeds)

    outputs = list(alone.outputs.values())
    pooled = Predictions(
        repeated(alone.y_true),
        {
            asked.names[0]: np.concatenate(outputs[:n_seeds]),
            asked.names[1]: np.concatenate(outputs[n_seeds:]),
        },
        asked.metric,
        **{
            name: repeated(getattr(alone, name))
            for name in ("groups", "sample_weight", "strata")
        },
    )
    pair = pooled.pair(*asked.names)
    procedure, choice = guide.choose_for_test_set(question.test, pair)
    return ask_pair(
        pair, procedure, question, resampling,
        facts=Facts(pooled_seeds=True), choice=choice, of_family=of_family,
        ignored_variance=(
            "that each row comes once per seed: the same row is counted as several",
            "that the rows of one seed share it",
        ),
    )  # fmt: skip


def _per_seed(asked: _SeededPair, question: Question, resampling: Resampling) -> SeedsEvidence:
    """One comparison for each seed: a description of how much depends on the seed."""
    asked.by_index("per-seed")
    runs = asked.every_run
    n = asked.n_seeds[0]
    reports = []
    for a, b in zip(runs.names[:n], runs.names[n:], strict=True):
        pair = runs.pair(a, b)
        procedure, choice = guide.choose_for_test_set(question.test, pair)
        found = ask_pair(pair, procedure, question, resampling, choice=choice)
        reports.append(replace(found, names=asked.names))  # without the seed
    return SeedsEvidence(names=asked.names, parts=tuple(reports))


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
    slices: Slices,
    y_true: Any,
    predictions: Mapping[str, Any],
    metric: ScoreMetric,
    seeds: str,
    question: Question,
    resampling: Resampling,
    *,
    rows: Mapping[str, Any],
    paired_seeds: bool,
) -> SlicesEvidence:
    """Compare systems by all their seeds, on all rows and in every slice.

    Slices share the seeds, and with them what these do to the systems: their errors correlate,
    which is left out of the adjustment (it is careful whatever the correlation is).

    Parameters
    ----------
    slices : Slices
        The rows of every slice.
    y_true, predictions, metric, seeds, question, resampling, rows, paired_seeds
        As in :func:`ask_seeds`.
    """
    known = {"metric": metric, "seeds": seeds, "resampling": resampling}
    ask: Any = partial(ask_seeds, **known, paired_seeds=paired_seeds)  # type: ignore[arg-type]
    of_part = replace(question, control=None, adjustment="auto")
    runs = {name: runs_of(name, values) for name, values in predictions.items()}
    # All in one order of the rows, which labels may give.
    flat = {(name, k): own for name, each in runs.items() for k, own in enumerate(each)}
    numbered = {str(place): own for place, own in enumerate(flat.values())}
    whole = Predictions(y_true, numbered, metric, **rows)

    def part_of(places: NDArray[np.int64], _: bool) -> dict[str, Any]:
        found: dict[str, list[Any]] = {name: [] for name in runs}
        for (name, _number), own in zip(flat, whole.outputs.values(), strict=True):
            found[name].append(own[places])
        beside = {
            argument: None if values is None else values[places]
            for argument in rows
            for values in [getattr(whole, argument, None)]
        }
        return {"y_true": whole.y_true[places], "predictions": found, "rows": beside}

    def ask_part(part: dict[str, Any], names: tuple[str, str]) -> AskedSlice:
        two = {name: part["predictions"][name] for name in names}
        found = ask(**part | {"predictions": two}, question=of_part, of_family=True)
        return AskedSlice(report=found)

    overall = ask(y_true, predictions, question=on_all_rows(question), rows=rows)
    return ask_slices(overall, slices, part_of, ask_part, question, unit_of_row=whole.groups)


def ask_seed_scores(
    table: stats.SeedScoreTable,
    test: str | Procedure,
    question: Question,
    **about: Any,
) -> PairEvidence | SystemsEvidence:
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
    seed = question.seed
    drawn = seeds_drawn_by(procedure, seed, *(report.outcome for report in reports))
    return report_on(
        table,
        AskedPairs.of_reports(reports),
        question,
        choice=choice,
        design=design_with_seed(_described(table.n_seeds), seed, *drawn),
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
