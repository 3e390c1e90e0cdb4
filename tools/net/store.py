"""The record: one line of JSON for every case, packed."""

import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_name("record.jsonl.xz")


def read(path: Path = RECORD) -> dict[str, Any]:
    """Return what was told, by the name of the case."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return dict(json.loads(line) for line in file)


def write(told: Mapping[str, Any], path: Path = RECORD) -> None:
    """Write what is told, in the order of the names."""
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as file:
        for name in sorted(told):
            file.write(json.dumps([name, told[name]], ensure_ascii=False) + "\n")
