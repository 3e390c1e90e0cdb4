"""What a guess that ignores X is expected to score: exactly, by formula."""

from skstat.metrics._chance.labels import LabelChance
from skstat.metrics._chance.orders import OrderChance, of_order
