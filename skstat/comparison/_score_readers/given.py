"""The one form that all kinds of scores are read into."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skstat._times import Times
from skstat.comparison._score_readers.description import Description
from skstat.evaluation import CrossValidationRun, DatasetsRun
from skstat.evaluation._inputs import is_error
from skstat.stats import ClusteredScores, PairedScores, Scores, ScoreTable, SeedScoreTable

Sample = Scores | PairedScores | ClusteredScores | ScoreTable | SeedScoreTable


@dataclass(frozen=True, kw_only=True)
class GivenRun:
    """Estimators of a run, by some of its metrics."""

    run: CrossValidationRun
    names: tuple[str, ...]
    metrics: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class GivenDatasetsRun:
    """A run over many data sets, by some of its metrics."""

    run: DatasetsRun
    metrics: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class GivenSamples:
    """Scores without a run.

    Attributes
    ----------
    samples : mapping of str to sample
        By metric. A pair is one that the caller made: other scores of two systems are a
        table, so that either of the two can be the control.
    names : tuple of str
        The systems, of which a pair or the scores of one system do not know the names.
    design : mapping
        Facts of the splits or items, for the report.
    designs : mapping of str to mapping
        The same of a metric, where each has facts of its own.
    times : mapping of str to Times, or None
        How long each system took, if that was measured.
    facts : mapping of str to mapping
        What the doubts of a metric's report go by beside its sample: fields of `Context`.
    tasks : mapping of str to ndarray
        Task of every item of a metric's sample, where that was asked for.
    """

    samples: Mapping[str, Sample]
    names: tuple[str, ...]
    design: dict[str, Any] = field(default_factory=dict)
    times: Mapping[str, Times] | None = None
    designs: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tasks: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for metric, sample in self.samples.items():
            _refuse_errors_as_scores(metric, sample)


Given = GivenRun | GivenDatasetsRun | GivenSamples
Reader = Callable[[Any, Description], Given | None]


def _refuse_errors_as_scores(metric: str, sample: Sample) -> None:
    """Refuse scores whose name says that lower is better: the winner would be the loser."""
    if getattr(sample, "higher_is_better", True) and is_error(metric):
        raise ValueError(
            f"scoring={metric!r} names an error, of which lower is better, and higher scores "
            f"count as better: pass the negated errors with scoring='neg_{metric}', or "
            "skstat.stats.ScoreTable(errors, higher_is_better=False)."
        )
