"""The one form that all kinds of scores are read into."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skstat._directions import Direction
from skstat._times import Times
from skstat.comparison._score_readers.description import Description
from skstat.evaluation import CrossValidationRun, DatasetsRun
from skstat.report._doubts import Facts
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
    facts : mapping of str to Facts
        What the doubts of a metric's report go by beside its sample.
    tasks : mapping of str to ndarray
        Task of every item of a metric's sample, where that was asked for.
    slices : mapping of str to mapping
        The columns of every item of a metric's sample by which slices are cut, by their names.
    items : mapping of str to sequence of str
        The items of a metric's sample, where they were read from rows that name them.
    row_items : sequence of str
        The item of every row that was handed in, for these.
    directions : mapping of str to Direction
        Which way every metric is better. Readers leave it out: :func:`read_scores` decides, and
        turns samples of which lower is better.
    declared : mapping of str to bool
        Whether higher is better by what the scores were read from, where that says so.
    of_scorer : bool
        Whether scorers of scikit-learn computed the scores, of which higher is better.
    of_sample : bool
        Whether the caller made the sample, which says itself which way is better.
    """

    samples: Mapping[str, Sample]
    names: tuple[str, ...]
    design: dict[str, Any] = field(default_factory=dict)
    times: Mapping[str, Times] | None = None
    designs: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    facts: Mapping[str, Facts] = field(default_factory=dict)
    tasks: Mapping[str, Any] = field(default_factory=dict)
    slices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    items: Mapping[str, Sequence[str]] = field(default_factory=dict)
    row_items: Sequence[str] = ()
    directions: Mapping[str, Direction] = field(default_factory=dict)
    declared: Mapping[str, bool] = field(default_factory=dict)
    of_scorer: bool = False
    of_sample: bool = False


Given = GivenRun | GivenDatasetsRun | GivenSamples
Reader = Callable[[Any, Description], Given | None]
