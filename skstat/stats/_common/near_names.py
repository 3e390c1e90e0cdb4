"""Attributes that do not exist: errors that name the one that was meant."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from skstat._spelling import meant_by


class MeansNames:
    """Has an AttributeError say which name is meant, or which part of it has the name."""

    def _part(self) -> tuple[str, Any] | None:
        """How one part of it is asked for, and the part, where it has any."""
        return None

    if not TYPE_CHECKING:  # a type checker would take any name for granted

        def __getattr__(self, name: str) -> Any:
            # Protocols ask for names with underscores, also before there are any fields;
            # what the class has raised an error of its own.
            if name.startswith("_") or any(name in vars(kind) for kind in type(self).__mro__):
                return object.__getattribute__(self, name)
            raise NoSuchAttributeError(name=name, obj=self)


class NoSuchAttributeError(AttributeError):
    """Says which name is meant once it is read: `hasattr` and `getattr` never read it."""

    obj: "MeansNames"

    def __str__(self) -> str:
        kind = type(self.obj).__name__
        hint = _hint(self.obj, str(self.name))
        if not hint:
            return f"{kind!r} object has no attribute {self.name!r}"
        return f"{_article(kind)} {kind} has no {self.name!r}; use {hint}."

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


def _hint(asked: MeansNames, name: str) -> str:
    """Name what is meant: of the object itself, else of a part of it; empty if nothing is."""
    own = meant_by(name, _public(asked), n=2)
    part = asked._part()
    if part is not None:
        how, other = part
        there = _public(other)
        meant = name if name in there else next(iter(meant_by(name, there, n=1)), None)
        if meant == name or (meant is not None and not own):
            return f"{how}.{_called(other, meant)}"
    return " or ".join(_called(asked, near) for near in own)


def _public(value: Any) -> set[str]:
    stored = {item.name for item in fields(value)} if is_dataclass(value) else set()
    return {name for name in {*dir(type(value)), *stored} if not name.startswith("_")}


def _called(value: Any, name: str) -> str:
    return f"{name}()" if callable(getattr(type(value), name, None)) else name


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOU" else "a"
