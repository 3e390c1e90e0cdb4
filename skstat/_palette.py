"""Colours of verdicts and doubts in figures and pages.

There is one for light and one for dark backgrounds. They are distinguishable for the
colour-blind (after Okabe and Ito), and legible as text. Words always accompany them.
"""

COLOURS: dict[str, tuple[str, str]] = {
    "better": ("#0072b2", "#56b4e9"),
    "worse": ("#c04e00", "#f0934a"),
    "equivalent": ("#00795a", "#3dc9a0"),
    "undecided": ("#6b7280", "#a8b0bb"),
    "invalid": ("#b5124a", "#ff8a80"),
    "weak": ("#946200", "#e3b341"),
    "note": ("#6b7280", "#a8b0bb"),
}
