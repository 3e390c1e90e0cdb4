"""Units that are not single independent rows: groups, steps in time, seeds."""

from calibration import groups, seeds, time_order

SETTINGS = (*groups.SETTINGS, *time_order.SETTINGS, *seeds.SETTINGS)
