"""Power, sizes and smallest detectable differences of tests, before there are any data.

Imports samples, tests of two systems, and the common ground.
"""

from skstat.stats._planning.counts import (
    McNemarPlanner,
    SignPlanner,
    independent_errors,
    mcnemar_power,
    mcnemar_size,
    sign_power,
    sign_size,
)
from skstat.stats._planning.means import (
    MarginPlanner,
    MeanTypePlanner,
    PairedTPlanner,
    PilotPlanner,
    RowsPlanner,
    SeedsPlanner,
    SplitsPlanner,
    t_power,
    t_size,
    upper_limit,
)
from skstat.stats._planning.pilot import (
    Answers,
    AUCPrecision,
    MeanPrecision,
    Pilot,
    Precision,
    SharePrecision,
    plan_from,
    plan_from_estimate,
    wilson_half_width,
)
from skstat.stats._planning.planner import Planner, Size, Variant, check_power
from skstat.stats._planning.ranks import (
    PostHoc,
    SimulatedPlanner,
    SystemsPlanner,
    WilcoxonPlanner,
)
from skstat.stats._planning.within_units import (
    AnswersPlanner,
    Cheapest,
    GroupsPlanner,
    ProjectionPlanner,
    RepeatsPlanner,
    WithinUnitsPlanner,
)
