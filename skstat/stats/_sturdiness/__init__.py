"""How many units a verdict rests on: the fewest whose removal turns it.

Imports samples, outcomes, and the common ground; which test is asked again it is told.
"""

from skstat.stats._sturdiness.sturdiness import (
    Sturdiness,
    can_be_asked_again,
    rests_on_few,
    sturdiness,
)
