"""Which reader reads what, and which way the scores that were read are better."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

import numpy as np

from skstat import _directions as directions
from skstat import stats
from skstat.comparison._score_readers import frames, holders, results
from skstat.comparison._score_readers.description import (
    Description,
    Given,
    GivenDatasetsRun,
    GivenRun,
    Reader,
    Sample,
)


def with_directions(given: Given, higher_is_better: Any) -> Given:
    """Decide which way every metric is better, and turn scores of which lower is.

    Parameters
    ----------
    given : GivenRun, GivenDatasetsRun or GivenSamples
        What was read, with the signs that it had.
    higher_is_better : bool, mapping of str to bool, or None
        What the caller says.
    """
    if isinstance(given, GivenRun | GivenDatasetsRun):
        _refuse_scorers(directions.said_of(higher_is_better, list(given.metrics)))
        return given
    said = directions.said_of(higher_is_better, list(given.samples))
    samples, decided = {}, {}
    for metric, sample in given.samples.items():
        columns, up = _columns(sample, given.names), said.get(metric)
        scores = np.concatenate([*columns.values()])
        directions.check_numbers(metric, scores, partial(_system_at, columns))
        if given.of_sample:
            decided[metric] = _of_sample(metric, sample, up)
        else:
            declared, of_scorer = given.declared.get(metric), given.of_scorer
            decided[metric] = directions.decide(
                metric, scores, said=up, declared=declared, of_scorer=of_scorer
            )
        turned = not given.of_sample and not decided[metric].higher
        samples[metric] = _turned(sample) if turned else sample
    return replace(given, samples=samples, directions=decided)


def _refuse_scorers(said: Mapping[str, bool]) -> None:
    for metric, up in said.items():
        if not up:
            raise ValueError(
                f"higher_is_better: {metric!r} was computed by a scorer, of which higher is "
                "always better. For a loss pass make_scorer(..., greater_is_better=False) as "
                "scoring= where the estimators are fitted."
            )


def _of_sample(metric: str, sample: Sample, said: bool | None) -> directions.Direction:
    """Return the direction of a sample that the caller made: it holds scores, or says so."""
    higher = getattr(sample, "higher_is_better", True)
    if said is not None and said != higher:
        raise ValueError(
            f"higher_is_better={said}: in this {type(sample).__name__} "
            f"{'higher' if higher else 'lower'} counts as better. Make it of scores of which "
            "higher is better, or hand in the bare numbers."
        )
    # The winner would be the loser.
    if higher and said is None and directions.direction_of(metric) is False:
        raise ValueError(
            f"scoring={metric!r} names a loss, of which lower is better, and in this "
            f"{type(sample).__name__} higher counts as better. Hand in the bare numbers, or "
            f"the negated losses with scoring='neg_{metric}'; for scores all the same pass "
            "higher_is_better=True."
        )
    return directions.Direction(
        higher, is_loss=directions.is_negated_loss(metric) or not higher
    )


def _columns(sample: Sample, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the scores of every system of a sample."""
    if isinstance(sample, stats.SeedScores):
        return dict(sample.scores)
    if isinstance(sample, stats.ScoreTable):
        return dict(zip(sample.names, sample.instances.T, strict=True))
    if isinstance(sample, stats.Scores):
        return {names[0]: np.ravel(sample.values)}
    return dict(zip(names, (np.ravel(sample.a), np.ravel(sample.b)), strict=True))


def _system_at(columns: Mapping[str, np.ndarray], place: int) -> str:
    """Return whose score stands at a place of the columns, one below the other."""
    ends = np.cumsum([len(own) for own in columns.values()])
    return list(columns)[int(np.searchsorted(ends, place, side="right"))]


def _turned(sample: Sample) -> Sample:
    """Turn a sample of bare numbers of which lower is better."""
    if isinstance(sample, stats.SeedScores):
        return stats.SeedScores({name: 0.0 - own for name, own in sample.scores.items()})
    if isinstance(sample, stats.ScoreTable):
        return replace(sample, scores=sample.instances, higher_is_better=False)
    assert isinstance(sample, stats.Scores)  # pairs are the caller's own
    return replace(sample, values=0.0 - np.asarray(sample.values))


# Each reads one kind, and returns None of any other; the last one takes what is left.
READERS: tuple[Reader, ...] = (
    holders.read_run,
    holders.read_sample,
    results.read_logged,
    frames.read_frame,
    holders.read_results,
    holders.read_columns,
    holders.read_array,
)


def read_scores(scores: Any, described: Description) -> Given:
    """Read what the caller handed in, and refuse what does not fit to its description."""
    if isinstance(scores, str | PathLike):
        raise ValueError(
            f"scores={str(scores)!r} is a text, and no numbers: a file is read by "
            f"skstat.io.read_results, as in {described.door}(read_results({str(scores)!r}))."
        )
    scores, described = frames.with_levels_as_columns(scores, described)
    found = (read(scores, described) for read in READERS)
    given = next(given for given in found if given is not None)
    return with_directions(given, described.higher_is_better)
