"""
A metric of the whole corpus: BLEU, with documents as units
============================================================

BLEU is not a mean over sentences. Is the better BLEU luck? This page compares two small
systems that put capital letters back into lower-cased text, first with BLEU as a plain
function, then with its sums spelled out, which is far faster.
"""

# %%
# Documents
# ---------
#
# Every Python comes with the texts behind ``help()``: the language reference, a document
# for each topic. Its sentences are the rows, and every other document is for training.

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pydoc_data.topics import topics

import numpy as np

import skstat
from skstat.metrics import ScoreMetric
from skstat.stats import SumKernel


def sentences(text):
    """Prose only: no grammar, no headlines, no code."""
    for paragraph in text.split("\n\n"):
        if not paragraph.startswith(" ") and not re.search(r"[*=~^-]{4}|::=", paragraph):
            for sentence in re.split(r"(?<=[.!?]) (?=[A-Z])", " ".join(paragraph.split())):
                if 5 <= len(sentence.split()) <= 40:
                    yield sentence


documents = {name: list(sentences(text)) for name, text in sorted(topics.items())}
documents = {name: found for name, found in documents.items() if len(found) >= 3}
training, testing = list(documents)[::2], list(documents)[1::2]
references = [sentence for name in testing for sentence in documents[name]]
document = [name for name in testing for _ in documents[name]]
print(len(references), "sentences of", len(testing), "documents to test on, such as:")
print(references[0])

# %%
# Two systems
# -----------
#
# Both see lower-cased words. The first writes each word in the form in which it came most
# often in the training documents. The second looks at the word before it too, if it has
# seen the pair. Both start a sentence with a capital.

by_word, by_pair = defaultdict(Counter), defaultdict(Counter)
for name in training:
    for sentence in documents[name]:
        words = sentence.split()
        for before, word in pairwise(words):
            by_word[word.lower()][word] += 1
            by_pair[before.lower(), word.lower()][word] += 1


def restore(sentence, look_back):
    """Put capitals back into one sentence."""
    words = sentence.lower().split()
    written = []
    for before, word in zip([None, *words[:-1]], words, strict=True):
        seen = by_pair.get((before, word)) if look_back else None
        seen = seen or by_word.get(word)
        written.append(seen.most_common(1)[0][0] if seen else word)
    text = " ".join(written)
    return text[0].upper() + text[1:]


outputs = {
    "pairs": [restore(sentence, look_back=True) for sentence in references],
    "words": [restore(sentence, look_back=False) for sentence in references],
}
differ = [i for i, (a, b) in enumerate(zip(*outputs.values(), strict=True)) if a != b]
print("They differ on", len(differ), "sentences. One of them:")
print("truth:", references[differ[0]])
for name, output in outputs.items():
    print(f"{name}:", output[differ[0]])

# %%
# BLEU
# ----
#
# BLEU counts the n-grams of a whole corpus that are in the reference too, for n from 1 to
# 4, takes the geometric mean of the four shares, and punishes output that is too short. It
# depends on the sentences through ten counts, which are summed up first. So it is not a mean
# of scores per sentence, and a test of per-sentence scores would answer another question.
#
# The counts of a sentence are the same in every resample; ``cache`` keeps them.


@cache
def counts(reference, output):
    """Lengths, then matched and all n-grams, n = 1 to 4."""
    a, b = reference.split(), output.split()
    row = [len(a), len(b)]
    for n in range(1, 5):
        wanted = Counter(zip(*(a[i:] for i in range(n)), strict=False))
        given = Counter(zip(*(b[i:] for i in range(n)), strict=False))
        row += [(wanted & given).total(), given.total()]
    return np.array(row, dtype=float)


def bleu_of(sums):
    """BLEU from the ten sums, which stand in the last axis."""
    brevity = np.exp(np.minimum(0, 1 - sums[..., 0] / sums[..., 1]))
    shares = sums[..., 2::2] / sums[..., 3::2]
    return brevity * np.exp(np.log(shares).mean(axis=-1))


def bleu(references, outputs):
    """BLEU of a corpus with one reference per sentence."""
    rows = map(counts, references, outputs)
    return bleu_of(np.sum(list(rows), axis=0))


for name, output in outputs.items():
    print(f"{name}: {bleu(references, output):.4f}")

# %%
# The comparison
# --------------
#
# Sentences of one document are about the same things in the same words: documents are the
# units. The metric is called anew on every resample of documents. 999 resamples are enough
# for a first look; the cache lives in this process, so one process is best.

report = skstat.compare_predictions(
    references,
    outputs,
    metric=bleu,
    groups=document,
    n_resamples=999,
    n_jobs=1,
    random_state=0,
)
print(report)

# %%
# The same, fast
# --------------
#
# BLEU is a function of sums over sentences. A metric that says so is resampled by matrix
# products: the sums of each document once, then weights times sums. The class below has
# one method that skstat asks for; :ref:`own-kernel` explains its parts.


class Bleu(ScoreMetric):
    """BLEU from sums of counts."""

    def kernel(self, predictions):
        """Count once, by sentence or by group of sentences."""
        own = []
        for output in predictions.outputs.values():
            pairs = zip(predictions.y_true, output, strict=True)
            rows = np.array([counts(a, b) for a, b in pairs])
            if predictions.groups is not None:
                rows = np.array([np.bincount(predictions.groups, row) for row in rows.T]).T
            own.append(rows)
        return SumKernel(
            plan=predictions.plan,
            common=np.ones((len(own[0]), 1)),  # BLEU needs no sums that both share
            own=tuple(own),
            formula=lambda common, own: bleu_of(own),
            is_mean=False,
            how="sums of n-gram counts",
        )


fast = Bleu(name="bleu", is_loss=False, function=bleu)
report = skstat.compare_predictions(
    references, outputs, metric=fast, groups=document, random_state=0
)
print(report.conclusion)

# %%
# Ten times as many resamples, at once. With sentences instead of documents as units the
# interval would be narrower, because sentences of a document go wrong together:

by_sentence = skstat.compare_predictions(references, outputs, metric=fast, random_state=0)
for unit, one in {"sentences": by_sentence, "documents": report}.items():
    low, high = one.confidence_interval()
    print(f"{unit}: {low:.4f} to {high:.4f}")

# %%
# Bootstrap replicates of the difference, and the interval of the test:

display = report.plot()
