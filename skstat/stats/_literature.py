"""The works that procedures, adjustments and splitters go back to, by authors and year."""

import re
import unicodedata
from pathlib import Path

from skstat.stats._procedure import Reference


def _read(file: Path) -> dict[str, Reference]:
    works, text = {}, file.read_text(encoding="utf-8")
    for entry in re.findall(r"^@.*?^\}", text, re.MULTILINE | re.DOTALL):
        work = Reference(entry)
        letters = unicodedata.normalize("NFKD", work.cited).encode("ascii", "ignore").decode()
        works[re.sub(r"\W+", "_", letters).upper()] = work
    return works


WORKS = _read(Path(__file__).with_name("references.bib"))


def __getattr__(name: str) -> Reference:
    try:
        return WORKS[name]
    except KeyError:
        raise AttributeError(f"references.bib has no work {name}.") from None
