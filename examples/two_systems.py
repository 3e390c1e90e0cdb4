"""
Two systems, one test set: handwritten digits
=============================================

Two classifiers are fitted and in use. On the same test digits one makes fewer errors. Is
it better, or was it lucky? And if every digit is photographed ten times, are there ten
times as many observations? Nothing is fitted again for any of the answers.
"""

# %%
# The systems. From here on only their predictions matter; they could come from a file.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

import skstat

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.3, stratify=y, random_state=0
)
systems = {
    "neighbours": KNeighborsClassifier().fit(X_train, y_train),
    "forest": RandomForestClassifier(random_state=0).fit(X_train, y_train),
}
labels = {name: system.predict(X_test) for name, system in systems.items()}

# %%
# Labels first: McNemar's test for the accuracy, a permutation test for F1.
print("Which one names more digits correctly?\n")
report = skstat.compare_predictions(
    y_test, labels, metric=["accuracy", "f1_macro"], random_state=0
)
for metric in report:
    print(report[metric].conclusion)
    print(f"({report[metric].test})\n")

# %%
# Scores say more than labels. How well does each system rank the eights above the rest?
# The area under the ROC curve has DeLong's test.
print("Which one ranks the eights better?\n")
scores = {name: system.predict_proba(X_test)[:, 8] for name, system in systems.items()}
ranks = skstat.compare_predictions(y_test == 8, scores, metric="roc_auc", random_state=0)
print(ranks)

# %%
# Now every digit is seen ten times, each time with other noise. Ten pictures of one digit are
# not ten digits: ``groups`` says which belong together.
rng = np.random.default_rng(0)
noise = rng.normal(size=(10 * len(X_test), X.shape[1]))
X_noisy = np.clip(np.repeat(X_test, 10, axis=0) + noise, 0, 16)
y_noisy, digit = np.repeat(y_test, 10), np.repeat(np.arange(len(X_test)), 10)
noisy = {name: system.predict(X_noisy) for name, system in systems.items()}

print("\nAnd on noisy pictures, ten of each digit?\n")
by_row = skstat.compare_predictions(y_noisy, noisy, metric="f1_macro", random_state=0)
by_digit = skstat.compare_predictions(
    y_noisy, noisy, metric="f1_macro", groups=digit, random_state=0
)
print("treating rows as independent:", by_row.conclusion)
for doubt in by_row.doubts:
    print(doubt)
print("\ndigit by digit:", by_digit.conclusion)

# %%
# The differences in F1 on bootstrap resamples, and the interval of the test.
figure, axes = plt.subplots(2, 1, figsize=(7, 7), sharex=True, layout="constrained")
for part, ax, title in zip((by_row, by_digit), axes, ("by row", "by digit"), strict=True):
    part.plot(ax=ax)
    ax.set_title(title)
figure.savefig("report.png", dpi=150)
print("\nWrote report.png.")
plt.show()
