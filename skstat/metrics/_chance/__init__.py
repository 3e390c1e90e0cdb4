"""What a guess that ignores X is expected to score: exactly, by metric."""

from skstat.metrics._chance.known import (
    chance_of,
    is_alike_for_guesses,
    is_proper,
    is_share_of_hits,
)
from skstat.metrics._chance.labels import LabelChance
from skstat.metrics._chance.orders import OrderChance

__all__ = [
    "LabelChance",
    "OrderChance",
    "chance_of",
    "is_alike_for_guesses",
    "is_proper",
    "is_share_of_hits",
]
