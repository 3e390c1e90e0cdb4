"""Which test was chosen, and which design is recommended, in words."""

from collections.abc import Mapping
from typing import Any


def choice_text(choice: Any) -> str:
    """Write a recommendation in one line; nothing if there is none."""
    if choice is None:
        return ""
    bits = [f"used {choice.title} because {choice.reason}"]
    others = [f"{other.name} ({other.when})" for other in choice.alternatives]
    if others:
        bits.append(f"alternatives: {', '.join(others)}")
    if choice.needs:
        bits.append(f"would need {', '.join(choice.needs)}")
    return "; ".join(bits)


def design_in_words(design: Mapping[str, Any] | None) -> str:
    """Write the splits of a recommended design."""
    if design is None:
        return ""
    if "test_size" not in design:
        return str(design["kind"])
    return (
        f"{design['n_splits']} {design['kind']}, {percent_of(design['test_size'])} of the rows "
        "for testing"
    )


def percent_of(share: float) -> str:
    """Write one third and one tenth as words, other shares as percentages."""
    known = {1 / 3: "one third", 1 / 10: "one tenth", 1 / 2: "half"}
    return known.get(share, f"{100 * share:.0f} %")
