"""What finds small faults that were planted: the net, the quick suite, or nobody.

``python tools/plant.py --suite`` plants those of ``tools/faults.toml`` one after the other, and
writes ``faults.json``; here its counts are printed. How they were chosen stands at the head of
that list. The first count asked the tests of a fault's room, or of some faults those that are
nearest; not the examples in docstrings, nor the pages.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_RECORD = Path(__file__).with_name("faults.json")


def run() -> Iterator[str]:
    """Yield how many were found by what, when they were chosen and now, and which are not."""
    record = json.loads(_RECORD.read_text(encoding="utf-8"))
    first = (fault.get("at_first", fault["by"]) for fault in record.values())
    yield f"{len(record)} faults before cases and tests were added: {_counted(first)}"
    yield f"today: {_counted(fault['by'] for fault in record.values())}"
    signs = [fault for fault in record.values() if fault["kind"] == "a sign"]
    yield f"of these, {len(signs)} signs: {_counted(fault['by'] for fault in signs)}"
    yield from (f"not found: {name}" for name, fault in record.items() if not fault["by"])


def _counted(by: Iterator[str]) -> str:
    found = Counter(by)
    return ", ".join(
        f"{found[who]} by {who or 'nobody'}" for who in ("net", "suite", "") if found[who]
    )
