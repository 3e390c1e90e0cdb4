"""Power, sizes and smallest detectable differences of tests, before there are any data."""

from skstat.stats._planning.margins import (
    equivalence_power,
    equivalence_size,
    noninferiority_size,
)
from skstat.stats._planning.mcnemar import (
    mcnemar_detectable,
    mcnemar_power,
    mcnemar_size,
)
from skstat.stats._planning.shares import wilson_half_width, wilson_size
from skstat.stats._planning.sign import sign_power, sign_size
from skstat.stats._planning.split_t import (
    splits_detectable,
    splits_power,
    t_power,
    t_size,
)
