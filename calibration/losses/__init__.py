"""Tests over splits, asked of any learner and any metric.

The situations "splits" and "performance" count accuracy. Here every metric is read from the
same fits, and all settings of one size see the same noise, so that learners and metrics can
be compared.

- ``laws`` draws data on which the null hypothesis holds exactly; ``learners`` gives
  probabilities or numbers; ``designs`` makes the splits.
- ``scores`` says what every fold scores and what every row contributes; ``samples`` makes
  skstat's samples of it.
- ``settings`` asks skstat. Expected scores are not known in closed form: ``truths`` finds
  them in a pass of their own, and intervals are then held to them.
"""

from calibration.losses.settings import SETTINGS

__all__ = ["SETTINGS"]
