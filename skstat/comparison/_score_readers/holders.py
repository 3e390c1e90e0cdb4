"""Scores in runs, samples, columns, arrays, and results of scikit-learn's cross_validate."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._times import Times
from skstat.comparison._score_readers.description import (
    COLUMNS,
    UNITS,
    Description,
    GivenDatasetsRun,
    GivenRun,
    GivenSamples,
    Sample,
    letters,
)
from skstat.comparison._score_readers.items import (
    compared_rows,
    design_of,
    indexed_without_sums,
)
from skstat.comparison._score_readers.results import of_seeds, sample_of
from skstat.evaluation import CrossValidationRun, DatasetsRun, Design
from skstat.io._roles import refuse_no_systems
from skstat.stats._read import refuse_other


def read_run(scores: Any, described: Description) -> GivenRun | GivenDatasetsRun | None:
    """Take estimators and metrics of a run on one data set, or on many."""
    if not isinstance(scores, CrossValidationRun | DatasetsRun):
        return None
    described.refuse(scores, UNITS)
    metrics = described.metrics_of(scores)
    if isinstance(scores, DatasetsRun):
        if described.one_system or described.systems is not None:
            raise ValueError(
                "constant= and systems= are for one table of scores; of a run over data sets "
                "take run.table(metric), or choose a control."
            )
        return GivenDatasetsRun(run=scores, metrics=metrics)
    if len(scores.names) < 2 and not described.one_system:
        raise ValueError(f"this run holds {list(scores.names)} only: nothing to compare.")
    return GivenRun(run=scores, names=described.chosen(scores.names), metrics=metrics)


def read_sample(scores: Any, described: Description) -> GivenSamples | None:
    """Take a sample as it is, with names if it has none."""
    if not isinstance(scores, Sample):
        return None
    described.refuse(scores, UNITS)
    metric = described.metric
    if isinstance(scores, stats.Scores) and not described.one_system:
        raise ValueError("Scores hold one system; give the constant to compare it with.")
    if isinstance(scores, stats.SeedScores):
        of_seeds(scores)
    if described.one_system and not isinstance(scores, stats.Scores):
        raise ValueError(
            f"scores is a {type(scores).__name__}, which holds several systems; with constant= "
            "give one, such as Scores(values, unit='instance')."
        )
    sample, names = _with_names(scores, described)
    read: list[str] = []
    if isinstance(sample, stats.ScoreTable):
        sample, read = compared_rows(sample)
    designs = {metric: design_of(sample, read)}
    return GivenSamples(samples={metric: sample}, names=names, designs=designs, of_sample=True)


def _with_names(scores: Any, described: Description) -> tuple[Sample, tuple[str, ...]]:
    if isinstance(scores, stats.ScoreTable | stats.SeedScores):
        names = described.chosen(scores.names)
        whole = names == scores.names
        return scores if whole else scores.take(names), names
    described.refuse(scores, ["systems"])
    return scores, letters(1 if isinstance(scores, stats.Scores) else 2)


def read_columns(scores: Any, described: Description) -> GivenSamples | None:
    """Read a mapping of name to scores, or a frame with a column for each system."""
    if not isinstance(scores, Mapping) and not hasattr(scores, "columns"):
        return None
    if described.systems is None:
        names = scores if isinstance(scores, Mapping) else scores.columns
        refuse_no_systems({str(name): scores[name] for name in names})
    return _of_columns(*indexed_without_sums(scores), described)


def read_array(scores: Any, described: Description) -> GivenSamples:
    """Read an array with a column for each system, or the scores of one."""
    columns = _checked_array(scores).T
    return _of_columns(dict(zip(letters(len(columns)), columns, strict=True)), [], described)


def _of_columns(scores: Any, read: Sequence[str], described: Description) -> GivenSamples:
    """Make the sample of the systems that are asked for: other columns may be no scores."""
    described.refuse(scores, COLUMNS)
    described.check_paired_seeds(described.unit)
    is_mapping, metric = isinstance(scores, Mapping), described.metric
    sample: Sample
    given = {str(name): name for name in (scores if is_mapping else scores.columns)}
    names = described.chosen(given)
    if described.groups is not None and (described.unit != "instance" or described.sizes):
        raise ValueError(
            "group= is of instances: say unit='instance', and leave sizes of splits out."
        )
    if described.unit == "dataset" and not described.one_system:
        # Its rows have names, and may lack scores.
        kept = [name for called, name in given.items() if called in names]
        asked = {name: scores[name] for name in kept} if is_mapping else scores[kept]
        table = stats.ScoreTable(asked, unit="dataset")
        table, few = compared_rows(table.take(names))
        sample, read = table, [*read, *few]
    else:
        columns = {name: scores[given[name]] for name in names}
        if not is_mapping:
            columns = {name: np.asarray(column) for name, column in columns.items()}
        sample = sample_of(columns, described.units, described, described.groups)
    designs = {metric: design_of(sample, read)}
    return GivenSamples(samples={metric: sample}, names=names, designs=designs)


def _checked_array(scores: Any) -> NDArray[Any]:
    """Return an array with a column for each system."""
    if np.ma.is_masked(scores):
        raise ValueError("scores has masked entries; take units that all systems have.")
    refuse_other("scores", scores)
    try:
        table = np.asarray(scores)
    except ValueError as error:
        raise ValueError(f"scores must have a row of equal length per unit: {error}") from error
    if table.ndim not in (1, 2):
        what = f"has shape {table.shape}" if table.ndim else f"is a {type(scores).__name__}"
        raise ValueError(
            f"scores {what}; give an array of shape (n_units, 2), or a mapping of name to "
            "scores."
        )
    return table[:, None] if table.ndim == 1 else table


_TIMES = ("fit_time", "score_time")


def read_results(scores: Any, described: Description) -> GivenSamples | None:
    """Read results of cross_validate: one for every system, or a single one."""
    if not isinstance(scores, Mapping):
        return None
    alone = dict(zip(letters(1), [scores], strict=True))
    named = alone if _is_result(scores) else {str(n): result for n, result in scores.items()}
    others = [name for name, result in named.items() if not _is_result(result)]
    if len(others) == len(named):
        return None
    if others:
        raise ValueError(
            f"scores[{others[0]!r}] is not a result of cross_validate, but others are: give "
            "one for every system, or lists of scores."
        )
    if described.unit not in (None, "split"):
        raise ValueError(
            f"unit={described.unit!r}: results of cross_validate are scores of splits; leave "
            "unit out."
        )
    described.check_paired_seeds("split")
    design = _design(named)
    if design is not None and described.sizes:
        raise ValueError(
            f"{described.sizes[0]} is known: the results hold the rows of every split; leave "
            "it out."
        )
    names = described.chosen(named)
    units = described.units | {"unit": "split"} if design is None else design.units()
    samples = {
        metric: sample_of({name: named[name][key] for name in names}, units, described)
        for metric, key in _metrics(named, described).items()
    }
    designs = dict.fromkeys(samples, {} if design is None else design.describe())
    times = None
    if all(key in result for result in named.values() for key in _TIMES):
        each = [[np.mean(result[key]) for result in named.values()] for key in _TIMES]
        times = Times.of(named, *map(np.array, each))
    return GivenSamples(
        samples=samples, names=names, designs=designs, times=times, of_scorer=True
    )


def _is_result(value: Any) -> bool:
    """Whether a mapping is what cross_validate of scikit-learn returns."""
    return isinstance(value, Mapping) and "fit_time" in value and bool(_scored(value))


def _scored(result: Mapping[str, Any]) -> list[str]:
    return [str(key) for key in result if str(key).startswith("test_")]


def _metrics(named: Mapping[str, Mapping[str, Any]], described: Description) -> dict[str, str]:
    """Metrics asked for, or all that every result has, and the keys of their scores."""
    first = next(iter(named.values()))
    common = [key for key in _scored(first) if all(key in other for other in named.values())]
    if not common:
        raise ValueError("the results of the systems have no metric in common.")
    if common == ["test_score"]:  # one metric, which has no name there
        return {described.metric: "test_score"}
    keys = {key.removeprefix("test_"): key for key in common}
    return {name: keys[name] for name in described.metrics_asked(keys)}


def _design(named: Mapping[str, Mapping[str, Any]]) -> Design | None:
    """Return the splits of the results, if they say which they were and agree."""
    splits = {
        name: list(zip(rows["train"], rows["test"], strict=True))
        for name, result in named.items()
        if (rows := result.get("indices")) is not None
    }
    if not splits:
        return None
    (first, own), *others = splits.items()
    for name, other in others:
        rows = zip(chain.from_iterable(own), chain.from_iterable(other), strict=False)
        if len(own) != len(other) or not all(np.array_equal(*pair) for pair in rows):
            raise ValueError(
                f"{first!r} and {name!r} were not fitted on the same splits, so that their "
                "scores are not paired. Pass both calls of cross_validate one splitter with a "
                "fixed random_state, or fit them by skstat.compare_estimators."
            )
    last = max(int(rows.max()) for rows in chain.from_iterable(own))
    return Design(splits=tuple(own), n_samples=last + 1, splitter=f"{len(own)} given splits")
