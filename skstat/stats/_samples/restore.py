"""Samples back from their dictionaries."""

from dataclasses import replace
from typing import Any

from skstat.stats._common import Written, restored, restoring, subclasses_of
from skstat.stats._samples.counts import AgreementTable
from skstat.stats._samples.predictions import PredictionsSummary
from skstat.stats._samples.seed_scores import SeededPredictions


def turned(sample: Any) -> Any:
    """Return a sample of A and B as one of B and A.

    Parameters
    ----------
    sample : object
        Any sample of two systems.
    """
    if isinstance(sample, PredictionsSummary):
        return sample.turned()
    if isinstance(sample, AgreementTable):
        return replace(sample, only_a=sample.only_b, only_b=sample.only_a)
    if isinstance(sample, SeededPredictions):
        a, b = sample.n_seeds
        each = list(sample.runs.outputs.items())
        runs = replace(sample.runs, outputs=dict([*each[a:], *each[:a]]))
        return replace(sample, runs=runs, n_seeds=(b, a))
    if hasattr(sample, "pair"):  # of systems by name
        return sample.pair(*sample.names[::-1])
    known = {"a": sample.b, "b": sample.a}
    if getattr(sample, "rows", None) is not None:
        halves = None if sample.halves is None else turned(sample.halves)
        known |= {"rows": sample.rows.of([1, 0]), "halves": halves}
    return replace(sample, **known)


@restoring
def sample_from_dict(state: dict[str, Any]) -> Any:
    """Rebuild a sample, or the summary of a large one, from its ``to_dict()``."""
    state = dict(state)
    name, samples = state.pop("type"), __name__.rpartition(".")[0]
    for kind in subclasses_of(Written):
        if kind.__name__ == name and kind.__module__.rpartition(".")[0] == samples:
            return restored(kind, state)
    raise ValueError(f"the sample's type {name!r} is unknown.")
