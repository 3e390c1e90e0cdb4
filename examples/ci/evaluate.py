"""Evaluate a reader of invoices on its test set: write a row per amount, right or wrong.

Usage: python evaluate.py results.csv
"""

import csv
import random
import re
import sys

# What a pull request changes.
AMOUNT = r"\d[\d,]*(?:\.\d+)?"


def read_amount(text):
    """Read the amount in a line of an invoice."""
    found = re.search(AMOUNT, text)
    return float(found[0].replace(",", "")) if found else None


def invoices():
    """Yield invoice, line and amount; every invoice writes its amounts in one style."""
    source = random.Random(0)
    styles = ["EUR {:,.2f}", "{:.2f} EUR", "{:,.0f}.-", "({:,.2f})", "No. 7: {:.2f}"]
    for invoice in range(60):
        style = source.choices(styles, weights=[5, 5, 3, 2, 3])[0]
        for _ in range(6):
            amount = round(source.lognormvariate(6.5, 1.5), 2)
            text = style.format(amount)
            yield f"invoice {invoice}", text, amount if ".2f" in style else round(amount)


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["item", "invoice", "correct"])
        for number, (invoice, text, amount) in enumerate(invoices()):
            table.writerow([number, invoice, int(read_amount(text) == amount)])
