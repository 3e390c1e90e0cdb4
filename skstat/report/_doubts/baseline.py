"""Doubts about guesses that ignore X."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from skstat.metrics._known import lies_between_0_and_1
from skstat.report._doubts.facts import Facts
from skstat.report._doubts.kind import Found, Kind
from skstat.report._words import join_names
from skstat.stats import PairedScores

_UNBEATABLE = 0.9


@Kind("SKS303", "another guess scores higher", page="baselines").rule(
    "weak", "leave strategy= out"
)
def beaten_baseline(facts: Facts) -> Iterator[Found]:
    """A system is compared with a baseline that was named by ``strategy=``, and the best guess
    for the metric has a higher expected score on the same splits: the majority class has an F1
    of 0, for instance, where the positive class is the rare one.

    Leave ``strategy`` out, or put None in the list of baselines: the best guess for the metric
    is then compared.
    """
    if facts.better_guess is not None:
        (guess, score), shown = facts.better_guess, facts.shown
        yield Found(
            f"another guess that ignores X is expected to have a {shown.better} {shown.name} "
            f"({guess}: {shown.value(score):.4g}): a better guess would beat this baseline too."
        )


GUESSING = Kind("SKS304", "about as good as guessing", page="baselines", beside_equivalent=True)


def standard_error(share: float, n_rows: int) -> float:
    """Standard error of a share of rows."""
    return math.sqrt(share * (1 - share) / n_rows)


def no_better_than_guessing(
    right: Mapping[str, float], share: float, n_rows: int
) -> tuple[str, ...]:
    """Name systems that are right no more often than a guess, or by less than one error."""
    most = share + standard_error(share, n_rows) + 1e-9
    return tuple(name for name, often in right.items() if often <= most)


@GUESSING.rule("weak", "use balanced accuracy, ROC AUC or costs")
def as_good_as_the_largest_class(facts: Facts) -> Iterator[Found]:
    """Systems are compared in accuracy, and one of them is right on no more of the rows than
    are of the largest class, within one standard error of that share. It is a note if the best
    system is right more often, or on some of several data sets.

    A system that always names the largest class scores as much, so a high accuracy shows
    nothing here, and nor do equal ones: two systems that learnt nothing are equivalent. Use a
    metric that leaves room above guessing, and see what guessing scores:
    :func:`~skstat.compare_to_baseline`.
    """
    at_guess, n = facts.at_guess, facts.n_datasets
    if at_guess:
        yield Found(
            f"on {len(at_guess)} of {n} data sets ({join_names(at_guess)}) no system is right "
            "on more rows than are of the largest class, within one standard error.",
            weight="weak" if len(at_guess) == n else "note",
        )
    if facts.right is None:
        return
    right, share, n_rows = facts.right, facts.largest_class, facts.n_rows
    names = no_better_than_guessing(right, share, n_rows)
    if not names:
        return
    shares = sorted({f"{100 * right[name]:.1f}" for name in names}, key=float)
    found = " to ".join(shares[:: max(1, len(shares) - 1)])
    yield Found(
        f"always naming the largest class is right on {100 * share:.1f} % of the {n_rows} rows "
        f"(standard error {100 * standard_error(share, n_rows):.1f}); {join_names(names)} "
        f"{'is' if len(names) == 1 else 'are'} right on {found} %.",
        weight="weak" if max(right, key=lambda name: right[name]) in names else "note",
    )


@GUESSING.rule("weak", "use balanced accuracy, ROC AUC, average precision or costs")
def unbeatable_baseline(facts: Facts) -> Iterator[Found]:
    """A system is compared with a baseline that ignores X and scores 0.9 or more in a metric
    that ends at 1: in accuracy if nine of ten rows are of one class, in recall by always naming
    the positive class.

    Use a metric that leaves room above guessing: balanced accuracy, ROC AUC, average precision,
    or costs.
    """
    pair = facts.sample if isinstance(facts.sample, PairedScores) else facts.scores
    if not facts.is_baseline or pair is None or not lies_between_0_and_1(facts.metric):
        return
    score = float(np.mean(pair.b))
    if round(score, 9) >= _UNBEATABLE:
        yield Found(
            f"a baseline that ignores X scores {score:.3f} in {facts.metric}, where 1 is the "
            "best possible score: little room is left above it."
        )
