"""Find expected scores: ``python -m calibration.losses [--setting NAME]``.

Intervals are held to them by ``python -m calibration --situation losses rivals nine_tenths``.
What is known already is kept; ``--fresh`` finds it anew.
"""

import argparse
import time

from calibration import nine_tenths, rivals
from calibration.losses import SETTINGS
from calibration.losses.truths import find_truths, keep_truths, read_truths


def main() -> None:
    """Read the command line, and run."""
    parser = argparse.ArgumentParser(prog="python -m calibration.losses")
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    parser.add_argument("--fresh", action="store_true", help="find anew what is known")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for setting in (*SETTINGS, *rivals.SETTINGS, *nine_tenths.SETTINGS):
        kept = read_truths().get(setting.name, {}).get("parameters")
        known = kept == setting.parameters() and not asked.fresh
        if asked.setting in setting.name and not known:
            keep_truths(setting, find_truths(setting, seed=asked.seed, jobs=asked.jobs))
            print(time.strftime("%H:%M:%S"), setting.name, flush=True)


if __name__ == "__main__":
    main()
