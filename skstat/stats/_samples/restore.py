"""Samples back from their dictionaries."""

from typing import Any

from skstat.stats._common import restoring
from skstat.stats._samples.binary_scores import AUCSummary
from skstat.stats._samples.block_scores import BlockScoreTable, PairedBlockScores
from skstat.stats._samples.clustered_scores import ClusteredScores
from skstat.stats._samples.clustered_table import ClusteredScoreTable
from skstat.stats._samples.counts import AgreementTable, Successes
from skstat.stats._samples.crossed_scores import CrossedScores
from skstat.stats._samples.predictions import PredictionsSummary, SystemsSummary
from skstat.stats._samples.preferences import PairedStrengths, StrengthTable
from skstat.stats._samples.score_table import ScoreTable
from skstat.stats._samples.scores import PairedScores, Scores
from skstat.stats._samples.seed_scores import SeedScores, SeedScoreTable

_TYPES: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        AUCSummary,
        AgreementTable,
        BlockScoreTable,
        ClusteredScoreTable,
        ClusteredScores,
        CrossedScores,
        PairedBlockScores,
        PairedScores,
        PairedStrengths,
        PredictionsSummary,
        ScoreTable,
        Scores,
        StrengthTable,
        SeedScoreTable,
        SeedScores,
        Successes,
        SystemsSummary,
    )
}


@restoring
def sample_from_dict(state: dict[str, Any]) -> Any:
    """Rebuild a sample, or the summary of a large one, from its ``to_dict()``."""
    state = dict(state)
    name = state.pop("type")
    if not isinstance(name, str) or name not in _TYPES:
        raise ValueError(f"the sample's type {name!r} is unknown.")
    return _TYPES[name](**state)
