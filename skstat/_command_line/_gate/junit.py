"""A gate as a test suite in JUnit's XML, which CI servers read: a test case per check."""

import re
from xml.etree import ElementTree

from skstat._command_line._gate.judge import OPEN, Check, Judgement

# Characters that XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(judgement: Judgement) -> str:
    """Write the suite; what is undecided is skipped, unless it counts as a failure."""
    results = [_element(check, judgement) for check in judgement.checks]
    counts = {
        "name": "skstat",
        "tests": str(len(results)),
        "failures": str(results.count("failure")),
        "errors": "0",
        "skipped": str(results.count("skipped")),
        "time": "0",
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", counts)
    for check, result in zip(judgement.checks, results, strict=True):
        _add_case(suite, check, result)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


def _element(check: Check, judgement: Judgement) -> str:
    """Return the element that tells what became of a check; empty if it passed."""
    if check.result == OPEN:
        return "failure" if judgement.undecided == "fail" else "skipped"
    return "failure" if check.result == "fail" else ""


def _add_case(suite: ElementTree.Element, check: Check, result: str) -> None:
    asked = f"{check.candidate} against {check.baseline}: fail if {check.condition.name}"
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=_text(f"skstat.{check.metric}"),
        name=_text(asked),
        time="0",
    )
    if result:
        found = ElementTree.SubElement(case, result, message=_text(check.line))
        if result == "failure":
            found.set("type", check.verdict)
            found.text = _text(check.conclusion)
            return
    said = f"{check.line}\n{check.conclusion}"
    ElementTree.SubElement(case, "system-out").text = _text(said)


def _text(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
