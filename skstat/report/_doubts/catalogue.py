"""All kinds of doubt, in the order of their codes."""

from types import ModuleType

from skstat.report._doubts import (
    baseline,
    datasets,
    design_results,
    design_rows,
    design_splits,
    design_time,
    design_units,
    differences,
    few_units,
    performance,
    probabilities,
    repetition,
    several,
    systems,
    verdict,
)
from skstat.report._doubts.kind import DoubtKind


def joined(*modules: ModuleType) -> dict[str, DoubtKind]:
    """Return the kinds of doubt of some modules, by their codes."""
    found: dict[str, DoubtKind] = {}
    for module in modules:
        for kind in vars(module).values():
            if not isinstance(kind, DoubtKind):
                continue
            if found.setdefault(kind.code, kind) is not kind:  # a module may import one
                raise ValueError(f"two kinds of doubt have the code {kind.code}.")
    return dict(sorted(found.items()))


CATALOGUE = joined(
    design_splits,
    design_units,
    design_rows,
    design_time,
    design_results,
    datasets,
    differences,
    few_units,
    verdict,
    systems,
    probabilities,
    baseline,
    repetition,
    several,
    performance,
)
