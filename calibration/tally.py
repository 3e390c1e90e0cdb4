"""What was counted, kept as JSON: one file for each situation."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.readings import ALPHA, Reading, Readings

FOLDER = Path(__file__).with_name("results")
# A row is one line: of a situation with many readings the file is a third smaller.
_ROW = re.compile(r"\{[^{}]*\"procedure\"[^{}]*\}")


class Tally:
    """Sums of readings over replicates.

    Parameters
    ----------
    replications : int, default=0
        Replicates that were added already.
    sums : mapping of Reading to (total, of, undefined), optional
        Their sums: events, replicates in which they could happen, and of these the ones in
        which the test was undefined, which do not count as rejections.
    """

    def __init__(
        self,
        replications: int = 0,
        sums: Mapping[Reading, tuple[float, int, int]] | None = None,
    ) -> None:
        self.replications = replications
        self.sums = dict(sums or {})

    def add(self, readings: Readings) -> None:
        """Add one replicate.

        Parameters
        ----------
        readings : Readings
            What it gave.
        """
        self.replications += 1
        for reading, value in readings.items():
            total, of, undefined = self.sums.get(reading, (0.0, 0, 0))
            lost = value != value
            self.sums[reading] = (total + (0.0 if lost else value), of + 1, undefined + lost)

    def join(self, other: "Tally") -> None:
        """Add what was counted elsewhere.

        Parameters
        ----------
        other : Tally
            Later replicates.
        """
        self.replications += other.replications
        for reading, added in other.sums.items():
            old = self.sums.get(reading, (0.0, 0, 0))
            self.sums[reading] = tuple(a + b for a, b in zip(old, added, strict=True))

    def rate(self, reading: Reading) -> float:
        """Share of replicates.

        Parameters
        ----------
        reading : Reading
            Which.
        """
        total, of, _ = self.sums[reading]
        return total / of

    def rows(self) -> list[dict[str, Any]]:
        """Return one plain row for each reading, sorted; what is empty or 0 is left out."""
        return [
            {
                **{field: value for field, value in reading._asdict().items() if value},
                "rate": round(total / of, 6),
                "replications": of,
                "total": round(total, 9),
                **({"undefined": undefined} if undefined else {}),
            }
            for reading, (total, of, undefined) in sorted(self.sums.items())
        ]


class Results:
    """The file of one situation.

    Parameters
    ----------
    situation : str
        Its name.
    seed : int
        Seed of all streams.
    folder : Path
        Where files are kept.
    """

    def __init__(self, situation: str, seed: int, folder: Path = FOLDER) -> None:
        self.path = folder / f"{situation}.json"
        self.head = {"alpha": ALPHA, "seed": seed, "situation": situation}
        self.settings: dict[str, Any] = {}
        if self.path.exists():
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            if all(kept[key] == value for key, value in self.head.items()):
                self.settings = kept["settings"]

    def of(self, name: str, parameters: Mapping[str, Any]) -> Tally:
        """Return what is known of a setting; nothing if its parameters were others.

        Parameters
        ----------
        name : str
            Name of the setting.
        parameters : mapping
            What it simulates.
        """
        kept = self.settings.get(name)
        if kept is None or kept["parameters"] != json.loads(json.dumps(parameters)):
            return Tally()
        sums = {
            Reading(*(row.get(field, "") for field in Reading._fields)): (
                row["total"],
                row["replications"],
                row.get("undefined", 0),
            )
            for row in kept["rows"]
        }
        return Tally(kept["replications"], sums)

    def keep(self, name: str, parameters: Mapping[str, Any], tally: Tally) -> None:
        """Write the file anew, with this setting.

        Parameters
        ----------
        name, parameters
            As in `of`.
        tally : Tally
            What was counted.
        """
        self.settings[name] = {
            "parameters": dict(parameters),
            "replications": tally.replications,
            "rows": tally.rows(),
        }
        state = {**self.head, "settings": self.settings}
        text = json.dumps(state, indent=1, sort_keys=True, allow_nan=False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".draft")
        draft.write_text(_ROW.sub(_on_one_line, text) + "\n", encoding="utf-8")
        os.replace(draft, self.path)


def _on_one_line(row: re.Match[str]) -> str:
    return json.dumps(json.loads(row[0]), sort_keys=True, separators=(",", ":"))
