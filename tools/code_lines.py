"""How many lines of code there are, by room: no docstrings, comments and blank lines.

``python tools/code_lines.py`` prints the figures that stand in ``pyproject.toml`` as they are
today: whoever makes a room smaller writes them there.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 450  # code lines that a file may have, but those that are listed
_PATH = re.compile(r"skstat(\.\w+)+\.?")
_NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


def tokens_of_code(text: str, tree: ast.AST) -> list[tokenize.TokenInfo]:
    """Return the tokens of a file that are code."""
    said = _rows_of_texts(tree)
    return [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _NO_CODE and token.start[0] not in said
    ]


def rows_of_code(tokens: list[tokenize.TokenInfo]) -> set[int]:
    """Return the rows that tokens stand on."""
    return {row for t in tokens for row in range(t.start[0], t.end[0] + 1)}


def code_lines(path: Path) -> int:
    """Return how many rows of a file have code on them."""
    text = path.read_text(encoding="utf-8")
    return len(rows_of_code(tokens_of_code(text, ast.parse(text))))


def _rows_of_texts(tree: ast.AST) -> set[int]:
    """Rows of strings that stand as a statement."""
    return {
        row
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for row in range(node.lineno, node.end_lineno + 1)
    }


def lines_of_files(folder: str) -> dict[str, int]:
    """Return the code lines of every file in a folder of the project, by its path there."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): code_lines(path) for path in paths}


def room_of(name: str) -> str:
    """Return the room that a file of the package is in."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else "top level"


def lines_of_rooms(files: dict[str, int]) -> Counter[str]:
    """Return the code lines of every room of the package, by the lines of its files."""
    found: Counter[str] = Counter()
    for name, lines in files.items():
        found[room_of(name)] += lines
    return found


def private_imports(path: Path) -> Iterator[str]:
    """Yield the name of whatever a file imports, or names, from inside a room."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and _PATH.fullmatch(str(node.value)):
            names = [str(node.value)]  # what monkeypatch.setattr takes
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            # ``skstat.__main__`` is the face of the command line.
            if first == "skstat" and any(re.match("_(?!_)", part) for part in rest):
                yield name


def main() -> None:
    """Print what is above and below the ceilings as tables of TOML."""
    package, tests = lines_of_files("skstat"), lines_of_files("tests")
    rooms = lines_of_rooms(package) | {"tests": sum(tests.values())}
    print(f"files = {len(package)}\n\n[tool.house.code-lines]")
    for room, lines in rooms.items():
        print(f'"{room}" = {lines}')
    print("\n[tool.house.long-files]")
    for name, lines in (package | tests).items():
        if lines > LONGEST:
            print(f'"{name}" = {lines}')


if __name__ == "__main__":
    main()
