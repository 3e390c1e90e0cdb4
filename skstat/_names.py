"""Names as they are shown: on one line, without characters that move or hide others."""

import re

# Most letters of a name.
LONGEST = 30
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
    return " ".join(inert(text).split())


def shown_name(name: str) -> str:
    """Name a system; one without a name would leave a hole in the sentence."""
    if one_line(name):
        return name
    return f"(no name: {len(name)} blank{'s' * (len(name) > 1)})" if name else "(no name)"


def clip(name: str, limit: int = LONGEST) -> str:
    """Shorten a name in its middle: candidates of a search often differ at the end only."""
    name = one_line(shown_name(name))
    if len(name) <= limit:
        return name
    head = limit // 2
    return f"{name[:head].rstrip()}\N{HORIZONTAL ELLIPSIS}{name[head + 1 - limit :].lstrip()}"
