"""Colours of verdicts and of doubts, the same in pictures and in pages.

Each for light and for dark grounds, to be told from each other by the colour-blind (after
Okabe and Ito), and to be read on their ground as letters. Words stand beside them always.
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
