"""Samples back from their dictionaries."""

from typing import Any

from skstat.stats._binary_scores import AUCSummary
from skstat.stats._clusters import ClusteredScores
from skstat.stats._crossed import CrossedScores
from skstat.stats._predictions import PredictionsSummary, SystemsSummary
from skstat.stats._restoring import restoring
from skstat.stats._samples import PairedScores, Scores
from skstat.stats._score_table import ScoreTable
from skstat.stats._seed_scores import SeedScores, SeedScoreTable
from skstat.stats._splits.block_scores import PairedBlockScores
from skstat.stats._splits.block_table import BlockScoreTable
from skstat.stats._tables import AgreementTable, Successes

_TYPES: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        AUCSummary,
        AgreementTable,
        BlockScoreTable,
        ClusteredScores,
        CrossedScores,
        PairedBlockScores,
        PairedScores,
        PredictionsSummary,
        ScoreTable,
        Scores,
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
