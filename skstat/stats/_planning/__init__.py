"""Power, sizes and smallest detectable differences of tests, before there are any data.

Imports samples, tests of two systems, and the common ground.
"""

from skstat.stats._planning.checks import check_number, check_power
from skstat.stats._planning.counts import (
    McNemarPlanner,
    SignPlanner,
    independent_errors,
    sign_power,
    sign_size,
)
from skstat.stats._planning.margins import (
    MarginPlanner,
    equivalence_power,
    equivalence_size,
    noninferiority_size,
    power_for_flips,
)
from skstat.stats._planning.mcnemar import mcnemar_detectable, mcnemar_power, mcnemar_size
from skstat.stats._planning.means import (
    MeanTypePlanner,
    PairedTPlanner,
    PilotPlanner,
    RowsPlanner,
    SeedsPlanner,
    SplitsPlanner,
    upper_limit,
)
from skstat.stats._planning.pilot import Answers, Pilot, plan_from, plan_from_estimate
from skstat.stats._planning.planner import Planner, Size, Variant
from skstat.stats._planning.precision import (
    AUCPrecision,
    MeanPrecision,
    Precision,
    SharePrecision,
    wilson_half_width,
    wilson_size,
)
from skstat.stats._planning.projected import ProjectionPlanner, RepeatsPlanner
from skstat.stats._planning.ranks import (
    PostHoc,
    SimulatedPlanner,
    SystemsPlanner,
    WilcoxonPlanner,
)
from skstat.stats._planning.split_t import splits_detectable, splits_power, t_power, t_size
from skstat.stats._planning.within_units import (
    AnswersPlanner,
    Cheapest,
    GroupsPlanner,
    WithinUnitsPlanner,
)
