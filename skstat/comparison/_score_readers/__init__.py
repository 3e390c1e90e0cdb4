"""Scores that were computed before, read into samples: a reader for each kind of holder.

Imports the engine only.
"""

from skstat.comparison._score_readers.description import INSTEAD, Description, ReadScores
from skstat.comparison._score_readers.read import read_scores
from skstat.comparison._score_readers.rows import values_of_items
