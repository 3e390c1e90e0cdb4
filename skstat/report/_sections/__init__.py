"""Which blocks a report is shown as, in the order in which they are read."""

from skstat.report._sections.report import report_document

__all__ = ["report_document"]
