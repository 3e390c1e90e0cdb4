"""Scores of any kind, read into evidence: a reader for each kind of holder.

Frames and results have files of their own; here are runs, samples, columns, arrays, and
results of scikit-learn's cross_validate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np

from skstat import _directions as directions
from skstat import stats
from skstat._times import Times
from skstat.comparison._engine import Scored
from skstat.comparison._score_readers import description, facts, rows
from skstat.comparison._score_readers.description import Description, Given, Sample
from skstat.evaluation import CrossValidationRun, DatasetsRun, Design
from skstat.io import Results
from skstat.io._roles import names_of, refuse_no_systems
from skstat.io._table import refuse_twice
from skstat.stats._read import aligned, refuse_other


def read_scores(scores: Any, described: Description) -> Given:
    """Read what a caller holds, and decide which way every metric is better.

    Parameters
    ----------
    scores : object
        Scores of any kind.
    described : Description
        What the caller says of them.

    Raises
    ------
    ValueError
        If they are not scores, or the description does not suit them.
    """
    if isinstance(scores, str | PathLike):
        raise ValueError(
            f"scores={str(scores)!r} is a text, and no numbers: a file is read by "
            f"skstat.io.read_results, as in {described.door}(read_results({str(scores)!r}))."
        )
    if isinstance(scores, CrossValidationRun | DatasetsRun):
        return _of_run(scores, described)
    if isinstance(scores, Sample):
        given = replace(_of_sample(scores, described), of_sample=True)
    elif isinstance(scores, Results):
        given = rows.read_rows(scores, described)
    else:
        rows.refuse_levels(scores, described)
        is_table = isinstance(scores, Mapping) or hasattr(scores, "columns")
        found = rows.read_frame(scores, described) if is_table else None
        given = found or _of_results(scores, described) or _of_columns(scores, described)
    said = directions.said_of(described.higher_is_better, list(given.scored))
    scored = {}
    for metric, own in given.scored.items():
        scored[metric] = _directed(own, given, said.get(metric), described.constant)
    return replace(given, scored=scored)


def _directed(
    scored: Scored, given: Given, said: bool | None, constant: float | None
) -> Scored:
    """Decide which way a metric is better, and turn scores of which lower is."""
    metric, sample, design = scored.metric, scored.sample, scored.design
    raw = sample.scores.values() if isinstance(sample, stats.SeedScores) else sample.columns
    columns = [*map(np.ravel, raw)]
    values = np.concatenate(columns)
    systems = np.repeat(np.array(given.names, dtype=object), [*map(len, columns)])
    directions.check_numbers(metric, values, systems)
    if given.of_sample:
        way = _of_caller(metric, sample, said)
    else:
        how: Any = {"declared": given.declared.get(metric), "of_scorer": given.of_scorer}
        way = directions.decide(metric, values, said=said, **how)
        if not way.higher:
            sample = _turned(sample)
    if isinstance(sample, stats.SeedScores):
        *counts, last = map(str, sample.n_seeds)
        unpaired = f"{', '.join(counts)} and {last} seeds, not paired"
        notes = [unpaired, *design.get("notes", ())]
        design = {**design, "kind": "one score per seed", "notes": notes}
    facts = {**scored.fixed, "direction_assumed": way.assumed}
    known: dict[str, Any] = {"is_loss": way.is_loss, "design": design, "fixed": facts}
    if constant is not None:  # of a loss that was turned it is turned too
        known["constant"] = constant if way.higher else -constant
        known["names"] = (given.names[0], f"constant {constant:g}")
    return replace(scored, sample=sample, **known)


def _of_caller(metric: str, sample: Sample, said: bool | None) -> directions.Direction:
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
    is_loss = directions.is_negated_loss(metric) or not higher
    return directions.Direction(higher, is_loss=is_loss)


def _turned(sample: Sample) -> Sample:
    """Turn a sample of bare numbers of which lower is better."""
    if isinstance(sample, stats.SeedScores):
        return stats.SeedScores({name: 0.0 - own for name, own in sample.scores.items()})
    if isinstance(sample, stats.ScoreTable):
        return replace(sample, scores=sample.instances, higher_is_better=False)
    assert isinstance(sample, stats.Scores)  # pairs are the caller's own
    return replace(sample, values=0.0 - np.asarray(sample.values))


def _of_run(run: CrossValidationRun | DatasetsRun, described: Description) -> Given:
    """Take estimators and metrics of a run on one data set, or on many."""
    described.refuse(run)
    wanted = run.metrics if described.scoring is None else names_of(described.scoring)
    names, metrics = run.names, [run.metric(name) for name in wanted]
    if isinstance(run, CrossValidationRun):
        if len(names) < 2 and described.constant is None:
            raise ValueError(f"this run holds {list(names)} only: nothing to compare.")
        names = described.chosen(names)
    elif described.constant is not None or described.systems is not None:
        raise ValueError(
            "constant= and systems= are for one table of scores; of a run over data sets "
            "take run.table(metric), or choose a control."
        )
    for metric, up in directions.said_of(described.higher_is_better, metrics).items():
        if not up:
            raise ValueError(
                f"higher_is_better: {metric!r} was computed by a scorer, of which higher is "
                "always better. For a loss pass make_scorer(..., greater_is_better=False) as "
                "scoring= where the estimators are fitted."
            )
    return Given(run=run, names=names, metrics=metrics)


def _of_sample(sample: Any, described: Description) -> Given:
    """Take a sample as it is, with names if it has none."""
    described.refuse(sample)
    one_system = isinstance(sample, stats.Scores)
    if one_system and described.constant is None:
        raise ValueError("Scores hold one system; give the constant to compare it with.")
    if one_system and sample.groups is not None:
        raise ValueError(rows.ONE_IN_GROUPS)
    if described.constant is not None and not one_system:
        raise ValueError(
            f"scores is a {type(sample).__name__}, which holds several systems; with constant= "
            "give one, such as Scores(values, unit='instance')."
        )
    if isinstance(sample, stats.SeedScores):
        rows.of_seeds(sample)
    if isinstance(sample, stats.ScoreTable | stats.SeedScores):
        names = described.chosen(sample.names)
        sample = sample if names == sample.names else sample.take(names)
    else:
        described.refuse(sample, ["systems"])
        names = description.letters(sample.n_systems)
    return _given(sample, names, described, [])


def _given(sample: Sample, names: Any, described: Description, read: Sequence[str]) -> Given:
    """Give one sample, without the rows that sum others up."""
    if isinstance(sample, stats.ScoreTable):
        sample, few = facts.compared_rows(sample)
        read = [*read, *few]
    design = facts.design_of(sample, read)
    scored = Scored(sample=sample, names=names, metric=described.metric, design=design)
    return Given(names=names, scored={scored.metric: scored})


def _of_columns(scores: Any, described: Description) -> Given:
    """Read a mapping of name to scores, a frame with a column for each system, or an array."""
    described.refuse(scores, description.COLUMNS)
    is_frame = hasattr(scores, "columns")
    has_names = is_frame or isinstance(scores, Mapping)
    if not has_names:
        columns = _checked_array(scores).T
        scores = dict(zip(description.letters(len(columns)), columns, strict=True))
    every = list(scores.columns if is_frame else scores)
    given = dict(zip(map(str, every), every, strict=True))
    if has_names and described.systems is None:
        refuse_no_systems({name: scores[column] for name, column in given.items()})
    scores, read = facts.indexed_without_sums(scores)
    # Other columns than those that are asked for may be no scores.
    names = described.chosen(given, described.unit)
    refuse_twice(str(name) for name in every if str(name) in names)
    if described.groups is not None and (described.unit != "instance" or described.sizes):
        raise ValueError("group= is of instances: say unit='instance', and no sizes of splits.")
    columns, labelled = {}, False
    for name in names:
        column = scores[given[name]]
        in_order = is_frame and described.unit != "dataset"  # whose rows have names
        columns[name] = np.asarray(column) if in_order else column
        labelled |= isinstance(column, Mapping)
    paired = described.unit not in ("dataset", "seed") or described.paired_seeds
    if labelled and paired and described.groups is None and described.constant is None:
        called = {f"scores[{name!r}]": column for name, column in columns.items()}
        columns = dict(zip(names, aligned(called, unit="score").values(), strict=True))
    sample = rows.sample_of(columns, described.units, described, described.groups)
    return _given(sample, names, described, read)


def _checked_array(scores: Any) -> Any:
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


def _of_results(scores: Any, described: Description) -> Given | None:
    """Read results of cross_validate: one for every system, or a single one."""
    if not isinstance(scores, Mapping):
        return None
    named = {"A": scores} if _metrics_in(scores) else {str(n): own for n, own in scores.items()}
    found = {name: _metrics_in(result) for name, result in named.items()}
    if not any(found.values()):
        return None
    for name, metrics in found.items():
        if not metrics:
            raise ValueError(
                f"scores[{name!r}] is not a result of cross_validate, but others are: give one "
                "for every system, or lists of scores."
            )
    if described.unit not in (None, "split"):
        raise ValueError(
            f"unit={described.unit!r}: results of cross_validate are scores of splits; leave "
            "unit out."
        )
    design = _design(named)
    if design is not None and described.sizes:
        raise ValueError(
            f"{described.sizes[0]} is known: the results hold the rows of every split; leave "
            "it out."
        )
    names = described.chosen(named, "split")
    units = described.units | {"unit": "split"} if design is None else design.units()
    times = None
    if all(key in result for result in named.values() for key in _TIMES):
        each = [[np.mean(result[key]) for result in named.values()] for key in _TIMES]
        times = Times.of(named, *map(np.array, each))
    first, *others = found.values()
    common = [metric for metric in first if all(metric in other for other in others)]
    if not common:
        raise ValueError("the results of the systems have no metric in common.")
    if common == ["score"]:  # one metric, which has no name there
        keys = {described.metric: "score"}
    else:
        keys = {metric: metric for metric in described.metrics_asked(common)}
    known: dict[str, Any] = {"names": names, "fixed": {"times": times}}
    known["design"] = {} if design is None else design.describe()
    scored = {}
    for metric, key in keys.items():
        columns = {name: named[name][f"test_{key}"] for name in names}
        sample = rows.sample_of(columns, units, described)
        scored[metric] = Scored(sample=sample, metric=metric, **known)
    return Given(names=names, scored=scored, of_scorer=True)


def _metrics_in(result: Any) -> list[str]:
    """Return the metrics of what cross_validate of scikit-learn returns; none of others."""
    if not isinstance(result, Mapping) or "fit_time" not in result:
        return []
    return [str(key)[5:] for key in result if str(key).startswith("test_")]


def _design(named: Mapping[str, Mapping[str, Any]]) -> Design | None:
    """Return the splits of the results, if they say which they were and agree."""
    known = {name: result.get("indices") for name, result in named.items()}
    splits = {
        name: [*zip(indices["train"], indices["test"], strict=True)]
        for name, indices in known.items()
        if indices is not None
    }
    if not splits:
        return None
    (first, own), *others = splits.items()
    for name, other in others:
        alike = map(np.array_equal, chain.from_iterable(own), chain.from_iterable(other))
        if len(own) != len(other) or not all(alike):
            raise ValueError(
                f"{first!r} and {name!r} were not fitted on the same splits, so that their "
                "scores are not paired. Pass both calls of cross_validate one splitter with a "
                "fixed random_state, or fit them by skstat.compare_estimators."
            )
    last = max(int(part.max()) for part in chain.from_iterable(own))
    return Design(splits=tuple(own), n_samples=last + 1, splitter=f"{len(own)} given splits")
