"""Repeating a setting, in parallel, with the same result whoever computes it."""

import time
from collections.abc import Callable
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from calibration.readings import Readings
from calibration.tally import Results, Tally

BATCH = 20
SECONDS_BETWEEN_SAVES = 30


class Setting(Protocol):
    """One learner, size or law of a situation."""

    situation: str
    name: str
    replications: int
    power_replications: int

    def parameters(self) -> dict[str, Any]:
        """Return what is simulated, as plain values."""
        ...

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one replicate and ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        ...


def count(setting: Setting, seed: int, start: int, stop: int) -> Tally:
    """Run some replicates of a setting.

    Parameters
    ----------
    setting : Setting
        What to run.
    seed : int
        Seed of the study.
    start, stop : int
        Numbers of the replicates; each has a stream of random numbers of its own.
    """
    tally = Tally()
    key = crc32(f"{setting.situation}/{setting.name}".encode())
    with threadpool_limits(1):  # the matrices are small: more threads only wait
        for number in range(start, stop):
            stream = np.random.SeedSequence(seed, spawn_key=(key, number))
            power = number < setting.power_replications
            tally.add(setting.replicate(stream, power=power))
    return tally


def run(
    setting: Setting,
    results: Results,
    *,
    seed: int,
    replications: int | None = None,
    jobs: int = 1,
    say: Callable[[str], None] = print,
) -> None:
    """Run what is missing of a setting, and keep it.

    Parameters
    ----------
    setting : Setting
        What to run.
    results : Results
        Where it is kept.
    seed : int
        Seed of the study.
    replications : int, optional
        How many in all; the setting's own number by default.
    jobs : int, default=1
        Processes.
    say : callable
        Told how far the run is.
    """
    wanted = setting.replications if replications is None else replications
    parameters = setting.parameters()
    tally = results.of(setting.name, parameters)
    where = f"{setting.situation} / {setting.name}"
    if tally.replications >= wanted:
        say(f"{where}: {tally.replications} replications are there")
        return
    starts = range(tally.replications, wanted, BATCH)
    tasks = (
        delayed(count)(setting, seed, start, min(start + BATCH, wanted)) for start in starts
    )
    began = saved = time.monotonic()
    for part in Parallel(n_jobs=jobs, return_as="generator")(tasks):
        tally.join(part)
        if time.monotonic() - saved > SECONDS_BETWEEN_SAVES:
            results.keep(setting.name, parameters, tally)
            saved = time.monotonic()
    results.keep(setting.name, parameters, tally)
    minutes = (time.monotonic() - began) / 60
    say(f"{where}: {tally.replications} replications ({minutes:.1f} minutes)")
