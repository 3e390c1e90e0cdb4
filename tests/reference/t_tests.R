# Student's t by t.test on sleep of R; two one-sided tests of equivalence; Nadeau and
# Bengio's corrected t written out with pt and qt.
options(digits = 15)

a <- sleep$extra[sleep$group == 1]
b <- sleep$extra[sleep$group == 2]
for (alternative in c("two.sided", "less", "greater")) {
  found <- t.test(a, b, paired = TRUE, alternative = alternative)
  cat(alternative, "t", found$statistic, "p", found$p.value, "interval", found$conf.int, "\n")
}
found <- t.test(a, mu = 1)
cat("one sample", "t", found$statistic, "p", found$p.value,
    "interval", found$conf.int - 1, "\n")

# Within a margin of 3 hours, at the level 0.05: the interval has the level 0.9.
cat("above -3", t.test(a, b, paired = TRUE, mu = -3, alternative = "greater")$p.value, "\n")
cat("below 3", t.test(a, b, paired = TRUE, mu = 3, alternative = "less")$p.value, "\n")
cat("interval", t.test(a, b, paired = TRUE, conf.level = 0.9)$conf.int, "\n")

# The ten differences as if of ten random splits into 90 and 10 rows.
d <- a - b
error <- sqrt(var(d) * (1 / 10 + 10 / 90))
cat("corrected t", mean(d) / error, "p", 2 * pt(-abs(mean(d) / error), 9),
    "interval", mean(d) + c(-1, 1) * qt(0.975, 9) * error, "\n")
