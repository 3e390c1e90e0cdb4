"""Packages have rooms, rooms have faces: who imports from where."""

import ast
import re
from pathlib import Path

import pytest

import skstat
from tests.cases import in_one_test
from tests.docs_tools import read, tool

pytestmark = pytest.mark.lint

ROOT = Path(skstat.__file__).parent
# A room is a sub-package whose name begins with an underscore.
ROOMS = sorted(path.parent for path in ROOT.glob("*/_*/__init__.py"))
PUBLIC = ("comparison", "display", "evaluation", "io", "metrics", "report", "stats")


def module_of(path):
    parts = (ROOT.name, *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module):
    """Return the room that a module is in, or None."""
    parts = module.split(".")
    inside = len(parts) > 2 and ROOT.joinpath(*parts[1:3]).is_dir()
    return ".".join(parts[:3]) if inside else None


def imported(path):
    """Modules that a file imports from, with the lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)


def past_a_face(path, own):
    return [
        f"{module_of(path)}:{line} imports from {module}"
        for module, line in imported(path)
        if room_of(module) not in (None, own, module)
    ]


def test_no_import_reaches_past_a_face():
    assert len(ROOMS) > 5
    files = sorted(ROOT.rglob("*.py"))
    found = [line for path in files for line in past_a_face(path, room_of(module_of(path)))]
    assert found == []


def test_an_import_past_a_face_is_found(monkeypatch):
    room = module_of(ROOMS[0])
    inside = next(path for path in sorted(ROOMS[0].glob("*.py")) if path.stem != "__init__")
    file = ROOT / "report" / "_new.py"  # it is never written
    text = f"from {module_of(inside)} import x"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)
    assert past_a_face(file, None)
    assert not past_a_face(file, room)


@in_one_test("room", ROOMS, ids=module_of)
def test_a_face_says_what_the_room_is_for_and_hands_names_on(room):
    face = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(face)
    _docstring, *rest = face.body
    assert all(isinstance(node, ast.ImportFrom) for node in rest)
    assert all(str(node.module).startswith(module_of(room) + ".") for node in rest)


@in_one_test("room", ROOMS, ids=module_of)
def test_files_of_a_room_have_plain_names(room):
    names = [path.stem for path in room.iterdir() if path.suffix == ".py" or path.is_dir()]
    assert [name for name in names if name.startswith("_") and not name.startswith("__")] == []


def test_every_public_name_is_documented():
    listed = set(re.findall(r"^   (\w+)$", read("docs/api.rst"), re.MULTILINE))
    modules = [skstat, *(getattr(skstat, name) for name in PUBLIC)]
    public = {name for module in modules for name in module.__all__} - set(PUBLIC)
    assert public <= listed


def test_the_page_lists_every_room_with_what_its_face_says(tmp_path, monkeypatch):
    rooms, contracts = tmp_path / "rooms", tmp_path / "contracts"
    tool("_generate", monkeypatch)["write_rooms"](rooms, contracts, ROOT.parent)
    text = rooms.read_text(encoding="utf-8")
    for room in ROOMS:
        face = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
        assert text.count(f"- ``{room.name}``: {face.splitlines()[0]}") == 1
        assert text.count(f"- ``{room.name}``: ") == 1
    told = contracts.read_text(encoding="utf-8")
    assert "``_paper > _forms | _sections > _doubts | _conclude > _say_systems > " in told
    assert "``skstat.stats`` without joblib" in told
