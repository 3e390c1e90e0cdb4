"""A leaderboard of scores that exist."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat._positional import reads, scores_one_by_one
from skstat.comparison._engine import AnyAdjustment, ask_systems, check_joint
from skstat.comparison._guide import choose
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.comparison._score_readers import Description, GivenSamples, read_scores
from skstat.evaluation._inputs import is_loss
from skstat.evaluation._random_state import draw_seed
from skstat.io import Results
from skstat.report import LeaderboardReport, MetricsReport
from skstat.report._doubts import Context
from skstat.report._metrics_report import one_or_per_metric
from skstat.stats import RankStability, ScoreTable
from skstat.stats._leaderboard import can_be_resampled
from skstat.stats._leaderboard import equal_parts as with_equal_parts
from skstat.stats._resampling import DEFAULT_RESAMPLES

_NEEDS_INDEPENDENT = "{} needs complete scores on units that are independent of each other."
Average = Literal["item", "task"]


@reads(scores_one_by_one)
@explains_arguments
def rank_systems(
    results: Any,
    *,
    unit: stats.Unit | None = None,
    n_train: Any = None,
    n_test: Any = None,
    n_repeats: int | None = None,
    columns: Mapping[str, Any] | None = None,
    task: Any = None,
    average: Average = "item",
    systems: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    scoring: str | list[str] | None = None,
    adjustment: AnyAdjustment = "auto",
    confidence_level: float | None = None,
    alpha: float | None = None,
    n_resamples: int = DEFAULT_RESAMPLES,
    random_state: Any = None,
) -> LeaderboardReport | MetricsReport:
    """Rank systems by their scores, and say what of the ranking is certain.

    Which systems may be the best, which ranks each may have, and which groups do not differ
    significantly follow from one comparison of all pairs. They hold together at the
    confidence level.

    Parameters
    ----------
    results : Results, mapping, DataFrame, ScoreTable or array-like
        Scores of two systems or more on the same units: results that
        :func:`skstat.io.read_results` has read, or whatever :func:`compare_scores` takes.
        Higher is better, unless the results or a ``ScoreTable`` say otherwise.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one row of bare numbers is.
    n_train, n_test : int or array-like of shape (n_units,), optional
        Training and test size of every split; they imply ``unit="split"``.
    n_repeats : int, optional
        Complete partitions that the splits form: 10 for 10x10 cross-validation.
    columns : mapping of str to str, optional
        Columns of a DataFrame with one row per score, where they have other names than
        usual: ``{"system": "model", "score": "auc", "unit": "task"}``.
    task : str or array-like of shape (n_units,), optional
        The part of the benchmark that every unit belongs to: of results the name of a column,
        else a label for each row. The ranking is repeated without each task.
    average : {"item", "task"}, default="item"
        What counts the same in a score: every item, or every task, whatever the number of its
        items. With ``"task"`` a score is the mean of the means of the tasks, and their number
        and sizes are fixed.
    systems : sequence of str, optional
        Which systems to compare, in this order.
    names : sequence of str, optional
        Names for systems that have none: the columns of an array.
    scoring : str or list of str, optional
        The metric. Of results one or several of their metrics, default all; for other scores
        the metric that they are, default ``"score"``.
    adjustment : str, default="auto"
        How p-values of three systems or more are adjusted. ``"auto"`` is ``"max-t"``, the
        joint distribution of all comparisons, where the test has one, and else ``"holm"``.
        Or a method of :func:`skstat.stats.adjust_pvalues` that controls the family-wise error.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`. All statements about
        ranks hold together at this level.
    alpha : float, optional
        Level of the test, instead of 1 - `confidence_level`.
    n_resamples : int, default=9999
        Bootstrap resamples of the units, for the stability of the ranks.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    LeaderboardReport or MetricsReport
        The ranking; one for each metric if there are several.

    Raises
    ------
    ValueError
        If there are fewer than two systems, `unit` is missing, or `task` does not fit.

    See Also
    --------
    compare_scores : The same comparisons, pair by pair.
    skstat.stats.rank_intervals : Intervals of ranks, from any comparison of all pairs.

    Notes
    -----
    Instances, groups, seeds and data sets are resampled; splits of one data set are not,
    because they share training rows. Seed i of every system belongs together.

    Examples
    --------
    >>> import numpy as np
    >>> import skstat
    >>> rng = np.random.default_rng(0)
    >>> chances = {"large": 0.9, "middle": 0.88, "small": 0.6}
    >>> right = {name: rng.random(400) < chance for name, chance in chances.items()}
    >>> report = skstat.rank_systems(right, unit="instance", random_state=0)
    >>> report.may_be_best, report.rank_intervals["small"]
    (('large', 'middle'), RankInterval(low=3, high=3))
    """
    question = Question.of("two-sided", confidence_level, alpha)
    check_joint(adjustment, None)
    _check_average(average, task)
    described = Description(
        unit=unit,
        n_train=n_train,
        n_test=n_test,
        n_repeats=n_repeats,
        paired_seeds=unit == "seed",
        columns=columns,
        names=names,
        systems=systems,
        scoring=scoring,
        one_system=False,
    )
    seed = draw_seed(random_state)
    parts: Mapping[str, Any] = {}
    if isinstance(results, Results):
        given, parts = _of_results(results, described, task)
    else:
        found = read_scores(results, described)
        if not isinstance(found, GivenSamples):
            raise ValueError(
                f"a {type(results).__name__} cannot be ranked; hand in its table of scores."
            )
        given = found
        if task is not None:
            parts = dict.fromkeys(given.samples, task)
    reports = {
        metric: _ranked(
            sample,
            metric,
            question,
            adjustment=adjustment,
            context=Context(n_unadjusted=len(given.samples)),
            design=given.design,
            parts=parts.get(metric),
            equal_parts=average == "task",
            part_word=task if isinstance(task, str) else "task",
            n_resamples=n_resamples,
            seed=seed,
        )
        for metric, sample in given.samples.items()
    }
    return one_or_per_metric(reports)


def _ranked(
    table: Any,
    metric: str,
    question: Question,
    *,
    adjustment: str,
    context: Context,
    design: dict[str, Any],
    parts: Any,
    equal_parts: bool,
    part_word: str,
    n_resamples: int,
    seed: int,
) -> LeaderboardReport:
    """Compare all pairs by one metric, and rank the systems."""
    if not isinstance(table, ScoreTable):
        raise ValueError(
            f"a {type(table).__name__} cannot be ranked: give the scores of all systems on the "
            "same units, such as a mapping of name to scores."
        )
    given = table
    if equal_parts:
        if not can_be_resampled(table):
            raise ValueError(_NEEDS_INDEPENDENT.format("average='task'"))
        table = with_equal_parts(table, parts)
        n = len(set(map(str, parts)))
        design = {**design, "notes": [*design.get("notes", ()), f"mean of {n} {part_word}s"]}
    if table.unit == "dataset":  # differences of scores, as the ranking is one of mean scores
        procedure: Procedure = stats.sign_flip
        choice = None
    else:
        procedure, choice = choose("auto", table, question, adjustment=adjustment)
    compared = ask_systems(
        table,
        procedure,
        question,
        adjustment=adjustment,
        choice=choice,
        metric=metric,
        is_loss=is_loss(metric) or not table.higher_is_better,
        context=context,
        design=design,
        seed=seed,
    )
    stability: RankStability | None = None
    if can_be_resampled(given):
        stability = stats.rank_stability(
            given, parts=parts, equal_parts=equal_parts, n_resamples=n_resamples, rng=seed
        )
    elif parts is not None:
        raise ValueError(_NEEDS_INDEPENDENT.format("task="))
    return LeaderboardReport.of(compared, stability, part_word)


def _check_average(average: Any, task: Any) -> None:
    if average not in get_args(Average):
        raise ValueError(f"average={average!r} is unknown; use 'item' or 'task'.")
    if average == "task" and task is None:
        raise ValueError("average='task' needs task=: the task of every item.")


def _of_results(
    results: Results, described: Description, task: Any
) -> tuple[GivenSamples, dict[str, Any]]:
    """Average the repeats of every item, and keep the items that all systems have."""
    names = described.chosen(results.names)
    asked = described.scoring
    asked = results.metrics if asked is None else [asked] if isinstance(asked, str) else asked
    results = results.take(metrics=asked, systems=names)
    place = {item: row for row, item in enumerate(results.items)}
    rows = np.array([place[item] for item in results.item.tolist()])
    column = {name: number for number, name in enumerate(names)}
    cells = rows * len(names) + np.array([column[name] for name in results.system.tolist()])
    size = len(place) * len(names)
    part = _column(results, task, rows)
    samples, parts = {}, {}
    for metric, values in results.scores.items():
        known = ~np.isnan(values)
        sums = np.bincount(cells[known], values[known], minlength=size)
        counts = np.bincount(cells[known], minlength=size)
        means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
        table = means.reshape(-1, len(names))
        kept = ~np.isnan(table).any(axis=1)
        if not kept.any():
            raise ValueError(f"no item has a {metric} of all {len(names)} systems.")
        samples[metric] = ScoreTable(
            table[kept],
            systems=names,
            unit=results.unit,
            higher_is_better=results.higher_is_better.get(metric, True),
        )
        parts[metric] = None if part is None else part[kept]
    return GivenSamples(samples=samples, names=names), parts


def _column(results: Results, task: Any, rows: Any) -> Any:
    if task is None:
        return None
    if not isinstance(task, str) or task not in results.columns:
        have = ", ".join(map(repr, results.columns)) or "none"
        raise ValueError(f"task={task!r} is not a column of the results; there are {have}.")
    found = np.empty(len(results.items), dtype=object)
    found[rows] = results.columns[task]
    return found
