"""What a function takes, read from its file: to import it would take a second."""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import skstat

_CHOICES = re.compile(r"\{(.+?)\}")
# A role of Sphinx, code, and the name of another parameter.
_MARKUP = (
    (re.compile(r":\w+:`[~/]*(?:[^`<]*\.)?([^`<.]+)`"), r"\1"),
    (re.compile(r"``([^`]+)``"), r"\1"),
    (re.compile(r"`(\w+)`"), lambda found: "--" + found[1].replace("_", "-")),
)


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes
    ----------
    name : str
        Its name.
    annotation : str
        Its type, as the program has it.
    kind : str
        Its type, as the documentation has it.
    text : str
        The first sentence on it, without markup.
    """

    name: str
    annotation: str
    kind: str
    text: str

    @property
    def choices(self) -> list[str] | None:
        """The values that it takes, if there are few."""
        found = _CHOICES.search(self.kind)
        return None if found is None else [str(v) for v in ast.literal_eval(f"[{found[1]}]")]


def parameters_of(file: str, function: str) -> list[Parameter]:
    """Return the parameters of a function of skstat with a docstring of numpydoc."""
    path = Path(skstat.__file__).parent / file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (node,) = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function)
    said = dict(_documented(inspect.cleandoc(ast.get_docstring(node) or "")))
    return [
        Parameter(argument.arg, ast.unparse(argument.annotation), *said[argument.arg])
        for argument in (*node.args.args, *node.args.kwonlyargs)
        if argument.annotation is not None
    ]


def _documented(docstring: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield name, type and first sentence of each parameter."""
    section = re.split(r"\n\n\w+\n-+\n", docstring)[1]
    for entry in re.split(r"\n(?=\S)", section):
        head, *lines = entry.split("\n")
        names, _, kind = head.partition(" : ")
        text = " ".join(" ".join(lines).split())
        for pattern, plain in _MARKUP:
            text = pattern.sub(plain, text)
        sentence = re.split(r"(?<=[.?]) (?=[\"A-Z])", text)[0].rstrip(".")
        sentence = sentence[:1].lower() + sentence[1:]
        for name in names.split(", "):
            yield name, (kind, sentence)
