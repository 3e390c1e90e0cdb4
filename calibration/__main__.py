"""Rerun the study: ``python -m calibration [--situation NAME ...]``.

What is there already is kept, and only what is missing is run. A setting whose parameters
changed is run anew; ``--fresh`` runs anew what is named, as after a change of the code.
"""

import argparse
import time
from importlib import import_module
from pathlib import Path

from calibration.study import run
from calibration.tally import FOLDER, Results

SITUATIONS = (
    "splits",
    "test_set",
    "groups_time_seeds",
    "datasets",
    "systems",
    "performance",
    "differences",
    "losses",
    "rivals",
    "nine_tenths",
    "baselines",
)


def main() -> None:
    """Read the command line, and run."""
    parser = argparse.ArgumentParser(prog="python -m calibration")
    parser.add_argument("--situation", nargs="+", choices=SITUATIONS, default=SITUATIONS)
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    parser.add_argument("--replications", type=int, help="the setting's own number by default")
    parser.add_argument("--fresh", action="store_true", help="forget what is there")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where results are kept")
    asked = parser.parse_args()
    for situation in asked.situation:
        results = Results(situation, asked.seed, asked.folder)
        for setting in import_module(f"calibration.{situation}").SETTINGS:
            if asked.setting in setting.name:
                if asked.fresh:
                    results.settings.pop(setting.name, None)
                run(
                    setting,
                    results,
                    seed=asked.seed,
                    replications=asked.replications,
                    jobs=asked.jobs,
                    say=lambda line: print(time.strftime("%H:%M:%S"), line, flush=True),
                )


if __name__ == "__main__":
    main()
