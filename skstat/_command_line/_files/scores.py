"""The scores of results, by the names that a user has for them."""

from collections.abc import Sequence
from typing import Any

from skstat._command_line._errors import CommandError
from skstat._names import listed
from skstat._spelling import meant_by


def score_named(name: str, results: Any) -> str:
    """Return the score that a metric is, by its own name or that of its mean in the logs."""
    known = results.metrics
    if name in known:
        return name
    means = {score for source in results.sources for score in source.means.get(name, ())}
    found = [score for score in known if score in means]
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(
            f"--metric {name} is the mean of several scores: name {' or '.join(found)}."
        )
    meant = " or ".join(meant_by(name, known))
    meant = f"did you mean {meant}? " if meant else ""
    raise CommandError(
        f"--metric {name} is unknown; {meant}The results have {', '.join(known)}."
    )


def take_metrics(results: Any, names: list[str] | None) -> Any:
    """Leave the metrics that were asked for; all of them by default."""
    if names is None:
        return results
    asked = [score_named(name, results) for name in names]
    return results.take(metrics=list(dict.fromkeys(asked)))


def take_systems(results: Any, names: list[str] | None) -> Any:
    """Leave the systems that were asked for; all of them by default."""
    if names is None:
        return results
    for name in names:
        if name not in results.names:
            meant = " or ".join(meant_by(name, results.names))
            hint = f"did you mean {meant}?" if meant else f"there are {listed(results.names)}."
            raise CommandError(f"--systems {name} is not in the results; {hint}")
    return results.take(systems=list(dict.fromkeys(names)))


def check_complete(results: Any) -> None:
    """Refuse systems that lack scores on items that others have scores on.

    Items that were too hard to be finished would count for nobody, and so for the candidate.
    """
    if results.unit == "seed":  # which are not paired
        return
    for metric, values in results.scores.items():
        scored: dict[str, set[str]] = {name: set() for name in results.names}
        rows = zip(results.system.tolist(), results.item.tolist(), values.tolist(), strict=True)
        for system, item, value in rows:
            if value == value:  # not nan
                scored[system].add(item)
        of_any = set().union(*scored.values())
        for system, items in scored.items():
            lacking = of_any - items
            if lacking:
                first = next(item for item in results.items if item in lacking)
                raise CommandError(
                    f"{system} lacks {metric} on {len(lacking)} of the {len(of_any)} items "
                    f"that others have it on, such as {first!r}: a gate needs the same items. "
                    "To judge by the items that all have, pass --allow unfinished."
                )


def check_slice_columns(results: Any, by: Sequence[str] | None) -> None:
    """Refuse columns of slices that the results do not have."""
    for column in by or ():
        if column not in results.columns:
            have = ", ".join(results.columns) or "no column beside the scores"
            raise CommandError(
                f"--by {column} is not a column of the results; they have {have}."
            )
