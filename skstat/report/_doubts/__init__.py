"""Doubts: coded reasons to trust a conclusion less, each with its sentence and a remedy.

A kind of doubt is a code, a title, and a rule for each case in which it is raised: a function
of the facts (:class:`Facts`) that yields what it finds. The same rules serve two systems and
hundreds. The modules of this package import one another, the texts for numbers, levels and
metrics (``_terms``) and ``skstat.stats``, but no report. Other packages import from here.
"""

from skstat.report._doubts.facts import EstimationMethod, Facts, Pairs
from skstat.report._doubts.kind import CATALOGUE, Doubt, Doubts, explain, explained, merged

# Each module of rules declares its kinds of doubt.
from skstat.report._doubts.rows import no_better_than_guessing
from skstat.report._doubts.verdict import drawing_error, is_near, margin_is_near
