"""Predictions of several seeds of every system, as what is compared."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison import _guide as guide
from skstat.comparison._engine.ask import Chosen, ask
from skstat.comparison._engine.facts import equal_to_truth
from skstat.comparison._engine.joint import Pair
from skstat.comparison._engine.predicted import OnTestSet, Predicted, part_of
from skstat.comparison._question import Procedure, Question
from skstat.metrics import row_scores
from skstat.report._doubts import Facts
from skstat.report._evidence import SeedsEvidence
from skstat.stats import Comparison, Predictions, SeedScores
from skstat.stats._pairwise import pairs_of
from skstat.stats._predictions import PredictionsSummary
from skstat.stats._procedure import check_choice
from skstat.stats._seeds import pseudo_values

SEEDS = ("crossed", "average", "means", "per-seed", "pooled")


@dataclass(frozen=True, kw_only=True, eq=False)
class Seeded(OnTestSet):
    """Systems of which there are predictions of several seeds.

    `sample` holds the scores of all seeds, and the predictions as its `runs`.

    Attributes
    ----------
    seeds : str
        How they are compared.
    n_systems : int
        Number of systems that are compared, for a pair of several.
    """

    seeds: str
    n_systems: int

    @classmethod
    def read(
        cls, y_true: Any, named: Any, *, seeds: str, paired_seeds: bool, **rows: Any
    ) -> Self:
        """Read one sequence of predictions for each seed of every system."""
        each = {name: runs_of(name, values) for name, values in named.items()}
        n_seeds = {name: len(own) for name, own in each.items()}
        outputs = {
            f"{name}, seed {number}": output
            for name, own in each.items()
            for number, output in enumerate(own, start=1)
        }
        runs = Predictions(y_true, outputs, **rows)
        sample = SeedScores.of_runs(runs, n_seeds, paired_seeds=paired_seeds)
        names = tuple(each)
        return cls.of(runs, sample=sample, names=names, seeds=seeds, n_systems=len(names))

    @property
    def predictions(self) -> Predictions:
        return self.sample.runs

    def take(self, pair: Pair) -> Any:
        found = replace(self, sample=self.sample.take(pair), names=pair, of_family=True)
        if self.seeds in ("per-seed", "pooled"):
            found.check_seed_by_seed()
        return found._pooled() if self.seeds == "pooled" else found

    def check_seed_by_seed(self) -> None:
        """Refuse two systems with unequal numbers of seeds."""
        (a, b), (n_a, n_b) = self.names, self.sample.n_seeds
        if n_a != n_b:
            raise ValueError(
                f"seeds={self.seeds!r} goes seed by seed, but {a} has {n_a} and {b} {n_b}; use "
                "seeds='crossed'."
            )

    def _pooled(self) -> Predicted:
        """Return two systems with every row once per seed, as if there were so many rows."""
        runs, n_seeds = self.predictions, self.sample.n_seeds[0]
        every, rows = list(runs.outputs.values()), np.tile(np.arange(runs.n_rows), n_seeds)
        both = np.concatenate(every[:n_seeds]), np.concatenate(every[n_seeds:])
        pooled = part_of(runs, rows, outputs=dict(zip(self.names, both, strict=True)))
        ignored = (
            "that each row comes once per seed: the same row is counted as several",
            "that the rows of one seed share it",
        )
        facts = Facts(pooled_seeds=True)
        return Predicted.of(pooled, facts=facts, ignored=ignored, of_family=True)

    @cached_property
    def _rows(self) -> SeedScores | None:
        """Scores of the rows of every seed, or what stands for them."""
        runs, found = self.predictions, None
        if runs.groups is runs.sample_weight is runs.strata is None:
            found = row_scores(runs)
        if found is None and self.seeds == "crossed" and runs.groups is None:
            found = pseudo_values(runs)
        if found is None:
            return None
        n_a, paired = self.sample.n_seeds[0], self.sample.paired_seeds
        both = {"a": np.array(found[:n_a]), "b": np.array(found[n_a:])}
        return SeedScores(both, paired_seeds=paired)

    def choose(self, question: Question) -> Chosen:
        if len(self.names) > 2:
            return stats.seeded_bootstrap, None  # every pair by its own
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

    def design_of(self, procedure: Procedure, outcome: Comparison) -> Mapping[str, Any]:
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
            equal_to_truth=equal_to_truth(runs),
        )

    def summary(self, samples: Any) -> PredictionsSummary:
        return PredictionsSummary(
            names=self.names,
            unit=samples[0].unit,
            n_units=samples[0].n_units,
            n_rows=self.predictions.n_rows,
            ordered=False,
            scores=tuple(float(own.mean()) for own in self.sample.scores.values()),
        )

    def part(self, rows: NDArray[np.int64], *, one_by_one: bool) -> Self:
        own = self.sample
        part = part_of(self.predictions, rows)
        n_seeds = dict(zip(own.names, own.n_seeds, strict=True))
        sample = SeedScores.of_runs(part, n_seeds, paired_seeds=own.paired_seeds)
        return replace(self, sample=sample, n_systems=2)


def compare_seed_by_seed(compared: Seeded, question: Question) -> SeedsEvidence:
    """Compare two systems by every seed alone."""
    question = compared.affordable(question)
    (pair,) = pairs_of(compared.names, question.control)
    runs = compared.take(pair).predictions
    every, n_seeds, reports = Predicted.of(runs), len(runs.names) // 2, []
    for a, b in zip(runs.names[:n_seeds], runs.names[n_seeds:], strict=True):
        one = replace(every.take((a, b)), of_family=False)
        found = ask(one, one.choose(question), question)
        reports.append(found.named(pair))  # without the seed
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


def check_seeds(
    seeds: Any, question: Question, names: Collection[str], *, ordered: bool, sliced: bool
) -> None:
    """Refuse what seeds are not asked."""
    if seeds is None:
        raise ValueError("paired_seeds=True says how seeds belong together; pass seeds= too.")
    check_choice("seeds", seeds, SEEDS)
    pairs_of([*names], question.control)
    test, adjustment = question.test, question.adjustment
    if ordered:
        raise ValueError("seeds cannot be combined with order.")
    if sliced and seeds not in ("crossed", "average"):
        raise ValueError(
            f"by= and seeds={seeds!r} cannot be combined: use seeds='crossed', of which seeds "
            "and rows are random in every slice, or seeds='average'."
        )
    if test != "auto" and seeds not in ("per-seed", "pooled"):
        raise ValueError(
            f"test={test!r} and seeds={seeds!r} exclude each other: seeds choose the test. "
            "Use seeds='per-seed' or seeds='pooled' with a test."
        )
    if len(names) > 2 and (adjustment == "max-t" or seeds == "per-seed"):
        raise ValueError(
            f"adjustment={adjustment!r} with seeds={seeds!r} is possible for two systems only; "
            "use adjustment='holm' and seeds='crossed'."
        )
