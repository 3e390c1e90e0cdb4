"""Compare what is told today with the record, or write it: see ``--help``."""

import argparse
import os
import sys
import time
from pathlib import Path

from tools.net import store
from tools.net.adapter import told
from tools.net.cases import all_cases
from tools.net.compare import Difference, differences

_LONGEST = 1500  # characters of a value that are shown


def main() -> int:
    """Return 1 if anything differs that may not."""
    parser = argparse.ArgumentParser(prog="python -m tools.net", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the record anew")
    parser.add_argument("--only", metavar="PATTERN", default="", help="cases with this in them")
    parser.add_argument("--show", action="store_true", help="print what is told")
    parser.add_argument("--record", type=Path, default=store.RECORD, help="another record")
    parser.add_argument("--first", action="store_true", help="stop at the first difference")
    parser.add_argument("--debug", action="store_true", help="let refusals be raised")
    parser.add_argument("--slow", action="store_true", help="tell which cases take long")
    options = parser.parse_args()
    os.environ["COLUMNS"] = "80"
    os.environ.pop("GITHUB_STEP_SUMMARY", None)
    recorded = store.read(options.record) if options.record.exists() else {}
    now, left, times = {}, 0, {}
    wrong = excused = 0
    for one in all_cases():
        if options.only not in one.name:
            continue
        if one.missing():
            left += 1
            continue
        start = time.process_time()
        now[one.name] = told(one.ask, debug=options.debug)
        times[one.name] = time.process_time() - start
        if options.show:
            _show(one.name, now[one.name])
        elif not options.write:
            found = list(differences(recorded.get(one.name, {}), now[one.name]))
            wrong += any(not each.excused for each in found)
            excused += sum(each.excused for each in found)
            _print(one.name, [each for each in found if not each.excused])
            if wrong and options.first:
                return 1
    gone = [] if options.only or options.show else sorted(set(recorded) - set(now))
    if options.write:
        kept = recorded if options.only else {name: recorded[name] for name in gone if left}
        store.write(kept | now, options.record)
    elif not left:
        wrong += len(gone)
        _print("no longer asked", [Difference(name, "told", "(nothing)") for name in gone])
    if options.slow:
        for name in sorted(times, key=times.get, reverse=True)[:40]:
            print(f"{times[name]:.2f} s {name}")
    taken = f"{sum(times.values()):.0f} s; {left} need packages that are not there"
    print(f"{len(now)} cases, {wrong} differ, {excused} drawn numbers moved; {taken}")
    return int(wrong > 0)


def _show(name: str, plain: dict) -> None:
    print(f"== {name}")
    for key, value in plain.items():
        print(f"{key}: {value}" if "\n" not in str(value) else f"{key}:\n{value}")


def _print(name: str, found: list[Difference]) -> None:
    if found:
        print(f"== {name}")
    for each in found:
        before, now = (str(value)[:_LONGEST] for value in (each.before, each.now))
        if "\n" in before + now:
            print(f"{each.field}\n  before:")
            print("\n".join(f"    {line}" for line in before.splitlines()))
            print("  now:")
            print("\n".join(f"    {line}" for line in now.splitlines()))
        else:
            print(f"{each.field}: {before} -> {now}")


if __name__ == "__main__":
    sys.exit(main())
