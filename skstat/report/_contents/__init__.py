"""What a report shows, for every form of it: rows, tables, drawings.

Imports the words.
"""

from skstat.report._contents.contents import Contents, Link, Rows, Section
from skstat.report._contents.drawing import Area, Band, Dot, Drawing, Label, Line, Shape
from skstat.report._contents.grid import Grid
from skstat.report._contents.interval import ShownInterval
from skstat.report._contents.leaderboard_grid import leaderboard_contents
from skstat.report._contents.losses_as_losses import (
    shown_comparison,
    shown_datasets,
    shown_leaderboard,
    shown_systems,
)
from skstat.report._contents.rows import comparison_contents, equivalence_limits, interval_text
from skstat.report._contents.systems_grids import datasets_contents, systems_contents
from skstat.report._contents.tone import Badge, Tone
from skstat.report._contents.undirected import asks_for_direction, without_winner
from skstat.report._contents.when_read import WhenRead
