"""Expected scores: means over the replicates of the study, kept as JSON.

An expected score is not known in closed form for every learner and metric. It is estimated by
the mean over all replicates, in a pass before the one that counts which intervals hold it.
With 1000 replicates its variance is a thousandth of that of the estimate whose interval is
held to it, which changes a coverage of 95 % by about 0.01 %.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

FILE = Path(__file__).with_name("truths.json")


class Setting(Protocol):
    """A setting whose intervals are asked whether they hold the truth."""

    @property
    def name(self) -> str:
        """Name of the setting."""
        ...

    @property
    def replications(self) -> int:
        """Replicates of a full study."""
        ...

    def parameters(self) -> dict[str, Any]:
        """Return what is simulated, as plain values."""
        ...

    def draw(self, stream: np.random.SeedSequence) -> Any:
        """Draw one replicate."""
        ...

    def intervals(self, fits: Any) -> Iterable[tuple[str, str, Any]]:
        """Yield procedure, metric and design, and estimate."""
        ...


def truths_of(name: str, parameters: Mapping[str, Any]) -> Mapping[str, float]:
    """Look up the expected scores of a setting.

    Parameters
    ----------
    name : str
        Name of the setting.
    parameters : mapping
        What it simulates.

    Returns
    -------
    mapping of str to float
        Expected score, or difference, by metric and design.

    Raises
    ------
    ValueError
        If they were not found yet, or for other parameters.
    """
    kept = read_truths().get(name)
    if kept is None or kept["parameters"] != parameters:
        raise ValueError(
            f"the expected scores of {name!r} are not known: run "
            "python -m calibration.losses first."
        )
    return kept["truths"]


@cache
def read_truths() -> dict[str, Any]:
    """Read what is known, by setting."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def find_truths(setting: Setting, *, seed: int, jobs: int) -> dict[str, float]:
    """Average the estimates over as many replicates as a full study has.

    Parameters
    ----------
    setting : Setting
        The setting.
    seed : int
        Seed of the study.
    jobs : int
        Processes.
    """
    found = Parallel(n_jobs=jobs)(
        delayed(_estimates)(setting, np.random.SeedSequence(seed, spawn_key=(number,)))
        for number in range(setting.replications)
    )
    every = dict.fromkeys(on for one in found for on in one)
    return {on: float(np.mean([one[on] for one in found if on in one])) for on in every}


def _estimates(setting: Setting, stream: np.random.SeedSequence) -> dict[str, float]:
    with threadpool_limits(1):
        return {on: value.estimate for _, on, value in setting.intervals(setting.draw(stream))}


def keep_truths(setting: Setting, truths: Mapping[str, float]) -> None:
    """Write the file anew, with the expected scores of a setting.

    Parameters
    ----------
    setting : Setting
        The setting.
    truths : mapping of str to float
        Its expected scores, by metric and design.
    """
    known = read_truths()
    known[setting.name] = {
        "parameters": setting.parameters(),
        "replications": setting.replications,
        "truths": {on: float(f"{value:.9g}") for on, value in truths.items()},
    }
    text = json.dumps(known, indent=1, sort_keys=True, allow_nan=False)
    FILE.write_text(text + "\n", encoding="utf-8")
