"""Draw places for planted faults, blindly: ``python tools/fault_places.py``.

Every room of the package gets its share of sixty places by its code lines, and two at least.
Places are rows of code but imports, drawn by a seed; in ``stats`` the first ten are in
ten different parts. As many again follow, for places where no fault changes what is told.
Signs are drawn apart, among the rows that have a minus: one of each room, and two of ``stats``.
"""

import ast
import random

from code_lines import ROOT, lines_of_files, lines_of_rooms, room_of, tokens_of_code

SEED, PLACES, LEAST, PARTS = 60, 60, 2, 10
_IMPORTS = (ast.Import, ast.ImportFrom)
_MINUS = (ast.Sub, ast.USub)


def main() -> None:
    """Print the places of every room, in the order in which they are to be taken."""
    files = lines_of_files("skstat")
    of_rooms = shares(lines_of_rooms(files))
    rng, of_signs = random.Random(SEED), random.Random(SEED)
    for room, share in of_rooms.items():
        names = [name for name in files if room_of(name) == room]
        _tell(f"{room}: {share}", drawn(names, rng)[: 2 * share])
    for room in of_rooms:
        names = [name for name in files if room_of(name) == room]
        found = drawn(names, of_signs, signs=True)
        _tell(f"{room}: {1 + (room == 'stats')} of a sign", found[:10])


def shares(rooms: dict[str, int]) -> dict[str, int]:
    """Return how many of the places are in each room, by largest remainders."""
    exact = {room: PLACES * lines / sum(rooms.values()) for room, lines in rooms.items()}
    found = {room: max(LEAST, int(share)) for room, share in exact.items()}
    for room in sorted(exact, key=lambda room: found[room] - exact[room]):
        found[room] += sum(found.values()) < PLACES
    return found


def drawn(
    names: list[str], rng: random.Random, *, signs: bool = False
) -> list[tuple[str, int]]:
    """Return places in a random order, those first that are in different parts of stats."""
    places = [(name, row) for name in names for row in rows(name, signs)]
    rng.shuffle(places)
    first: dict[str, tuple[str, int]] = {}
    for name, row in places:
        room, *parts = name.split("/")[1:-1] or [""]
        if room == "stats" and parts and len(first) < PARTS:
            first.setdefault(parts[0], (name, row))
    return [*first.values(), *(place for place in places if place not in first.values())]


def rows(name: str, signs: bool) -> list[int]:
    """Return the rows of a file that have code on them but imports, or a minus."""
    text = (ROOT / name).read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    if signs:
        return sorted({n.lineno for n in nodes if isinstance(getattr(n, "op", None), _MINUS)})
    imports = {
        row
        for node in nodes
        if isinstance(node, _IMPORTS)
        for row in range(node.lineno, node.end_lineno + 1)
    }
    found = {token.start[0] for token in tokens_of_code(text, nodes[0])}
    return sorted(found - imports)


def _tell(head: str, places: list[tuple[str, int]]) -> None:
    print(head, *(f"  {name}:{row}" for name, row in places), sep="\n")


if __name__ == "__main__":
    main()
