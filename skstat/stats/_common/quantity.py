"""What the estimate of a comparison is of."""

from dataclasses import dataclass
from typing import Literal

ComparesSizes = Literal["no", "weakly", "strongly"]


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What an outcome estimates, and what its test says about the better system.

    The defaults are those of a mean difference.

    Attributes
    ----------
    name : str
        Name of the estimate, such as ``"median difference"``.
    is_difference : bool
        Whether it is the difference of the scores themselves, as a mean of differences is.
        The sign of a median may be another one.
    of_units : bool
        Whether it is about the scores of single units.
    transitive : bool
        Whether two systems that each equal a third by it equal each other, as means do, and
        medians of differences need not.
    compares_sizes : {"no", "weakly", "strongly"}
        How much the sizes of differences on different units weigh against each other:
        strongly in a mean, where the largest decide, weakly where they are only put in
        order, not at all where wins are counted. If they do, the scores of all units have
        to be on one scale.
    claim : str
        How the better system is better, to follow the name of the other one; ``{unit}``
        stands for a unit.
    """

    name: str = "difference"
    is_difference: bool = True
    of_units: bool = False
    transitive: bool = True
    compares_sizes: ComparesSizes = "strongly"
    claim: str = ""


DIFFERENCE = Quantity()
