"""Labels of units: what a pandas index, or the keys of a mapping, say about the order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_BY_POSITION = "pass .to_numpy() if the rows correspond by position"
_NOTHING: Any = object()


class _Words(NamedTuple):
    """What a door calls a unit, and what it advises where one is missing."""

    unit: str
    if_lacking: str


class _Labelled(NamedTuple):
    """An argument that brings the labels of its units, and its name."""

    name: str
    index: Any
    is_mapping: bool

    @property
    def labels(self) -> list[Any]:
        return self.index if isinstance(self.index, list) else list(self.index)

    @property
    def counts_rows(self) -> bool:
        """Whether the labels are those that pandas makes itself: 0, 1, 2, ..."""
        start, step = getattr(self.index, "start", None), getattr(self.index, "step", None)
        return (start, step) == (0, 1)

    def same_order(self, other: "_Labelled") -> bool:
        if not (self.is_mapping or other.is_mapping):
            return bool(self.index.equals(other.index))
        return self.labels == other.labels

    @property
    def remedy(self) -> str:
        """How to take it by position."""
        if self.is_mapping:
            return f"pass list({self.name}.values()) if the rows correspond by position"
        return _BY_POSITION


def aligned(
    arguments: Mapping[str, Any], *, unit: str = "row", if_lacking: str = ""
) -> dict[str, Any]:
    """Bring the labelled arguments of one call into the order of the first of them.

    Labels are the index of a pandas Series or DataFrame, and the keys of a mapping. What
    has none (arrays, lists, polars) is taken by its position.

    Parameters
    ----------
    arguments : mapping of str to object
        What was handed in, by the name that the caller knows it by; first what the others
        are compared with. None stands for an argument that was left out.
    unit : str, default="row"
        What one entry of an argument is, for messages.
    if_lacking : str, default=""
        What to do if a label is missing, beside taking rows by position.

    Returns
    -------
    dict of str to object
        The same arguments; those in another order are reordered, and mappings are lists.

    Raises
    ------
    ValueError
        If labels differ, repeat themselves in another order, or an argument has none while
        others differ in their order.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    labelled = [
        _Labelled(name, labels, isinstance(value, Mapping))
        for name, value in given.items()
        if (labels := labels_of(value)) is not None
    ]
    if not labelled:
        return dict(arguments)
    first, *others = labelled
    words = _Words(unit, if_lacking)
    _refuse_ids_alone(labelled, given)
    places = {other.name: _places(first, other, words) for other in others}
    names = {one.name for one in labelled}
    moved = next((name for name, place in places.items() if place is not None), None)
    without = next((name for name in given if name not in names), None)
    if moved is not None and without is not None:
        raise ValueError(
            f"{moved} and {first.name} have the same labels in another order, and {without} "
            "has none, so that its order is unknown: give it the same labels (a pandas Series "
            "with the "
            f"index), or {_BY_POSITION}."
        )
    return {
        name: _taken(value, places.get(name)) if name in names else value
        for name, value in arguments.items()
    }


def labels_of(value: Any) -> Any:
    """Return the index of a Series or DataFrame, the keys of a mapping, or None."""
    if isinstance(value, Mapping):
        return list(value)
    return value.index if hasattr(value, "iloc") and hasattr(value, "index") else None


def _refuse_ids_alone(labelled: Sequence[_Labelled], given: Mapping[str, Any]) -> None:
    """Refuse a mapping whose keys there is nothing to compare with."""
    reference = next(iter(given))
    mapping = next((one for one in labelled if one.is_mapping), None)
    if mapping is not None and all(one.name != reference for one in labelled):
        raise ValueError(
            f"{mapping.name} is a mapping, whose keys name its rows, and {reference} has no "
            f"labels to match them with: give {reference} as a mapping with the same keys (or "
            f"a pandas Series), or {mapping.remedy}."
        )


def _places(first: _Labelled, other: _Labelled, words: _Words) -> list[int] | None:
    """Where in `other` the units of `first` stand; None if they are in the same order."""
    if first.same_order(other) or (first.counts_rows and other.counts_rows):
        return None  # rows that are only counted may differ in number, which is said elsewhere
    wanted, found = first.labels, other.labels
    for one, labels in ((first, wanted), (other, found)):
        twice = next((label for label, n in Counter(labels).items() if n > 1), _NOTHING)
        if twice is not _NOTHING:
            raise ValueError(
                f"the index of {one.name} holds {twice!r} twice, and those of {first.name} and "
                f"{other.name} differ: there is no telling which {words.unit}s belong "
                f"together. Make the labels unique, or {other.remedy}."
            )
    place = {label: number for number, label in enumerate(found)}
    for lacks, there, has, labels in (
        (other, place, first, wanted),
        (first, set(wanted), other, found),
    ):
        lacking = next((label for label in labels if label not in there), _NOTHING)
        if lacking is not _NOTHING:
            raise ValueError(
                f"{lacks.name} has no {words.unit} for {lacking!r}, which {has.name} has one "
                "for: they are matched by their labels (the index of a Series or DataFrame, "
                f"the keys of a mapping). {words.if_lacking}Give both the same labels, or "
                f"{other.remedy}."
            )
    return [place[label] for label in wanted]


def _taken(value: Any, places: list[int] | None) -> Any:
    if isinstance(value, Mapping):
        rows = list(value.values())
        return rows if places is None else [rows[place] for place in places]
    return value if places is None else value.iloc[places]
