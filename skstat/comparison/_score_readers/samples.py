"""Samples of skstat.stats, which know their units."""

from typing import Any

from skstat.comparison._score_readers.description import Description, letters
from skstat.comparison._score_readers.given import GivenSamples, Sample
from skstat.comparison._score_readers.rows import compared_rows
from skstat.comparison._score_readers.shares import design_of, design_of_datasets
from skstat.stats import (
    ClusteredScores,
    PairedScores,
    Scores,
    ScoreTable,
    SeedScores,
    SeedScoreTable,
)

_SAMPLES = (PairedScores, ClusteredScores, Scores, ScoreTable, SeedScores, SeedScoreTable)


def read_sample(scores: Any, described: Description) -> GivenSamples | None:
    """Take a sample as it is, with names if it has none."""
    if not isinstance(scores, _SAMPLES):
        return None
    described.refuse_units(scores)
    metric = described.metric
    if isinstance(scores, Scores) and not described.one_system:
        raise ValueError("Scores hold one system; give the constant to compare it with.")
    if described.one_system and not isinstance(scores, Scores):
        raise ValueError(
            f"scores is a {type(scores).__name__}, which holds several systems; with constant= "
            "give one, such as Scores(values, unit='instance')."
        )
    sample, names = _with_names(scores, described)
    design = design_of(sample)
    if isinstance(sample, ScoreTable):
        sample, read = compared_rows(sample)
        design |= design_of_datasets(sample, read)
    return GivenSamples(
        samples={metric: sample}, names=names, designs={metric: design}, of_sample=True
    )


def _with_names(scores: Any, described: Description) -> tuple[Sample, tuple[str, ...]]:
    if isinstance(scores, ScoreTable | SeedScoreTable):
        names = described.chosen(scores.names)
        whole = names == scores.names
        return scores if whole else scores.take(names), names
    described.refuse_systems(scores)
    if isinstance(scores, Scores):
        return scores, letters(1)
    names = letters(2)
    if isinstance(scores, SeedScores):
        return SeedScoreTable(dict(zip(names, (scores.a, scores.b), strict=True))), names
    return scores, names
