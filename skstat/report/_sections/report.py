"""What is shown of one report: a list of sections, each a function of the report."""

from skstat.report._blocks import Block
from skstat.report._model import Report


def report_document(r: Report, full: bool, *, screen: bool = False) -> list[Block]:
    """Return the blocks that a report is shown as.

    Parameters
    ----------
    r : Report
        What was found.
    full : bool
        Whether to show all that is known; details are folds. Else what a terminal shows
        first.
    screen : bool, default=False
        Whether long tables of the details are cut for a terminal.
    """
    raise NotImplementedError
