"""What a verdict looks like: the same tones in headers, tables and drawings."""

from typing import Any, Literal, NamedTuple

from skstat._names import clip

Tone = Literal["", "better", "worse", "equivalent", "undecided"]

_State = dict[str, Any]
_TONES: dict[str, Tone] = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equivalent",
    "not inferior": "equivalent",
    "undecided": "undecided",
    "higher": "",
    "lower": "",
}
# The same verdict about the second system, with the first as its reference.
_TURNED = {
    "better": "worse",
    "worse": "better",
    "higher": "lower",
    "lower": "higher",
    "not inferior": "undecided",
}


class Badge(NamedTuple):
    """A verdict in a few words, with its tone."""

    text: str
    tone: Tone | Literal["invalid"] = ""


def tone_of(verdict: str) -> Tone:
    """Return the tone of a verdict on the first system, as a candidate against the second."""
    return _TONES[verdict]


def comparison_badge(part: _State) -> Badge:
    """Return the verdict on two systems."""
    verdict = part["verdict"]
    says = f"{clip(part['names'][0])} is {verdict}"
    named = verdict in ("better", "worse", "higher", "lower", "not inferior")
    return Badge(says if named else verdict, tone_of(verdict))


def pair_tone(pair: _State) -> Tone:
    """Return the tone of one comparison among several, of which none is the candidate."""
    return "better" if pair["better"] is not None else tone_of(pair["verdict"])


def verdicts_against_control(report: _State) -> dict[str, str]:
    """Return the verdict on every other system, as a candidate against the control."""
    found, control = {}, report["control"]
    for pair in report["pairs"]:
        if pair["second"] == control:
            found[pair["first"]] = pair["verdict"]
        elif pair["first"] == control:
            found[pair["second"]] = _TURNED.get(pair["verdict"], pair["verdict"])
    return found


def system_tones(report: _State) -> dict[str, Tone]:
    """Return the tone of every system: against the control, or as one that may be best."""
    if report["control"] is not None:
        found = verdicts_against_control(report)
        return {name: tone_of(verdict) for name, verdict in found.items()}
    kept = report["may_be_best"]
    if not kept:
        return {}
    of_kept: Tone = "better" if len(kept) == 1 else "undecided"
    return {
        row["name"]: of_kept if row["name"] in kept else "worse" for row in report["ranking"]
    }


def systems_badges(report: _State) -> list[Badge]:
    """Return what was found of several systems: how many of which verdict."""
    if report["control"] is not None:
        verdicts = list(verdicts_against_control(report).values())
        counts = {verdict: verdicts.count(verdict) for verdict in _TONES}
        return [
            Badge(f"{count} {verdict}", tone_of(verdict))
            for verdict, count in counts.items()
            if count
        ]
    kept, n = report["may_be_best"], len(report["ranking"])
    if not kept:
        return []
    if len(kept) == 1:
        return [Badge(f"only {clip(kept[0])} may be best", "better")]
    return [Badge(f"{len(kept)} of {n} may be best", "undecided")]
