"""Splitters for tests that need splits of their own, by the sample that a test takes."""

from collections.abc import Callable, Iterable
from typing import Any

from skstat.evaluation._inputs import Data
from skstat.evaluation._splitters.base import Splitter
from skstat.evaluation._splitters.leave_two_blocks_out import blocks_for
from skstat.stats import PairedBlockScores

MakeSplitter = Callable[[Data, int], Splitter]

# From the data and a seed to the splitter whose scores are such a sample.
_SPLITTERS: dict[Any, MakeSplitter] = {PairedBlockScores: blocks_for}


def splitter_making(samples: Iterable[Any]) -> MakeSplitter | None:
    """Return what makes the splitter for one of the types of sample, if it has its own."""
    return next((_SPLITTERS[kind] for kind in samples if kind in _SPLITTERS), None)
