"""Doubts about the design: few units, groups or seeds, or units of the wrong kind."""

from skstat._names import shown_name
from skstat.report._doubts.case import Case, PerformanceCase, TableCase
from skstat.report._doubts.kind import doubt
from skstat.report._words import join_items, units
from skstat.stats import ResampledOutcome, SeededOutcome

_FEW_TEST_GROUPS = 20
FEW_BOOTSTRAPPED = 20
_MOST_NAMED = 6


@doubt(
    "SKS107",
    "few units",
    when="There are fewer than 10 units.",
    advice="Use more splits (the default has 30), seeds or data sets.",
)
def few_units(case: Case) -> str | None:
    n = case.sample.n_units
    if n >= 10 or case.unit == "group":
        return None
    found = units(n, case.unit)
    return f"{found} are few: the test has little power and leans on its assumptions."


@few_units.of(TableCase)
def few_datasets(case: TableCase) -> str | None:
    n = case.table.n_units
    if n >= 10:
        return None
    found = units(n, str(case.table.unit))
    return f"{found} are few: the tests have little power and lean on their assumptions."


@doubt(
    "SKS109",
    "few groups",
    when="``groups`` were kept together, and there are fewer than 10 of them. On a test "
    "set fewer than 20, where groups of unequal size count as many as groups of one "
    "size would weigh: (sum of the sizes)^2 / (sum of their squares).",
    advice="The groups are the independent observations, not their rows. Collect more "
    "groups; with fewer than 10 the corrected t test was measured to reject up to 12 % "
    "of true null hypotheses at a nominal 0.05. On a test set the permutation test by "
    "group is the safest with few groups.",
)
def few_groups(case: Case) -> str | None:
    if case.unit == "group" and case.n_effective < _FEW_TEST_GROUPS:
        return (
            f"{_units(case)} are few to speak of groups that were not seen: "
            "intervals are too narrow rather than too wide."
        )
    n = case.context.n_groups
    if n is None or n >= 10:
        return None
    return f"{n} groups are few: a mean over training sets of so few groups is hardly known."


@few_groups.of(PerformanceCase)
def few_groups_estimate(case: PerformanceCase) -> str | None:
    return few_groups(case) if case.method.by_splits else None


@doubt(
    "SKS112",
    "few units for a bootstrap",
    when="Fewer than 20 rows, groups or blocks of rows in time order were resampled for an "
    "interval; groups of unequal size count as in :ref:`SKS109 <sks109>`.",
    advice="Use the permutation test with its own interval "
    "(``test='paired_permutation'``, and no ``interval``), which is valid for any number. "
    "Collect more rows or groups. Of 50 steps in time, 12 "
    "blocks of 4, 95 % intervals were measured to hold the truth in 92 % where steps are "
    "independent and in 84 % where neighbours correlate by 0.5; there is no permutation "
    "test for them, but for a mean over rows :func:`~skstat.stats.diebold_mariano`.",
)
def few_bootstrapped(case: Case) -> str | None:
    length = case.context.block_length or 1
    if not isinstance(case.by_itself, ResampledOutcome) or case.by_itself.inverts_test:
        return None
    if case.n_effective // length >= FEW_BOOTSTRAPPED or case.sample.identical:
        return None
    drawn = _units(case)
    if length > 1:
        drawn = f"{case.sample.n_units // length} blocks of {units(length, case.unit)}"
    return f"a bootstrap of {drawn} tends to give intervals that are too narrow."


@doubt(
    "SKS116",
    "few seeds for a bootstrap",
    when="Fewer than 10 seeds of a system were resampled together with the rows.",
    advice="Use more seeds, or a metric that is a mean over rows (accuracy, log loss), for "
    "which mean squares and Student's t allow for few seeds.",
)
def few_seeds(case: Case) -> str | None:
    n = case.context.n_seeds
    if n is None or n >= 10 or not isinstance(case.by_itself, SeededOutcome):
        return None
    return (
        f"a bootstrap of {n} seeds knows little of seeds that were not drawn: intervals "
        "tend to be too narrow."
    )


@doubt(
    "SKS117",
    "seeds pooled",
    when="``seeds='pooled'`` was asked for.",
    advice="Use ``seeds='crossed'``. Pooling is there to show what a published result did: "
    "with three copies of the same predictions it was measured to reject 30 % of true null "
    "hypotheses at a nominal 0.05.",
)
def pooled_seeds(case: Case) -> str | None:
    if not case.context.pooled_seeds:
        return None
    return (
        "each row is counted once per seed, as if it were another row: the p-value and the "
        "interval are too small."
    )


@doubt(
    "SKS120",
    "data sets left out",
    when="Some score of a data set is missing, because a fit failed or the table has a "
    "gap, so that the data set is not part of the tests; or, with "
    "``test='skillings_mack'``, not part of those that need the score.",
    advice="Find out why the fits failed: data sets on which a system fails are rarely "
    "like the others, and leaving them out favours it. ``test='skillings_mack'`` uses "
    "the scores that there are.",
)
def left_out(case: Case) -> str | None:
    reasons = case.context.left_out
    if not reasons:
        return None
    return (
        f"{len(reasons)} of the data sets asked for could not be used; the answer is about "
        "those that could."
    )


@left_out.of(TableCase)
def missing_scores(case: TableCase) -> str | None:
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
        f"{sum(counts.values())} {are} missing ({shown}): every comparison uses the data sets "
        "with the scores it needs, as if those missing were like the rest."
    )


def _units(case: Case) -> str:
    """Number of units, and what groups of unequal size amount to."""
    n = case.sample.n_units
    if case.n_effective > n - 0.5:
        return units(n, case.unit)
    return f"{units(n, case.unit)}, which weigh as {case.n_effective:.1f} of one size,"
