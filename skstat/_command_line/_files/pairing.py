"""Which rows of several files belong together: by a column of ids, or else by their order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skstat._columns import ITEM_NAMES
from skstat._command_line._errors import CommandError
from skstat._command_line._files.columns import Column
from skstat._command_line._files.sources import Sources

# What --id takes to leave ids alone.
BY_ORDER = "none"


class Pairing(NamedTuple):
    """How the rows of files correspond.

    Attributes
    ----------
    places : dict of str to list of int
        Where the rows of the truth stand in the files that are in another order, by file.
    words : str
        How, for the report.
    """

    places: dict[str, list[int]]
    words: str

    def of(self, columns: Sequence[Column], path: str) -> list[Column]:
        """Return columns of a file in the order of the truth."""
        order = self.places.get(path)
        if order is None:
            return list(columns)
        return [column.take(order) for column in columns]


def pair_rows(sources: Sources, given: Mapping[str, str], named: str | None) -> Pairing:
    """Find out how the rows of files correspond.

    Parameters
    ----------
    sources : Sources
        Reads the files.
    given : mapping of str to str
        Sources by what they are given for; first the truth.
    named : str or None
        The column of ids, if the user names it; ``"none"`` to pair rows by their order.
    """
    files = list(dict.fromkeys(map(sources.path_of, given.values())))
    # Lines of text have no ids that could be looked at, and rows of one file no other order.
    if len(files) < 2 or (named is None and not any(map(sources.names_of, files))):
        return Pairing({}, "")
    if named == BY_ORDER:
        return Pairing({}, "rows paired by their order")
    ids = _ids(sources, files, named)
    if ids is None:
        _refuse_other_order(sources, files)
        return Pairing({}, "rows paired by their order")
    first = ids[files[0]]
    places = {}
    for path in files[1:]:
        own = ids[path]
        _refuse_unequal(first, own)
        if own.texts != first.texts:
            place = {text: number for number, text in enumerate(own.texts)}
            places[path] = [place[text] for text in first.texts]
    name = first.source.rpartition(":")[2]
    return Pairing(places, f"rows paired by {name}")


def _ids(sources: Sources, files: Sequence[str], named: str | None) -> dict[str, Column] | None:
    """Return the column of ids of every file; None where not all files have the same one."""
    names = [sources.names_of(path) for path in files]
    if named is not None:
        lacking = next((f for f, own in zip(files, names, strict=True) if named not in own), "")
        if lacking:
            raise CommandError(f"--id {named} is not a column of {lacking}.")
        found = {path: sources.columns(f"{path}:{named}")[0] for path in files}
        for column in found.values():
            _refuse_twice(column)
        return found
    return _usual_ids(sources, files)


def _usual_ids(sources: Sources, files: Sequence[str]) -> dict[str, Column] | None:
    """Return the first column with a usual name whose ids are unique in all files."""
    spelled = {path: {name.lower(): name for name in sources.names_of(path)} for path in files}
    for usual in ITEM_NAMES:
        if not all(usual in own for own in spelled.values()):
            continue
        found = {
            path: sources.columns(f"{path}:{own[usual]}")[0] for path, own in spelled.items()
        }
        repeated = [c for c in found.values() if len(set(c.texts)) < len(c)]
        if not repeated:
            return found
        if len(repeated) < len(found):  # of ids all the same
            _refuse_twice(repeated[0])
    return None


def _refuse_other_order(sources: Sources, files: Sequence[str]) -> None:
    """Refuse tables with the same ids in another order, where another file has no ids."""
    tables = [path for path in files if sources.names_of(path)]
    ids = _usual_ids(sources, tables) if len(tables) > 1 else None
    if ids is None:
        return
    first, *others = ids.values()
    other = next((c for c in others if c.texts != first.texts), None)
    if other is not None:
        bare = next(path for path in files if path not in ids)
        raise CommandError(
            f"{first.source} and {other.source} are not in the same order, and {bare} has no "
            f"ids to pair its rows by: give it the same ids, or pass --id {BY_ORDER} if the "
            "rows correspond in their order."
        )


def _refuse_twice(column: Column) -> None:
    text, count = Counter(column.texts).most_common(1)[0]
    if count > 1:
        raise CommandError(
            f"{column.source} holds {text!r} {count} times, so that rows cannot be paired by "
            f"it: give every row an id of its own, or pass --id {BY_ORDER} if the rows "
            "correspond in their order."
        )


def _refuse_unequal(first: Column, other: Column) -> None:
    """Refuse ids that only one of two files has."""
    for one, two in ((first, other), (other, first)):
        has = set(two.texts)
        lacking = [text for text in one.texts if text not in has]
        if lacking:
            raise CommandError(
                f"{two.source} lacks {len(lacking)} of the {len(one)} ids of {one.source}, "
                f"such as {lacking[0]!r}: every row of the test set needs one. To pair rows by "
                f"their order pass --id {BY_ORDER}."
            )
