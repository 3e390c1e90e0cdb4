"""Names as they are shown: on one line, without characters that move or hide others."""

import re
from collections import Counter
from collections.abc import Iterable
from os.path import commonprefix

# Most letters of a name.
LONGEST = 30
# Names that an error lists, before it counts.
_LISTED = 20
# Embeddings, overrides and isolates: one in a name would turn round the numbers behind it.
# Other controls ring, clear or colour a terminal.
_UNSEEN = dict.fromkeys(
    [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    + [code for code in (*range(0x20), *range(0x7F, 0xA0)) if not chr(code).isspace()]
)
# Half of a pair of surrogates is no character: files, fonts and terminals refuse it.
_UNSEEN |= dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
# Commands of build servers: `::error::` at the start of a line, `##vso[...]` anywhere in it.
LOGGING_COMMAND = re.compile(r"##(?=[A-Za-z]*\[)")
_COMMAND = re.compile("((?:^|[\r\v\f\x1c-\x1e\x85\u2028\u2029])[^\\S\n]*)::", re.MULTILINE)


def inert(text: str) -> str:
    """Drop the characters that reverse the text after them, or command a terminal."""
    return text.translate(_UNSEEN)


def no_command(text: str) -> str:
    """Break what GitHub Actions and Azure Pipelines would take for a command in a log."""
    if "::" not in text and "##" not in text:
        return text
    return LOGGING_COMMAND.sub("# #", _COMMAND.sub(r"\1: :", text))


def one_line(text: str) -> str:
    """Write a text without line breaks, which would move it over its neighbours."""
    return " ".join(text.translate(_UNSEEN).split())


def shown_name(name: str) -> str:
    """Name a system; one without a name would leave a hole in the sentence."""
    if one_line(name):
        return name
    return f"(no name: {len(name)} blank{'s' * (len(name) > 1)})" if name else "(no name)"


def listed(names: Iterable[str]) -> str:
    """List the names that something has, the first of them where they are many.

    Examples
    --------
    >>> listed(["a", "b"])
    'a, b'
    >>> listed(map(str, range(1000)))[-19:]
    '18, 19 and 980 more'
    """
    every = list(names)
    more = len(every) - _LISTED
    return ", ".join(every[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def clip(name: str, limit: int = LONGEST) -> str:
    """Shorten a name in its middle: candidates of a search often differ at the end only."""
    name = one_line(shown_name(name))
    if len(name) <= limit:
        return name
    head = limit // 2
    return f"{name[:head].rstrip()}\N{HORIZONTAL ELLIPSIS}{name[head + 1 - limit :].lstrip()}"


def clip_all(names: Iterable[str], limit: int = LONGEST) -> list[str]:
    """Shorten names that stand together, so that different ones still differ.

    Where their heads and ends are the same, what follows the common head is kept.

    Examples
    --------
    >>> clip_all(["llama-3-8b-instruct", "llama-3-70b-instruct", "phi"], 12)
    ['llam\N{HORIZONTAL ELLIPSIS}8b-inst', 'llam…70b-ins', 'phi']
    """
    whole = list(map(one_line, map(shown_name, names)))
    if max(map(len, whole), default=0) <= limit:
        return whole
    short = {name: clip(name, limit) for name in whole}
    shared = Counter(short.values())
    alike = [name for name in short if shared[short[name]] > 1]
    if alike:
        same = len(commonprefix(alike))  # noqa: RUF071 - letter by letter is meant
        head, seen = limit // 3, Counter[str]()
        for name in alike:  # a little of the head, and what stands behind the common one
            start = max(head, min(same, len(name) - (limit - head - 1)))
            own = f"{name[:head]}…{name[start:]}"[:limit]
            seen[own] += 1
            mark = f"…({seen[own]})" if seen[own] > 1 else ""  # they differ elsewhere too
            short[name] = own[: limit - len(mark)] + mark
    return [short[name] for name in whole]
