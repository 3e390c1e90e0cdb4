"""A comparison as a gate: what must hold of the candidate, and whether it does."""

from skstat._command_line._gate.condition import CONDITIONS, Condition, condition_named
from skstat._command_line._gate.forms import in_gate_form
from skstat._command_line._gate.github import SUMMARY
from skstat._command_line._gate.judge import Check, Judgement, judge
from skstat._command_line._gate.junit import junit
