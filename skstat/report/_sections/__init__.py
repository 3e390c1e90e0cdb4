"""Which blocks a report is shown as, in the order in which they are read."""

from skstat.report._sections.grids import document

__all__ = ["document"]
