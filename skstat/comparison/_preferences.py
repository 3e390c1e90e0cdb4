"""Preferences: which of two systems was better, comparison by comparison."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison._engine import ask_systems
from skstat.comparison._question import Question
from skstat.evaluation._random_state import draw_seed
from skstat.report import Report
from skstat.report._build import report_of
from skstat.report._doubts import Facts, by_code, find_doubts
from skstat.stats import PoorDrawsError, Preferences
from skstat.stats._joint import law_of_means
from skstat.stats._resampling import DEFAULT_RESAMPLES
from skstat.stats._samples import check_count, sides_among

# Of more systems a covariance of every resample takes too much memory.
_MOST_STUDENTIZED = 30
_MANY_ITEMS = 1000


@explains_arguments
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
    named = {"first": first, "second": second, "loser": loser}
    notes = []
    if not isinstance(preferences, Preferences) and set(named.values()) == {None}:
        named["first"], named["second"] = sides_among(preferences)
        notes = ["the systems are in the columns {first!r} and {second!r}".format(**named)]
    sample = _read(preferences, winner=winner, item=item, **named)
    if systems is not None:
        sample = sample.take([str(name) for name in systems])
    seed = question.drawn_by
    table = stats.strength_table(sample)
    law = law_of_means(
        table,
        "compare_preferences",
        method="auto" if len(table.names) <= _MOST_STUDENTIZED else "t",
        block_length=None,
        n_resamples=n_resamples,
        rng=seed,
        for_few=table.n_units < _MANY_ITEMS,
    )
    stability = stats.rank_stability(table, n_resamples=n_resamples, rng=seed)
    # Of many items their means and covariances say all, and the report need not keep each.
    many = table.n_units >= max(_MANY_ITEMS, 2 * len(table.names))
    report = ask_systems(
        table.summary() if many else table,
        stats.strength_t,
        question,
        metric="strength",
        design=_design(sample, seed, notes),
        law=law,
    )
    try:
        strengths = stats.bradley_terry(sample, rng=seed)
    except PoorDrawsError as error:
        strengths, notes = None, [*report.design["notes"], f"no probabilities: {error}"]
        report = replace(report, design={**report.design, "notes": notes})
    doubts = find_doubts(Facts(preferences=sample, strengths=strengths))
    return report_of(
        replace(
            report,
            kind="leaderboard",
            strengths=strengths,
            rank_stability=stability,
            part_word="item",
            doubts=by_code(report.doubts, doubts),
        )
    )


def _read(preferences: Any, **columns: Any) -> Preferences:
    """Return the comparisons, of a sample as they are."""
    if not isinstance(preferences, Preferences):
        return Preferences.from_columns(preferences, **columns)
    del columns["winner"]
    given = next((name for name, column in columns.items() if column is not None), None)
    if given is not None:
        raise ValueError(
            f"{given}= names a column, and a sample of preferences has none; leave it out "
            "(item=None)."
        )
    return preferences


def _design(sample: Preferences, seed: int, columns: list[str]) -> dict[str, Any]:
    """Describe how the strengths came about."""
    n, n_items, ties = sample.n_comparisons, sample.n_items, sample.share_of_ties
    each = "one on each item" if n == n_items else f"on {n_items} items"
    ties_said = f"{ties:.1%} ties" if ties else "no ties"
    notes = [ties_said, *columns, f"random_state={seed}"]
    if sample.sided:
        notes.insert(1, f"the one shown first has {sample.share_of_first:.1%} of the wins")
    else:
        notes.insert(1, "which one was shown first is not known")
    kind = f"{n} comparisons of {len(sample.names)} systems, {each}"
    return {"kind": kind, "notes": notes, "instance": "item"}
