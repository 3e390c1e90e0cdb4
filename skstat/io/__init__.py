"""Results where they already are: logs of evaluations, benchmark tables, objects in memory.

Every reader makes :class:`Results`, which :func:`skstat.compare_scores` takes.
"""

from skstat.io._read import read_results
from skstat.io._results import Results, ResultsError, Source, join_results

__all__ = ["Results", "ResultsError", "Source", "join_results", "read_results"]
