"""Compare what is told today with the record, or write it: see ``--help``."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import skstat
from tools.net import store
from tools.net.adapter import told
from tools.net.case import Case
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
    parser.add_argument("--cases", type=Path, help="a JSON list of cases to ask, in its order")
    parser.add_argument(
        "--part", nargs=2, type=int, metavar=("I", "N"), default=(0, 1), help="each Nth case"
    )
    parser.add_argument("--walks", type=Path, help="write which functions every case enters")
    options = parser.parse_args()
    os.environ["COLUMNS"] = "80"
    os.environ.pop("GITHUB_STEP_SUMMARY", None)
    recorded = store.read(options.record) if options.record.exists() else {}
    part, n_parts = options.part
    now, left, times, walks = {}, 0, {}, {}
    wrong = excused = 0
    for one in islice(_asked(options.only, options.cases), part, None, n_parts):
        if one.missing():
            left += 1
            continue
        start = time.process_time()
        if options.walks:
            sys.settrace(_noting(walks.setdefault(one.name, set())))
        now[one.name] = told(one.ask, debug=options.debug)
        sys.settrace(None)
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
    some = options.only or options.cases or n_parts > 1
    gone = [] if some or options.show else sorted(set(recorded) - set(now))
    if options.walks:
        functions = {name: sorted(found) for name, found in walks.items()}
        options.walks.write_text(json.dumps(functions), encoding="utf-8")
    if options.write:
        kept = recorded if some else {name: recorded[name] for name in gone if left}
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


def _asked(pattern: str, chosen: Path | None) -> Iterator[Case]:
    """Yield the cases that are asked."""
    found = {one.name: one for one in all_cases() if pattern in one.name}
    names = found if chosen is None else json.loads(chosen.read_text(encoding="utf-8"))
    yield from (found[name] for name in names)


def _noting(functions: set[str]) -> Callable[..., None]:
    """Return a tracer that notes the functions of the package: their files and first rows."""
    package = str(Path(skstat.__file__).parent)

    def note(frame: Any, *_: Any) -> None:
        code = frame.f_code
        if code.co_filename.startswith(package):
            name = Path("skstat", code.co_filename[len(package) + 1 :]).as_posix()
            functions.add(f"{name}:{code.co_firstlineno}")

    return note


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
