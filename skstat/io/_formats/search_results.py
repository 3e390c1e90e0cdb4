"""Searches of scikit-learn: `cv_results_`, or the fitted search that has them."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat._directions import decide
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.settings import names_by_parameters
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_SPLIT = re.compile(r"split(\d+)_test_(.+)$")


def read_search(given: Given, asked: Asked) -> Results:
    """Read the scores of all candidates on all splits."""
    found = _results_of(given.what)
    assert found is not None
    columns: dict[str, dict[int, Any]] = {}
    for key, values in found.items():
        if match := _SPLIT.match(str(key)):
            columns.setdefault(match[2], {})[int(match[1])] = values
    names = names_by_parameters(list(found["params"]), asked.columns.get("system"))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ResultsError(
            f"several candidates are called {twice!r}: they differ in other parameters. Name "
            "all that vary with columns={'system': [...]}, or leave it out."
        )
    splits = sorted(next(iter(columns.values())))
    n = len(names)
    scores = {
        metric: np.concatenate([np.asarray(by_split[split], float) for split in splits])
        for metric, by_split in columns.items()
    }
    failed = sum(int(np.isnan(values).sum()) for values in scores.values())
    said = asked.higher_is_better
    said = said if isinstance(said, Mapping) else dict.fromkeys(scores, said)
    return Results(
        system=names * len(splits),
        item=[str(split) for split in splits for _ in range(n)],
        scores=scores,
        higher_is_better={
            metric: decide(metric, values, said=said.get(metric), of_scorer=True).higher
            for metric, values in scores.items()
        },
        unit="split",
        sources=tuple(
            Source(
                system=name,
                format=SEARCH.name,
                details={"failed_fits": str(failed)} if failed else {},
            )
            for name in names
        ),
    )


def _results_of(what: Any) -> Mapping[str, Any] | None:
    found = what if isinstance(what, Mapping) else getattr(what, "cv_results_", None)
    if not isinstance(found, Mapping) or "params" not in found:
        return None
    return found if any(_SPLIT.match(str(key)) for key in found) else None


SEARCH = Format(
    name="search",
    of="fitted searches of scikit-learn, or their cv_results_",
    recognises=lambda given: given.path is None and _results_of(given.what) is not None,
    read=read_search,
    reads={
        "system": "A candidate, by the parameters that vary.",
        "item": "The split. Say ``n_train=`` and ``n_test=`` when you compare them.",
        "scores": "``split0_test_score`` and so on, by metric.",
    },
)
