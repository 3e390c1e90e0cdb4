"""Results as tables of item means."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from skstat._command_line._errors import CommandError
from skstat.stats import ScoreTable


def tables_of(results: Any, systems: Sequence[str], group: str | None) -> dict[str, Any]:
    """Return a table of scores by metric: a row per item or per group."""
    found = {}
    labels = results.item if group is None else results.columns[group].astype(str)
    rows, row = np.unique(labels, return_inverse=True)
    column = np.array([list(systems).index(name) for name in results.system.tolist()])
    shape = (len(rows), len(systems))
    for metric in results.metrics:
        total, count = np.zeros(shape), np.zeros(shape)
        np.add.at(total, (row, column), results.scores[metric])
        np.add.at(count, (row, column), 1)
        if not count.all():
            raise CommandError("the systems were not scored on the same items.")
        found[metric] = ScoreTable(
            total / count,
            systems=list(systems),
            unit=results.unit if group is None else "group",
            higher_is_better=results.higher_is_better.get(metric, True),
        )
    return found
