"""Doubts about the design: few units, groups or seeds, or units of the wrong kind."""

from skstat._names import shown_name
from skstat.report._doubts.case import Case, PerformanceCase
from skstat.report._doubts.design_splits import single_k_fold
from skstat.report._doubts.kind import Found, doubt
from skstat.report._doubts.table_case import TableCase
from skstat.report._words import join_items, units
from skstat.stats import FoldScores, PairedFoldScores, ResampledOutcome, SeededOutcome
from skstat.stats._outcomes import unit_word

_FEW_EFFECTIVE, _FEW_TOGETHER = 20, 25
FEW_BOOTSTRAPPED = 20
_MOST_NAMED = 6


@doubt(
    "SKS107",
    "few units",
    weight="weak",
    when="There are fewer than 10 units, which are neither groups (:ref:`SKS109 <sks109>`) nor "
    "the splits of a single K-fold (:ref:`SKS102 <sks102>`).",
    action="use more splits, seeds or data sets",
    advice="Use more splits (the default has 30), seeds or data sets.",
)
def few_units(case: Case) -> Found | None:
    n = case.n_units
    if n >= 10 or case.unit == "group" or single_k_fold(case) is not None:
        return None  # groups have a doubt of their own, and so has a single K-fold
    return _few(n, case.unit)


@few_units.of(TableCase)
def few_datasets(case: TableCase) -> Found | None:
    n = case.table.n_units
    return None if n >= 10 else _few(n, str(case.table.unit))


def _few(n: int, unit: str) -> Found:
    return Found(
        text=f"{units(n, unit)} are few: the test finds only large differences, and its "
        "assumptions matter.",
        action=f"use more {unit_word(unit)}s",
    )


@doubt(
    "SKS109",
    "few groups",
    weight="weak",
    when="``groups`` were kept together, and there are fewer than 10 of them. On a test "
    "set, and for the projection t test and its interval, fewer than 20, or than 25 for a "
    "metric that is not a mean over rows and for several comparisons together. Groups of "
    "unequal size count there as many as groups of one size would weigh: (sum of the sizes)^2 "
    "/ (sum of their squares). "
    "Rows of unequal weight count so too.",
    action="collect more groups",
    advice="The groups are the independent observations, not their rows. With fewer than 10 "
    "the corrected t test rejected up to 12 % of true null hypotheses in simulations, at a "
    "nominal 0.05. The projection t test allows for their effective number. On a test set the "
    "permutation test by group is the safest with few groups.",
)
def few_groups(case: Case) -> str | Found | None:
    if case.unit == "group" and case.n_effective < _fewest(case, case.metric.is_mean):
        return f"{_units(case)} are few: the interval may be too narrow for other groups."
    if case.unit == "split" and case.splits is not None:
        return _few_in_folds(case, case.splits)
    n = case.design.n_groups
    if n is None or n >= 10:
        return None
    return f"{n} groups are few: the interval may be too narrow for training on other groups."


def _fewest(case: Case, of_mean: bool) -> int:
    """Effective groups from which no doubt is raised."""
    return _FEW_EFFECTIVE if of_mean and not case.of_family else _FEW_TOGETHER


def _few_in_folds(case: Case, sample: PairedFoldScores | FoldScores) -> Found | None:
    """Doubt few effective units of repeated partitions."""
    n, m, word = sample.rows.n_units, sample.rows.n_effective, sample.size_unit
    if m is None or m >= _fewest(case, sample.rows.of_mean):
        return None
    weigh = "" if m > n - 0.5 else f" (which weigh as {m:.1f} of one size)"
    return Found(
        text=f"{units(n, word)}{weigh} are few: the test finds only large differences, and the "
        f"interval may be too narrow for other {word}s.",
        action=f"collect more {word}s",
    )


@few_groups.of(PerformanceCase)
def few_groups_estimate(case: PerformanceCase) -> str | Found | None:
    if case.method.by_contributions:  # few of them are doubted whatever their sizes
        few = case.row.estimate.n_units < _FEW_EFFECTIVE
        return None if few or case.splits is None else _few_in_folds(case, case.splits)
    return few_groups(case) if case.method.by_splits else None


@doubt(
    "SKS112",
    "few units for a bootstrap",
    weight="weak",
    when="Fewer than 20 rows, groups or blocks of rows in time order were resampled for an "
    "interval; groups of unequal size count as in :ref:`SKS109 <sks109>`.",
    action="use the paired permutation test and its own interval",
    advice="The permutation test with its own interval (``test='paired_permutation'``, and no "
    "``interval``) is valid for any number. Else collect more rows or groups. Of 50 steps in "
    "time, 12 blocks of 4, 95 % intervals contained the truth in 92 % where steps are "
    "independent and in 84 % where neighbours correlate by 0.5; there is no permutation test "
    "for them, but for a mean over rows :func:`~skstat.stats.diebold_mariano`.",
)
def few_bootstrapped(case: Case) -> str | Found | None:
    length = case.rows.block_length or 1
    if not isinstance(case.by_itself, ResampledOutcome) or case.by_itself.inverts_test:
        return None
    if case.n_effective // length >= FEW_BOOTSTRAPPED or case.identical:
        return None
    if length == 1:
        return f"a bootstrap of {_units(case)} tends to give intervals that are too narrow."
    drawn = f"{case.n_units // length} blocks of {units(length, case.unit)}"
    return Found(
        text=f"a bootstrap of {drawn} tends to give intervals that are too narrow.",
        action="compare on a longer stretch",
    )


@doubt(
    "SKS116",
    "few seeds for a bootstrap",
    weight="weak",
    when="Fewer than 10 seeds of a system were resampled together with the rows.",
    action="use more seeds",
    advice="Use more seeds, or a metric that is a mean over rows (accuracy, log loss), for "
    "which mean squares and Student's t allow for few seeds.",
)
def few_seeds(case: Case) -> str | None:
    n = case.design.n_seeds
    if n is None or n >= 10 or not isinstance(case.by_itself, SeededOutcome):
        return None
    return f"a bootstrap of {units(n, 'seed')} tends to give intervals that are too narrow."


@doubt(
    "SKS117",
    "seeds pooled",
    weight="invalid",
    when="``seeds='pooled'`` was asked for.",
    action="use seeds='crossed'",
    advice="Pooling is there to show what a published result did: with three copies of the "
    "same predictions it rejected 30 % of true null hypotheses in simulations, at a nominal "
    "0.05.",
)
def pooled_seeds(case: Case) -> str | None:
    if not case.design.pooled_seeds:
        return None
    return (
        "each row is counted once per seed, as if it were another row: p and the interval are "
        "too small."
    )


@doubt(
    "SKS120",
    "data sets left out",
    weight="weak",
    when="Some score of a data set is missing, because a fit failed or the table has a "
    "gap, so that the data set is not part of the tests; or, with ``test='skillings_mack'``, "
    "not part of those that need the score.",
    action="find out why scores are missing",
    advice="Data sets on which a system fails are rarely like the others, and leaving them "
    "out favours it. ``test='skillings_mack'`` uses the scores that there are.",
)
def left_out(case: Case) -> str | None:
    reasons = case.design.left_out
    if not reasons:
        return None
    return (
        f"{units(len(reasons), 'dataset')} of those asked for could not be used: the answer is "
        "about the others."
    )


@left_out.of(TableCase)
def missing_scores(case: TableCase) -> str | Found | None:
    table = case.table
    counts = {
        name: int(n)
        for name, n in zip(table.names, table.missing.sum(axis=0), strict=True)
        if n
    }
    if not counts:
        return left_out(case)
    shown = join_items(
        [f"{n} of {shown_name(name)}" for name, n in counts.items()], _MOST_NAMED
    )
    are = "score is" if sum(counts.values()) == 1 else "scores are"
    return (
        f"{sum(counts.values())} {are} missing ({shown}): every comparison uses only the data "
        "sets that have the scores it needs."
    )


def _units(case: Case) -> str:
    """Number of units, and what groups of unequal size amount to."""
    n = case.n_units
    if case.n_effective > n - 0.5:
        return units(n, case.unit)
    return f"{units(n, case.unit)} (which weigh as {case.n_effective:.1f} of one size)"
