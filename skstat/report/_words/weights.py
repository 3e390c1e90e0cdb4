"""How heavy a doubt weighs."""

from typing import Literal, get_args

Weight = Literal["invalid", "weak", "note"]
# The heaviest first.
WEIGHTS: tuple[Weight, ...] = get_args(Weight)
