"""``skstat completion``: what a shell offers after a word, made of the parser."""

import argparse
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import NamedTuple

from skstat._command_line._answer import Answer


class Word(NamedTuple):
    """An option, or the arguments without one.

    Attributes
    ----------
    flag : str
        The option; empty for arguments without one.
    values : list of str or None
        What may follow it: these words; files where None.
    alone : bool
        Whether nothing follows it.
    help : str
        What it is for.
    """

    flag: str
    values: list[str] | None
    alone: bool
    help: str


Command = tuple[str, str, list[Word]]


def completion(arguments: Namespace, parser: argparse.ArgumentParser) -> Answer:
    """Write the script of one shell."""
    return Answer(SHELLS[arguments.shell](list(_commands(parser))))


def _commands(parser: argparse.ArgumentParser) -> Iterator[Command]:
    """Yield every command with its help and words."""
    (commands,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    help_of = {action.dest: action.help or "" for action in commands._choices_actions}
    for name, command in commands.choices.items():
        yield name, help_of[name], list(_words(command))


def _words(command: argparse.ArgumentParser) -> Iterator[Word]:
    words_of = command.get_default("words_of") or {}
    for action in command._actions:
        given = words_of[action.dest]() if action.dest in words_of else action.choices
        choices = None if given is None else [str(value) for value in given]
        said = " ".join((action.help or "").split())
        for flag in action.option_strings or [""]:
            yield Word(flag, choices, action.nargs == 0, said)


def _bash(commands: list[Command]) -> str:
    lines = [
        "# skstat completion bash > ~/.local/share/bash-completion/completions/skstat",
        "_skstat() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" words=""',
        '    local option="${COMP_WORDS[COMP_CWORD - 1]}"',
        "    COMPREPLY=()",
        "    if ((COMP_CWORD == 1)); then",
        f"        words={_quoted(' '.join(name for name, _, _ in commands))}",
        '        COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "        return",
        "    fi",
        '    if [[ "$option" != -* ]]; then option=""; fi',
        '    if [[ "$current" == -* ]]; then option=-; fi',
        '    case "${COMP_WORDS[1]} $option" in',
    ]
    for name, _, words in commands:
        flags = " ".join(word.flag for word in words if word.flag)
        lines.append(f"    '{name} -') words={_quoted(flags)} ;;")
        lines += [
            f"    '{name} {word.flag}') words={_quoted(' '.join(word.values))} ;;"
            for word in words
            if word.values
        ]
    return "\n".join(
        [
            *lines,
            "    esac",
            '    if [[ -n "$words" ]]; then',
            '        COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "    else",
            '        COMPREPLY=($(compgen -f -- "$current"))',
            "    fi",
            "}",
            "complete -o filenames -F _skstat skstat",
        ]
    )


def _zsh(commands: list[Command]) -> str:
    lines = [
        "#compdef skstat",
        "# skstat completion zsh > a file called _skstat in a folder of $fpath",
        "_skstat() {",
        "    if (( CURRENT == 2 )); then",
        "        local -a commands=(",
        *(f"            {_quoted(f'{name}:{said}')}" for name, said, _ in commands),
        "        )",
        "        _describe command commands",
        "        return",
        "    fi",
        '    case "${words[2]}" in',
    ]
    for name, _, words in commands:
        lines += [
            f"    {name})",
            "        shift words; (( CURRENT-- ))",
            "        _arguments \\",
        ]
        lines += [f"            {_quoted(_zsh_word(word))} \\" for word in words]
        lines += ["            && return", "        ;;"]
    return "\n".join([*lines, "    esac", "}", '_skstat "$@"'])


def _zsh_word(word: Word) -> str:
    follows = "_files" if word.values is None else f"({' '.join(word.values)})"
    if not word.flag:
        return f"*:argument:{follows}"
    said = word.help.replace("[", "(").replace("]", ")").replace(":", " -")
    head = f"*{word.flag}[{said}]"
    return head if word.alone else f"{head}:value:{follows}"


def _fish(commands: list[Command]) -> str:
    lines = ["# skstat completion fish > ~/.config/fish/completions/skstat.fish"]
    for name, said, words in commands:
        lines.append(
            f"complete -c skstat -f -n __fish_use_subcommand -a {name} -d {_quoted(said)}"
        )
        for word in words:
            line = f"complete -c skstat -n '__fish_seen_subcommand_from {name}'"
            if word.flag:
                line += (
                    f" -l {word.flag[2:]}" if word.flag[:2] == "--" else f" -s {word.flag[1:]}"
                )
                line += "" if word.alone else " -r"
            if word.values:
                line += f" -f -a {_quoted(' '.join(word.values))}"
            elif not word.flag:
                continue  # files, which it offers anyhow
            lines.append(f"{line} -d {_quoted(word.help)}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Quote for any shell; they do not agree on how to write an apostrophe within quotes."""
    return "'" + text.replace("\\", "/").replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") + "'"


SHELLS: dict[str, Callable[[list[Command]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
