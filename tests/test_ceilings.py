"""Rooms and files do not grow: their ceilings in pyproject.toml are only ever lowered."""

import tomllib

import pytest

from tools.code_lines import (
    LONGEST,
    ROOT,
    code_lines,
    lines_of_files,
    lines_of_rooms,
    private_imports,
)

pytestmark = pytest.mark.lint

HOUSE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["house"]
PACKAGE, TESTS = lines_of_files("skstat"), lines_of_files("tests")


def test_no_room_is_above_its_ceiling():
    rooms = lines_of_rooms(PACKAGE) | {"tests": sum(TESTS.values())}
    ceilings = HOUSE["code-lines"]
    assert set(rooms) == set(ceilings)
    above = {room: lines for room, lines in rooms.items() if lines > ceilings[room]}
    assert above == {}, "code lines; take out what the change makes unnecessary"
    assert len(PACKAGE) <= HOUSE["files"]


def test_no_file_is_above_its_ceiling():
    known = HOUSE["long-files"]
    above = {
        name: lines
        for name, lines in (PACKAGE | TESTS).items()
        if lines > known.get(name, LONGEST)
    }
    assert above == {}, "code lines; part the file"
    # The list only shrinks: a file that is short enough leaves it.
    assert [name for name in known if (PACKAGE | TESTS).get(name, 0) <= LONGEST] == []


def test_tests_go_through_the_faces_of_rooms():
    found = [
        (path.relative_to(ROOT).as_posix(), name)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name in private_imports(path)
    ]
    assert found == []


def test_code_lines_are_those_with_code_on_them(tmp_path):
    path = tmp_path / "x.py"
    path.write_text('"""Says\n\nthis."""\n\n# why\nX = {\n    1: 2,\n}  # that\n\n"alone"\n')
    assert code_lines(path) == 3


def test_what_is_imported_from_inside_is_found(tmp_path):
    path, room = tmp_path / "x.py", "skstat.stats"
    path.write_text(
        f"from {room}._a import x\nimport skstat.io\nfrom skstat import _names\n"
        f"from {room} import _b\nx('{room}._a.y', 'skstat.io.Results')\n"
    )
    found = [f"{room}._a.x", "skstat." + "_names", f"{room}._b", f"{room}._a.y"]
    assert list(private_imports(path)) == found
