"""The scores of results, by the names that a user has for them."""

from difflib import get_close_matches
from typing import Any

from skstat._command_line._errors import CommandError


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
    meant = " or ".join(get_close_matches(name, known))
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
