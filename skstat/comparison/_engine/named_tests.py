"""What the named tests of one test set share."""

from functools import partial
from typing import Any

from skstat.comparison._engine.classes import beside_largest_class, class_sizes_of
from skstat.comparison._engine.parallel_blocks import Blocks
from skstat.comparison._engine.test_set import Resampling, ask_pair
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._running import Verbose
from skstat.report import ComparisonReport
from skstat.report._doubts import Context
from skstat.stats import PairedPredictions


def ask_by_name(
    pair: PairedPredictions,
    procedure: Procedure,
    question: Question,
    resampling: Resampling,
    **options: Any,
) -> ComparisonReport:
    """Ask a procedure with options of its own."""
    asked = partial(procedure, **options)
    resampling = resampling.for_metric(pair)
    report = ask_pair(pair, asked, question, resampling, context=Context())
    return beside_largest_class(report, class_sizes_of(pair))


def two_by_name(a: Any, b: Any, names: tuple[str, str] | None) -> dict[str, Any]:
    """Predictions of A and B by label."""
    found = {}
    for given, letter in ((a, "A"), (b, "B")):
        named = isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str)
        label, values = given if named and not isinstance(given[1], str) else (letter, given)
        found[label] = values
    if len(found) < 2:
        raise ValueError("a and b have the same name; rename one.")
    if names is not None:
        listed = isinstance(names, tuple | list) and len(names) == 2
        if not listed or names[0] == names[1]:
            raise ValueError(f"names={names!r} must be two different labels.")
        return dict(zip(names, found.values(), strict=True))
    return found


def resampling_of(
    n_resamples: int | None,
    random_state: Any,
    interval: str | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
) -> Resampling:
    """Draw the seed, and say how resamples are made."""
    return Resampling(
        given_resamples=n_resamples,
        interval=interval,
        seed=draw_seed(random_state),
        workers=Blocks(n_jobs, verbose),
    )
