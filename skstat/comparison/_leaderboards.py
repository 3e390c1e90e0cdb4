"""Leaderboards of scores, and of preferences between two systems."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison import _engine as engine
from skstat.comparison import _score_readers as readers
from skstat.comparison._ask_scores import ask_scores, ask_slices_of_scores, columns_named
from skstat.comparison._question import AnyAdjustment, Question
from skstat.evaluation import DatasetsRun
from skstat.evaluation._data import draw_seed
from skstat.report import Report, ReportGrid
from skstat.report._doubts import Doubts, Facts
from skstat.report._evidence import ByMetric, ComparisonEvidence, one_or_per_metric
from skstat.report._report import report_of
from skstat.stats import _joint as joint
from skstat.stats._chance import DEFAULT_RESAMPLES
from skstat.stats._counts import sides_among
from skstat.stats._leaderboard import can_be_resampled, numbered_parts
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._ordering import RELATIVE_RESOLUTION
from skstat.stats._procedure import check_choice
from skstat.stats._scores import Unit, check_count

_NEEDS_INDEPENDENT = "{} needs complete scores on units that are independent of each other."
Average = Literal["item", "task"]
# With more systems, a covariance matrix for every resample takes too much memory.
_MOST_STUDENTIZED = 30
_MANY_ITEMS = 1000


@explains_arguments(**readers.INSTEAD)
def rank_systems(
    results: Any,
    *,
    unit: Unit | None = None,
    n_train: Any = None,
    n_test: Any = None,
    n_repeats: int | None = None,
    system: str | None = None,
    item: str | Sequence[str] | None = None,
    repeat: str | None = None,
    group: Any = None,
    score: str | Sequence[str] | None = None,
    aggregate: str = "mean",
    task: Any = None,
    average: Average = "item",
    by: Any = None,
    systems: Sequence[str] | None = None,
    scoring: str | list[str] | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    adjustment: AnyAdjustment = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = DEFAULT_RESAMPLES,
    random_state: Any = None,
) -> Report | ReportGrid:
    """Rank systems by their scores, and say what of the ranking is certain.

    Which systems may be the best, which ranks each may have, and which groups do not differ
    significantly follow from one comparison of all pairs. All of it is true at once with
    the confidence level.

    Parameters
    ----------
    results : Results, run, mapping, DataFrame, ScoreTable or array-like
        Scores of two systems or more on the same units: results that
        :func:`skstat.io.read_results` has read, or whatever :func:`compare_scores` takes.
        Which way they are better, `higher_is_better` says, or the metric's name.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one row of bare numbers is.
    n_train, n_test : int or array-like of shape (n_units,), optional
        Training and test size of every split; they imply ``unit="split"``.
    n_repeats : int, optional
        Complete partitions that the splits form: 10 for 10x10 cross-validation.
    system, item, repeat : str, optional
        Columns of a DataFrame (pandas, polars) or mapping of columns with one row per result:
        whose it is, what it is on, and which of several results of the system on the item it
        is.
    group : str or array-like of shape (n_rows,), optional
        Document, user or article of every row: the name of a column, also of
        :class:`skstat.io.Results`, or a label for each row. Groups are then the units: rows of
        one group may be alike.
    score : str or list of str, optional
        Its columns of scores, or the metrics of the results.
    aggregate : {"mean", "median", "pass@k", "pass^k"}, default="mean"
        The score of an item that has several results.
    task : str or array-like of shape (n_units,), optional
        The part of the benchmark that every item belongs to: the name of a column, or of bare
        numbers a label for each row. The ranking is repeated without each task. Other than
        groups, tasks are parts of a fixed set, and items of one task count as independent.
    average : {"item", "task"}, default="item"
        What counts the same in a score: every item, or every task, whatever the number of its
        items. With ``"task"`` a score is the mean of the means of the tasks, and their number
        and sizes are fixed.
    by : str, list of str, array-like of shape (n_units,), mapping or Slices, optional
        Slices of the instances, in each of which systems are compared too: the name of a
        column of a DataFrame or of :class:`skstat.io.Results`, or several; or one value per
        row, several columns by their names, masks, or what :func:`make_slices` returned. Where
        items have several rows, values are labelled by item (the index of a Series).
        p-values and intervals are adjusted for all slices: :doc:`/slices`.
    systems : sequence of str, optional
        Which systems to compare, in this order.
    scoring : str or list of str, optional
        The metric. Of results one or several of their metrics, default all; for other scores
        the metric that they are, default ``"score"``.
    higher_is_better : bool or mapping of str to bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time. Of several metrics a mapping of
        name to bool. Where the name does not say either, the ranking is refused.
    adjustment : str, default="auto"
        How p-values of three systems or more are adjusted. ``"auto"`` is ``"max-t"``, the
        joint distribution of all comparisons, where the test has one, and else ``"holm"``.
        Or a method of :func:`skstat.stats.adjust_pvalues` that controls the family-wise error.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`. All statements about
        ranks are true at once with this confidence.
    n_resamples : int, default=9999
        Draws of the joint distribution of all pairs, and bootstrap resamples for the stability
        of the ranks.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    Report or ReportGrid
        The ranking; with `by` beside it which systems may be the best in every slice; one for
        each metric if there are several.

    Raises
    ------
    ValueError
        If there are fewer than two systems, `unit` is missing, `task` does not fit, or nothing
        says which way a metric is better.

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
    >>> report.may_be_best, report.systems["small"].rank_low
    (('middle', 'large'), 3.0)
    """
    in_slices = Question.of(
        "two-sided", confidence_level, adjustment=adjustment, in_slices=by is not None
    )
    question = engine.on_all_rows(in_slices)
    check_choice("average", average, get_args(Average))
    if average == "task" and by is not None:
        raise ValueError("by= and average='task' cannot be combined: leave one of them out.")
    if average == "task" and task is None:
        raise ValueError("average='task' needs task=: the task of every item.")
    if adjustment_facts(adjustment).fdr:
        what = f"adjustment={adjustment!r} controls the false discovery rate"
        raise ValueError(f"{what}; ranks need the family-wise error, as by 'holm'.")
    described = readers.Description(
        unit=unit, n_train=n_train, n_test=n_test, n_repeats=n_repeats,
        paired_seeds=unit == "seed", systems=systems, scoring=scoring,
        higher_is_better=higher_is_better, system=system, item=item, group=group,
        repeat=repeat, score=score, aggregate=aggregate, by=columns_named(results, by),
        task=task if isinstance(task, str) else None, door="rank_systems",
    )  # fmt: skip
    loaded = readers.read_scores(results, described)
    if isinstance(loaded.run, DatasetsRun):
        kind = type(results).__name__
        raise ValueError(f"a {kind} cannot be ranked; hand in its table of scores.")
    if loaded.run is not None:
        for argument, value in {"by": by, "task": task}.items():
            if value is not None:
                raise ValueError(_NEEDS_INDEPENDENT.format(f"{argument}="))
        return report_of(_rank_run(loaded, question, random_state))
    for metric, scores in loaded.scored.items():
        if scores.fixed["direction_assumed"]:
            raise ValueError(
                f"nothing says which way {metric!r} is better, and a ranking the wrong way "
                f"round would look as certain: pass higher_is_better={{{metric!r}: True}}, or "
                "False if lower is better."
            )
    seed = draw_seed(random_state)
    question = replace(question, n_resamples=n_resamples, seed=seed)

    def ask(scored: engine.Scored) -> ComparisonEvidence:
        items = loaded.items.get(scored.metric)
        parts = items.task if items is not None and isinstance(task, str) else task
        word = task if isinstance(task, str) else "task"
        return _ranked(scored, question, parts, word, equal_parts=average == "task")

    if by is None:
        return report_of(one_or_per_metric({n: ask(one) for n, one in loaded.scored.items()}))
    in_slices = replace(in_slices, seed=seed)
    return report_of(ask_slices_of_scores(loaded, results, by, in_slices, ask))


def _rank_run(
    loaded: readers.ReadScores, question: Question, random_state: Any
) -> ComparisonEvidence | ByMetric:
    """Rank the estimators of a run, metric by metric; splits are not resampled."""
    result = ask_scores(loaded, question, random_state)
    reports = result if isinstance(result, Mapping) else {result.metric: result}
    for report in reports.values():
        if report.direction_assumed:
            raise ValueError(
                f"{report.metric!r} is named like a loss, and a scorer computed it, of which "
                f"higher is better: score by {report.direction_assumed} good; else rename it."
            )
    ranked = {name: replace(report, kind="leaderboard") for name, report in reports.items()}
    return one_or_per_metric(ranked)


def _ranked(
    scored: engine.Scored, question: Question, parts: Any, part_word: str, *, equal_parts: bool
) -> ComparisonEvidence:
    """Compare all pairs by one metric, and rank the systems."""
    if not isinstance(scored.sample, stats.ScoreTable):
        raise ValueError(
            f"a {type(scored.sample).__name__} cannot be ranked: give scores of all systems on "
            "the same units, such as a mapping of name to scores."
        )
    n_resamples, seed = check_count("n_resamples", question.n_resamples), question.drawn_by
    if scored.sample.missing.any():
        scored, parts = _complete(scored, parts)
    table = scored.sample
    independent = can_be_resampled(table)
    if equal_parts:
        if not independent or table.groups is not None:
            raise ValueError(_NEEDS_INDEPENDENT.format("average='task'"))
        if question.adjustment not in ("auto", "max-t"):
            raise ValueError(
                f"average='task' has a joint distribution of its own, and adjustment="
                f"{question.adjustment!r} would not use it; leave adjustment= out."
            )
        note = f"every {part_word} counts the same, of {len(set(map(str, parts)))}"
        design = engine.with_notes(scored.design, note)
        even, law = _with_equal_parts(table, parts, n_resamples, seed)
        test = stats.paired_t  # sign flips ignore that tasks have few items
        scored = replace(scored, sample=even, law=law, design=design, chosen=(test, None))
    elif table.unit == "dataset":  # compare mean scores, since they are ranked
        scored = replace(scored, chosen=(stats.sign_flip, None))
    if n_resamples == DEFAULT_RESAMPLES:  # the test may need no draws
        question = replace(question, n_resamples=None)
    compared, stability = engine.ask_family(scored, question), None
    if independent:
        stability = stats.rank_stability(
            table, parts=parts, equal_parts=equal_parts, n_resamples=n_resamples, rng=seed
        )
    elif parts is not None:
        raise ValueError(_NEEDS_INDEPENDENT.format("task="))
    return replace(compared, kind="leaderboard", rank_stability=stability, part_word=part_word)


def _with_equal_parts(
    table: stats.ScoreTable, parts: Any, n_resamples: int, seed: int
) -> tuple[stats.ScoreTable, joint.JointLaw]:
    """Return scores whose mean is the mean of the means of the parts, and the law of that mean.

    The score of unit i in part g is ``mean + c_g (x_i - mean_g)``, with the mean of the means
    of the G parts. ``c_g`` is n / (G n_g), times a factor near 1 for which the sample variance
    over n is that of the mean of means of fixed parts, ``sum_g s_g^2 / (G^2 n_g)``.

    The law is a multivariate t, with the smallest Welch-Satterthwaite degrees of freedom of any
    pair of systems: a small part counts as much as a large one, but its variance is less well
    known.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same n units, which are independent of each other.
    parts : array-like of shape (n_units,)
        The part that every unit belongs to.
    n_resamples : int
        Draws from the law.
    seed : int
        Their seed.

    Returns
    -------
    scores : ScoreTable
        As many rows, in the same order.
    law : JointLaw
        The law; its standard errors are those of these scores.

    Raises
    ------
    ValueError
        If a part has one unit only: nothing shows how much another one would differ.
    """
    labels, codes = numbered_parts(parts, table.n_units)
    sizes, n, scores = np.bincount(codes), table.n_units, table.scores
    if (sizes < 2).any():
        label = labels[int(np.argmax(sizes < 2))]
        remedy = "leave it out, or let every unit count the same"
        raise ValueError(f"{label!r} has one unit only, so that nothing varies: {remedy}.")
    part_scores = [scores[codes == part] for part in range(len(sizes))]
    means = np.array([each.mean(axis=0) for each in part_scores])
    weights = n / (len(sizes) * sizes) * np.sqrt(sizes / (sizes - 1)) * math.sqrt((n - 1) / n)
    values = means.mean(axis=0) + weights[codes, None] * (scores - means[codes])
    covariances = np.array([np.cov(each, rowvar=False) / len(each) for each in part_scores])
    own = np.diagonal(covariances, axis1=1, axis2=2)
    variances = np.maximum(own[:, :, None] + own[:, None] - 2 * covariances, 0.0)
    total = variances.sum(axis=0)
    valid = total > RELATIVE_RESOLUTION * max(1.0, float(total.max()))
    per_df = np.sum(variances**2 / (sizes - 1)[:, None, None], axis=0)
    # The smallest degrees of freedom of the difference of any two systems.
    df = float(np.min(total[valid] ** 2 / per_df[valid])) if valid.any() else n - len(sizes)
    estimates = values.mean(axis=0)
    root = joint.ordered_root(values - estimates, estimates) / np.sqrt(n * (n - 1))
    law = joint.JointLaw(
        estimates=estimates,
        errors=(joint.Errors.drawn(root, df, n_resamples, seed),),
        root=root,
        resolution=RELATIVE_RESOLUTION * float(np.abs(values).max()) / np.sqrt(n),
        how="multivariate t",
        df=df,
        seed=seed,
    )
    raw = values if table.higher_is_better else -values
    options: Any = {"unit": table.unit, "higher_is_better": table.higher_is_better}
    return stats.ScoreTable(raw, systems=table.systems, **options), law


def _complete(scored: engine.Scored, parts: Any) -> tuple[engine.Scored, Any]:
    """Return scores and parts of the data sets on which all systems have scores."""
    table = scored.sample
    remedy = "ask compare_scores, which compares every pair on what both have."
    complete, left_out = engine.complete(table, remedy)
    if parts is not None and len(parts) == table.n_units:
        parts = np.asarray(parts, dtype=object)[~table.missing.any(axis=1)]
    design = engine.with_notes(scored.design, f"left out: {'; '.join(left_out)}")
    facts = replace(scored.facts, left_out=left_out)
    return replace(scored, sample=complete, design=design, facts=facts), parts


@explains_arguments()
def compare_preferences(
    preferences: Any,
    *,
    item: str | None,
    winner: str = "winner",
    first: str | None = None,
    second: str | None = None,
    loser: str | None = None,
    systems: Sequence[str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = DEFAULT_RESAMPLES,
    random_state: Any = None,
) -> Report:
    """Rank systems by preferences: A was preferred to B, by a judge, on an item.

    Every system has a strength, and one is preferred to another with a chance that follows from
    the difference of theirs (a Bradley-Terry model [1]_). Where the frame says which one was
    shown first, being shown first is worth something too. Comparisons on one item, such as
    those of several systems, several judges, or both orders, depend on each other: the units of
    all tests are the items [2]_. Beside the ranks that are possible stands how probable it is
    of each system that it is the best.

    Parameters
    ----------
    preferences : DataFrame, mapping or Preferences
        One row per comparison (pandas, polars, or a mapping of columns). Or a sample, with
        ``item=None``.
    item : str or None
        Column of the prompt, or whatever was compared on. None where every row has one of its
        own.
    winner : str, default="winner"
        Column of the one that was preferred: the name of a system, or ``"first"`` and
        ``"second"``, ``"model_a"`` and ``"model_b"``, ``"A"`` and ``"B"``, ``"left"`` and
        ``"right"``, 1 and 2; ``"tie"``, ``"draw"``, ``"both"`` or ``"neither"`` of a tie, which
        is half a win for either. Or the share of the first: 1, 0.5 and 0. What is the name of
        one of both is that name.
    first, second : str, optional
        Columns of the names of the two systems, in the order in which they were shown. By
        default those with names such as ``"model_a"`` and ``"model_b"``.
    loser : str, optional
        Column of the other one, in place of `first` and `second`. There are no ties then, and
        which one was shown first is not known.
    systems : sequence of str, optional
        Which systems to compare; default all. Comparisons with others are left out.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    n_resamples : int, default=9999
        Draws of the joint distribution of all pairs, and bootstrap resamples of the items.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    Report
        The strengths, with intervals of the ranks; ``report.strengths`` has the probabilities.

    Raises
    ------
    ValueError
        If a column is missing, it is not clear which one was preferred, there are fewer than
        two items, or systems that no comparison connects.

    See Also
    --------
    rank_systems : Of scores.
    skstat.stats.strength_table : The strengths, and what every item adds to them.
    skstat.stats.bradley_terry : The probabilities.

    Notes
    -----
    The scores of the report are strengths: logarithms of odds. A difference of 1 is a chance
    of 0.73 to be preferred, one of 0.1 a chance of 0.525.

    References
    ----------
    .. [1] Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I.
       The method of paired comparisons. Biometrika, 39(3/4), 324-345.
    .. [2] Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized
       linear models. Biometrika, 73(1), 13-22.

    Examples
    --------
    >>> import skstat
    >>> votes = {
    ...     "prompt": [1, 1, 2, 2, 3, 3, 4, 4] * 5,
    ...     "shown_first": ["new", "old"] * 20,
    ...     "shown_second": ["old", "new"] * 20,
    ...     "winner": ["new", "tie", "new", "new", "old", "new", "new", "new"] * 5,
    ... }
    >>> report = skstat.compare_preferences(
    ...     votes, first="shown_first", second="shown_second", item="prompt", random_state=0
    ... )
    >>> report.names, report.n_units
    (('new', 'old'), 4)
    """
    question = Question.of("two-sided", confidence_level, seed=draw_seed(random_state))
    n_resamples = check_count("n_resamples", n_resamples)
    columns = {"first": first, "second": second, "loser": loser, "item": item}
    sample, notes = _read(preferences, winner, columns)
    if systems is not None:
        sample = sample.take([str(name) for name in systems])
    seed = question.drawn_by
    table = stats.strength_table(sample)
    method: Any = "auto" if len(table.names) <= _MOST_STUDENTIZED else "t"
    how: Any = {"n_resamples": n_resamples, "rng": seed, "for_few": table.n_units < _MANY_ITEMS}
    law = joint.law_of_means(table, "compare_preferences", method, **how)
    # With many items, the report keeps their means and covariances only.
    is_large = table.n_units >= max(_MANY_ITEMS, 2 * len(table.names))
    compared = engine.Scored(
        sample=_summarized(table) if is_large else table,
        names=table.names,
        metric="strength",
        design=_design(sample, seed, notes),
        law=law,
        chosen=(stats.strength_t, None),
    )
    report = engine.ask_family(compared, question)
    strengths, design = None, report.design
    try:
        strengths = stats.bradley_terry(sample, rng=seed)
    except ValueError as error:
        design = engine.with_notes(design, f"no probabilities: {error}")
    doubts = Doubts(report.doubts, Facts(preferences=sample, strengths=strengths))
    stability = stats.rank_stability(table, n_resamples=n_resamples, rng=seed)
    report = replace(report, design=design, strengths=strengths, doubts=doubts)
    fields: Any = {"kind": "leaderboard", "rank_stability": stability, "part_word": "item"}
    return report_of(replace(report, **fields))


def _summarized(table: stats.ScoreTable) -> stats.ScoreTable:
    """Return a table of 2 k rows, for k systems, with the means and covariances of all items.

    The rows are the means plus and minus the rows of a root of the covariance matrix.
    """
    n, k = table.scores.shape
    means = table.scores.mean(axis=0)
    root = np.linalg.qr(table.scores - means, mode="r")
    root *= np.sqrt((2 * k - 1) / (2 * (n - 1)))
    return replace(table, scores=np.concatenate([means + root, means - root]))


def _read(
    preferences: Any, winner: str, columns: dict[str, Any]
) -> tuple[stats.Preferences, list[str]]:
    """Return the preferences, and a note on the columns of systems if they were guessed."""
    named = [name for name, column in columns.items() if column is not None]
    if isinstance(preferences, stats.Preferences):
        if named:
            reason = "names a column, and a sample of preferences has none"
            raise ValueError(f"{named[0]}= {reason}; leave it out (item=None).")
        return preferences, []
    notes: list[str] = []
    if set(named) <= {"item"}:
        columns["first"], columns["second"] = sides_among(preferences)
        notes = ["the systems are in the columns {first!r} and {second!r}".format(**columns)]
    return stats.Preferences.from_columns(preferences, winner=winner, **columns), notes


def _design(sample: stats.Preferences, seed: int, columns: list[str]) -> dict[str, Any]:
    """Return the design for the report."""
    n, n_items, ties = sample.n_comparisons, sample.n_items, np.mean(sample.outcomes == 0.5)
    per_item = "one on each item" if n == n_items else f"on {n_items} items"
    ties_note = f"{ties:.1%} ties" if ties else "no ties"
    first_note = "which one was shown first is not known"
    if sample.sided:
        first_note = f"the one shown first has {np.mean(sample.outcomes):.1%} of the wins"
    notes = [ties_note, first_note, *columns, f"random_state={seed}"]
    kind = f"{n} comparisons of {len(sample.names)} systems, {per_item}"
    return {"kind": kind, "notes": notes, "instance": "item"}
