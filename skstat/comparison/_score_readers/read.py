"""Reader of scores of any kind.

Runs, samples, columns, arrays, and results of scikit-learn's cross_validate are read here;
frames with columns of labels, and results, by the module `rows`.
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
from skstat.comparison._score_readers.description import Description, ReadScores, Sample
from skstat.evaluation import CrossValidationRun, DatasetsRun, Design
from skstat.io import Results
from skstat.io._roles import names_of, refuse_no_systems
from skstat.io._table import refuse_twice
from skstat.stats._read import aligned, refuse_other


def read_scores(scores: Any, described: Description) -> ReadScores:
    """Read scores, decide whether higher is better for every metric, and negate losses.

    Parameters
    ----------
    scores : object
        Scores of any kind.
    described : Description
        The caller's description of them.

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
        loaded = replace(_of_sample(scores, described), of_sample=True)
    elif isinstance(scores, Results):
        loaded = rows.read_rows(scores, described)
    else:
        rows.refuse_levels(scores, described)
        is_table = isinstance(scores, Mapping) or hasattr(scores, "columns")
        table = rows.read_frame(scores, described) if is_table else None
        loaded = table or _of_results(scores, described) or _of_columns(scores, described)
    higher = directions.read_directions(described.higher_is_better, list(loaded.scored))
    scored = {}
    for metric, sample in loaded.scored.items():
        scored[metric] = _directed(sample, loaded, higher.get(metric), described.constant)
    return replace(loaded, scored=scored)


def _directed(
    scored: Scored, loaded: ReadScores, is_higher: bool | None, constant: float | None
) -> Scored:
    """Decide whether higher is better for a metric, and negate the scores if not."""
    metric, sample, design = scored.metric, scored.sample, scored.design
    raw = sample.scores.values() if isinstance(sample, stats.SeedScores) else sample.columns
    columns = [*map(np.ravel, raw)]
    values = np.concatenate(columns)
    systems = np.repeat(np.array(loaded.names, dtype=object), [*map(len, columns)])
    directions.check_numbers(metric, values, systems)
    if loaded.of_sample:
        direction = _of_caller(metric, sample, is_higher)
    else:
        options: Any = {"declared": loaded.declared.get(metric), "of_scorer": loaded.of_scorer}
        direction = directions.decide(metric, values, said=is_higher, **options)
        if not direction.higher:
            sample = _negated(sample)
    if isinstance(sample, stats.SeedScores):
        *counts, last = map(str, sample.n_seeds)
        unpaired = f"{', '.join(counts)} and {last} seeds, not paired"
        notes = [unpaired, *design.get("notes", ())]
        design = {**design, "kind": "one score per seed", "notes": notes}
    facts = {**scored.fixed, "direction_assumed": direction.assumed}
    changes: dict[str, Any] = {"is_loss": direction.is_loss, "design": design, "fixed": facts}
    if constant is not None:  # negated if the scores were
        changes["constant"] = constant if direction.higher else -constant
        changes["names"] = (loaded.names[0], f"constant {constant:g}")
    return replace(scored, sample=sample, **changes)


def _of_caller(metric: str, sample: Sample, is_higher: bool | None) -> directions.Direction:
    """Return the direction of a sample of the caller's; refuse what contradicts it."""
    higher = getattr(sample, "higher_is_better", True)
    if is_higher is not None and is_higher != higher:
        raise ValueError(
            f"higher_is_better={is_higher}: in this {type(sample).__name__} "
            f"{'higher' if higher else 'lower'} counts as better. Make it of scores of which "
            "higher is better, or hand in the bare numbers."
        )
    # Else the worse system would be reported as better.
    if higher and is_higher is None and directions.direction_of(metric) is False:
        raise ValueError(
            f"scoring={metric!r} names a loss, of which lower is better, and in this "
            f"{type(sample).__name__} higher counts as better. Hand in the bare numbers, or "
            f"the negated losses with scoring='neg_{metric}'; for scores all the same pass "
            "higher_is_better=True."
        )
    is_loss = directions.is_negated_loss(metric) or not higher
    return directions.Direction(higher, is_loss=is_loss)


def _negated(sample: Sample) -> Sample:
    """Return a sample with negated scores."""
    if isinstance(sample, stats.SeedScores):
        return stats.SeedScores({name: 0.0 - scores for name, scores in sample.scores.items()})
    if isinstance(sample, stats.ScoreTable):
        return replace(sample, scores=sample.instances, higher_is_better=False)
    assert isinstance(sample, stats.Scores)  # only callers make pairs
    return replace(sample, values=0.0 - np.asarray(sample.values))


def _of_run(run: CrossValidationRun | DatasetsRun, described: Description) -> ReadScores:
    """Read estimators and metrics of a run on one data set, or on many."""
    described.refuse(run)
    chosen = run.metrics if described.scoring is None else names_of(described.scoring)
    names, metrics = run.names, [run.metric(name) for name in chosen]
    if isinstance(run, CrossValidationRun):
        if len(names) < 2 and described.constant is None:
            raise ValueError(f"this run holds {list(names)} only: nothing to compare.")
        names = described.chosen(names)
    elif described.constant is not None or described.systems is not None:
        raise ValueError(
            "constant= and systems= are for one table of scores; of a run over data sets "
            "take run.table(metric), or choose a control."
        )
    for metric, up in directions.read_directions(described.higher_is_better, metrics).items():
        if not up:
            raise ValueError(
                f"higher_is_better: {metric!r} was computed by a scorer, of which higher is "
                "always better. For a loss pass make_scorer(..., greater_is_better=False) as "
                "scoring= where the estimators are fitted."
            )
    return ReadScores(run=run, names=names, metrics=metrics)


def _of_sample(sample: Any, described: Description) -> ReadScores:
    """Read a sample, and name its systems if they have no names."""
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
    return _one_sample(sample, names, described.metric, [])


def _one_sample(sample: Sample, names: Any, metric: str, notes: Sequence[str]) -> ReadScores:
    """Return one sample as scores to compare, without summary rows."""
    if isinstance(sample, stats.ScoreTable):
        sample, few = facts.compared_rows(sample)
        notes = [*notes, *few]
    design = facts.design_of(sample, notes)
    scored = Scored(sample=sample, names=names, metric=metric, design=design)
    return ReadScores(names=names, scored={metric: scored})


def _of_columns(scores: Any, described: Description) -> ReadScores:
    """Read a mapping of name to scores, a frame with a column for each system, or an array."""
    described.refuse(scores, description.COLUMNS)
    is_frame = hasattr(scores, "columns")
    has_names = is_frame or isinstance(scores, Mapping)
    if not has_names:
        columns = _checked_array(scores).T
        scores = dict(zip(description.letters(len(columns)), columns, strict=True))
    labels = list(scores.columns if is_frame else scores)
    label_of = dict(zip(map(str, labels), labels, strict=True))
    if has_names and described.systems is None:
        refuse_no_systems({name: scores[column] for name, column in label_of.items()})
    scores, notes = facts.indexed_without_sums(scores)
    # Columns that are not compared need not be scores.
    names = described.chosen(label_of, described.unit)
    refuse_twice(str(name) for name in labels if str(name) in names)
    if described.groups is not None and (described.unit != "instance" or described.sizes):
        raise ValueError("group= is of instances: say unit='instance', and no sizes of splits.")
    columns, labelled = {}, False
    for name in names:
        column = scores[label_of[name]]
        in_order = is_frame and described.unit != "dataset"  # else labels name the rows
        columns[name] = np.asarray(column) if in_order else column
        labelled |= isinstance(column, Mapping)
    paired = described.unit not in ("dataset", "seed") or described.paired_seeds
    if labelled and paired and described.groups is None and described.constant is None:
        named = {f"scores[{name!r}]": column for name, column in columns.items()}
        columns = dict(zip(names, aligned(named, unit="score").values(), strict=True))
    sample = rows.sample_of(columns, described.units, described, described.groups)
    return _one_sample(sample, names, described.metric, notes)


def _checked_array(scores: Any) -> Any:
    """Return an array with a column for each system; refuse other shapes."""
    if np.ma.is_masked(scores):
        raise ValueError("scores has masked entries; take units that all systems have.")
    refuse_other("scores", scores)
    try:
        table = np.asarray(scores)
    except ValueError as error:
        raise ValueError(f"scores must have a row of equal length per unit: {error}") from error
    if table.ndim not in (1, 2):
        problem = f"has shape {table.shape}" if table.ndim else f"is a {type(scores).__name__}"
        raise ValueError(
            f"scores {problem}; give an array of shape (n_units, 2), or a mapping of name to "
            "scores."
        )
    return table[:, None] if table.ndim == 1 else table


_TIMES = ("fit_time", "score_time")


def _of_results(scores: Any, described: Description) -> ReadScores | None:
    """Read results of cross_validate, one for every system or a single one; None for others."""
    if not isinstance(scores, Mapping):
        return None
    named = {"A": scores} if _metrics_in(scores) else {str(n): own for n, own in scores.items()}
    metrics_of = {name: _metrics_in(result) for name, result in named.items()}
    if not any(metrics_of.values()):
        return None
    for name, metrics in metrics_of.items():
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
        means = [[np.mean(result[key]) for result in named.values()] for key in _TIMES]
        times = Times.of(named, *map(np.array, means))
    first, *others = metrics_of.values()
    common = [metric for metric in first if all(metric in other for other in others)]
    if not common:
        raise ValueError("the results of the systems have no metric in common.")
    if common == ["score"]:  # one metric, which has no name there
        keys = {described.metric: "score"}
    else:
        keys = {metric: metric for metric in described.metrics_of(common)}
    common_fields: dict[str, Any] = {"names": names, "fixed": {"times": times}}
    common_fields["design"] = {} if design is None else design.describe()
    scored = {}
    for metric, key in keys.items():
        columns = {name: named[name][f"test_{key}"] for name in names}
        sample = rows.sample_of(columns, units, described)
        scored[metric] = Scored(sample=sample, metric=metric, **common_fields)
    return ReadScores(names=names, scored=scored, of_scorer=True)


def _metrics_in(result: Any) -> list[str]:
    """Return the metrics in a result of scikit-learn's cross_validate; empty for others."""
    if not isinstance(result, Mapping) or "fit_time" not in result:
        return []
    return [str(key)[5:] for key in result if str(key).startswith("test_")]


def _design(named: Mapping[str, Mapping[str, Any]]) -> Design | None:
    """Return the design of the results, if they hold indices; refuse different splits."""
    indices_of = {name: result.get("indices") for name, result in named.items()}
    splits = {
        name: [*zip(indices["train"], indices["test"], strict=True)]
        for name, indices in indices_of.items()
        if indices is not None
    }
    if not splits:
        return None
    (first, cv), *others = splits.items()
    for name, other in others:
        alike = map(np.array_equal, chain.from_iterable(cv), chain.from_iterable(other))
        if len(cv) != len(other) or not all(alike):
            raise ValueError(
                f"{first!r} and {name!r} were not fitted on the same splits, so that their "
                "scores are not paired. Pass both calls of cross_validate one splitter with a "
                "fixed random_state, or fit them by skstat.compare_estimators."
            )
    last = max(int(part.max()) for part in chain.from_iterable(cv))
    return Design(splits=tuple(cv), n_samples=last + 1, splitter=f"{len(cv)} given splits")
