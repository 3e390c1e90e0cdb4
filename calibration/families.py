"""Several systems at once: a family of pairs, and sets that must hold the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.readings import ALPHA, COVERAGE, FAMILY, POWER, Reading, Readings


@dataclass(frozen=True)
class Families:
    """Counts a family as wrong if any true hypothesis in it is rejected.

    Parameters
    ----------
    found : Readings
        Receives the counts.
    names : sequence of str
        The systems.
    truth : sequence of float
        Their true levels; higher is better.
    law : str
        What tables call this truth.
    """

    found: Readings
    names: Sequence[str]
    truth: Sequence[float]
    law: str

    def pairs(self, procedure: str, pairs: Any, adjusted: Any, options: str = "") -> None:
        """Count wrong rejections, and the share of differences that were found.

        Parameters
        ----------
        procedure, options : str
            As in `Reading`.
        pairs : sequence of (str, str)
            The family.
        adjusted : array-like
            Its adjusted p-values.
        """
        level = dict(zip(self.names, self.truth, strict=True))
        rejected = np.asarray(adjusted) < ALPHA
        true = np.array([level[a] == level[b] for a, b in pairs])
        self.found[Reading(procedure, options, self.law, FAMILY)] = float(rejected[true].any())
        if not true.all():
            power = float(rejected[~true].mean())
            self.found[Reading(procedure, options, self.law, POWER)] = power

    def best(
        self, procedure: str, kept: Sequence[str], options: str = "", *, every: bool
    ) -> None:
        """Note whether the best systems are in a set, and how many others were kept out.

        Parameters
        ----------
        procedure, options : str
            As in `Reading`.
        kept : sequence of str
            The systems that may be the best.
        every : bool
            Whether the set promises to hold all of the best at once, not each of them.
        """
        top = max(self.truth)
        best = [name for name, t in zip(self.names, self.truth, strict=True) if t == top]
        others = [name for name in self.names if name not in best]
        self.found[Reading(procedure, options, f"{self.law}, one best", COVERAGE)] = float(
            best[0] in kept
        )
        if every:
            holds = float(set(best) <= set(kept))
            self.found[Reading(procedure, options, f"{self.law}, every best", COVERAGE)] = holds
        if others:
            out = float(np.mean([name not in kept for name in others]))
            self.found[Reading(procedure, options, self.law, POWER)] = out
