"""How the scores came about, in words: in one line, or with every fact."""

from collections.abc import Mapping
from typing import Any

_SHARES = {"half": 1 / 2, "a third": 1 / 3, "two thirds": 2 / 3, "nine tenths": 9 / 10}
_MOST_NOTES = 2  # of those that follow the kind; the first tell how many there are
_ALIKE = 0.02  # training sets whose sizes differ by less than this share are called alike


def design_line(design: Mapping[str, Any]) -> str:
    """Write what a reader needs: how many fits, of what, trained on how much.

    Parameters
    ----------
    design : mapping
        Facts of a report's design.

    Returns
    -------
    str
        One line; empty where nothing is known.

    Examples
    --------
    >>> facts = {"kind": "15x2-fold cross-validation", "n_splits": 30, "n_samples": 569}
    >>> design_line(facts | {"train_size": [284, 285], "test_size": [284, 285]})
    '30 fits each, trained on half of 569 rows (15x2-fold cross-validation)'
    """
    return "; ".join(filter(None, [_line(design), *design.get("read", ())]))


def _line(design: Mapping[str, Any]) -> str:
    """Write the fits, or the kind, without what was guessed or left out as scores were read."""
    kind = "kind" in design
    if not (kind and {"n_splits", "n_samples", "train_size"} <= set(design)):
        # Notes without a kind are the seed of what was drawn: no design.
        return "; ".join([design["kind"], *_notes(design)[:_MOST_NOTES]]) if kind else ""
    n, rows = n_fits_of(design), design["n_samples"]
    fits = "one fit" if n == 1 else f"{n} fits"
    groups = ", groups kept together" if "train_groups" in design else ""
    trained = f"{_part(design['train_size'], rows)}{groups}"
    halves = design.get("halves")
    if halves is None:
        return f"{fits} each, trained on {trained} ({design['kind']})"
    return (
        f"{fits} each: {design['n_splits']} trained on {trained} ({design['kind']}), and "
        f"{halves['n_splits']} on halves for the variance"
    )


def larger_text(design: Mapping[str, Any]) -> str:
    """Write how to ask the same of larger training sets; empty where that is not possible."""
    found = design.get("larger")
    if found is None:
        return ""
    share, n = found["train_size"], found["n_fits"]
    of = {exact: word for word, exact in _SHARES.items()}.get(share, f"{100 * share:.0f}%")
    return f"train_size={share} trains on {of} of the rows, by {n} fits"


def n_fits_of(design: Mapping[str, Any]) -> int:
    """Count the fits of each system, those on halves included."""
    return int(design["n_splits"]) + int(design.get("halves", {}).get("n_splits", 0))


def more_of_design(design: Mapping[str, Any]) -> str:
    """Write all facts of a design; nothing where one line has them."""
    bits = [str(design["kind"])] if "kind" in design else []
    if "train_size" in design:
        bits.append(
            f"trained on {span_of(design['train_size'])} rows, tested on "
            f"{span_of(design['test_size'])}"
        )
    if "train_groups" in design:
        bits.append(
            f"{span_of(design['train_groups'])} groups against {span_of(design['test_groups'])}"
        )
    if "splitter" in design:
        bits.append(str(design["splitter"]))
    if "halves" in design:
        halves = design["halves"]
        bits.append(
            f"variance from {halves['kind']}, trained on {span_of(halves['train_size'])} rows; "
            f"{halves['splitter']}"
        )
    text = "; ".join([*bits, *_notes(design), *design.get("read", ())])
    return "" if text == design_line(design) else text


def _notes(design: Mapping[str, Any]) -> list[str]:
    return [str(note) for note in design.get("notes", ())]


def _part(size: int | list[int], of: int) -> str:
    """Write training rows as a part of all rows."""
    low, high = size if isinstance(size, list) else (size, size)
    if high - low > _ALIKE * of:
        return f"{low} to {high} of {of} rows"
    share = (low + high) / 2 / of
    for word, exact in _SHARES.items():
        if abs(share - exact) < _ALIKE / 4:
            return f"{word} of {of} rows"
    return f"{100 * share:.0f}% of {of} rows"


def span_of(size: int | list[int]) -> str:
    """Write a number of rows, or the least and the most."""
    return f"{size[0]} to {size[1]}" if isinstance(size, list) else str(size)
