"""
Is a decision tree better than guessing? German credit data
===========================================================

1000 loans, 700 repaid. A model that always says "good" is right in 70 % of all cases,
so that an accuracy of 0.72 may be skill or luck. Three questions: is a decision tree
better than guessing the majority class? Is naive Bayes? Is naive Bayes better than the
tree?
"""

# %%
# The data are words and numbers. Both models get them through a pipeline, so that
# nothing is learnt from test rows.
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import skstat

here = Path(__file__).parent if "__file__" in globals() else Path.cwd()
credit = pd.read_csv(here / "data" / "german_credit.csv")
X, y = credit.drop(columns="class"), credit["class"]

words = OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")
numbers = make_column_selector(dtype_include="number")
tree = make_pipeline(
    make_column_transformer(words, ("passthrough", numbers)),
    DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
)
bins = KBinsDiscretizer(5, strategy="uniform")
naive_bayes = make_pipeline(make_column_transformer(words, (bins, numbers)), BernoulliNB())

# %%
# Each question is one call. The baseline is fitted and scored on the same splits.
print("Is the tree better than guessing the majority class?\n")
tree_report = skstat.compare_to_baseline(("tree", tree), X, y, random_state=0)
print(tree_report)

# %%
print("\nIs naive Bayes?\n")
bayes_report = skstat.compare_to_baseline(("naive Bayes", naive_bayes), X, y, random_state=0)
print(bayes_report)

# %%
print("\nIs naive Bayes better than the tree?\n")
report = skstat.compare_estimators(
    {"naive Bayes": naive_bayes, "tree": tree}, X, y, random_state=0
)
print(report)

# %%
# The three reports as a page for a browser, and the last one as a figure.
skstat.report.write_page(
    "report.html", tree_report, bayes_report, report, title="German credit data"
)
report.plot().figure_.savefig("report.png", dpi=150)
print("\nWrote report.html and report.png.")
plt.show()
