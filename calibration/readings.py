"""What one replicate gives: rejections and coverages, each under a name."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

ALPHA = 0.05

NULL = "type I error"
POWER = "power"
FAMILY = "family-wise error"
COVERAGE = "coverage"
# The truth is beyond a limit that may be so in 5 % of data sets.
TRUTH_BELOW = "truth below the lower limit"
TRUTH_ABOVE = "truth above the upper limit"
WIDTH = "width"


class Reading(NamedTuple):
    """What was measured of which procedure.

    Parameters
    ----------
    procedure : str
        Name in skstat.
    options : str
        Its options, as they are written in the call; empty for the defaults.
    on : str
        Splits, metric, or law that it was asked on; empty when the setting says it.
    quantity : str
        ``NULL``, ``POWER``, ``FAMILY``, ``COVERAGE``, or another mean over replicates.
    """

    procedure: str
    options: str
    on: str
    quantity: str


class Readings(dict[Reading, float]):
    """Readings of one replicate: 1 or 0 for an event, nan where a test is undefined."""

    def ask(
        self,
        test: Callable[..., Any],
        sample: Any,
        *,
        on: str = "",
        quantity: str = NULL,
        **options: Any,
    ) -> None:
        """Call a procedure, and note whether it rejects.

        Parameters
        ----------
        test : callable
            Procedure of skstat.stats.
        sample : object
            What it is asked of.
        on, quantity : str
            See `Reading`.
        **options
            Passed on. Seeds and numbers of resamples are left out of the name.
        """
        with warnings.catch_warnings():
            # The naive tests warn, as they should; here that is what is measured.
            warnings.simplefilter("ignore")
            pvalue = test(sample, **options).pvalue
        self.note(test.__name__, pvalue, on=on, quantity=quantity, **options)

    def note_sides(
        self, procedure: str, interval: tuple[float, float], truth: float, *, on: str
    ) -> None:
        """Note on which side an interval of 90 % misses the truth.

        Parameters
        ----------
        procedure, on : str
            See `Reading`.
        interval : tuple of float
            Its limits, of which each is one of a one-sided interval of 95 %.
        truth : float
            What it should hold.
        """
        self[Reading(procedure, "", on, TRUTH_BELOW)] = float(truth < interval[0])
        self[Reading(procedure, "", on, TRUTH_ABOVE)] = float(truth > interval[1])

    def note(
        self,
        procedure: str,
        pvalue: float,
        /,
        *,
        on: str = "",
        quantity: str = NULL,
        **options: Any,
    ) -> None:
        """Note a p-value that was computed already."""
        named = {
            k: v for k, v in options.items() if k not in ("rng", "n_resamples", "constant")
        }
        written = ", ".join(f"{key}={value!r}" for key, value in named.items())
        # As skstat's verdicts: strictly below the level. nan stays nan.
        rejects = float(pvalue < ALPHA) if pvalue == pvalue else pvalue
        self[Reading(procedure, written, on, quantity)] = rejects
