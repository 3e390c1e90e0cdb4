"""What the estimate of a comparison is of."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What an outcome estimates, and what its test says of the better system.

    Attributes
    ----------
    name : str
        Name of the estimate, such as ``"median difference"``.
    is_difference : bool
        Whether it is the difference of the scores themselves, as a mean of differences is.
        The sign of a median may be another one.
    of_units : bool
        Whether it speaks of the scores of single units.
    claim : str
        How the better system is better, to follow the name of the other one; ``{unit}``
        stands for a unit.
    """

    name: str = "difference"
    is_difference: bool = True
    of_units: bool = False
    claim: str = ""


DIFFERENCE = Quantity()
