"""Samples of two systems with their places exchanged."""

from dataclasses import replace
from typing import Any

from skstat.stats._samples.binary_scores import AUCSummary
from skstat.stats._samples.counts import AgreementTable
from skstat.stats._samples.fold_scores import PairedFoldScores
from skstat.stats._samples.predictions import PredictionsSummary
from skstat.stats._samples.seeded_predictions import SeededPredictions


def turned(sample: Any) -> Any:
    """Return a sample of A and B as one of B and A.

    Parameters
    ----------
    sample : object
        Any sample of two systems.
    """
    if isinstance(sample, PredictionsSummary):
        return replace(sample, scores=sample.scores[::-1], sds=sample.sds[::-1])
    if isinstance(sample, AUCSummary):
        sided = ("names", "aucs", "standard_errors")
        return replace(sample, **{name: getattr(sample, name)[::-1] for name in sided})
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
    if isinstance(sample, PairedFoldScores):
        halves = None if sample.halves is None else turned(sample.halves)
        known |= {"rows": sample.rows.of([1, 0]), "halves": halves}
    return replace(sample, **known)
