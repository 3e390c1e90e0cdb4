# Analysis of variance of repeated measures by aov and by anova of a multivariate linear
# model, which gives Greenhouse and Geisser's and Huynh and Feldt's corrections.
options(digits = 15)
source("rounding_times.R")

x <- rounding_times
long <- data.frame(
  time = as.vector(x), method = factor(rep(colnames(x), each = nrow(x))),
  player = factor(rep(seq_len(nrow(x)), ncol(x)))
)
found <- summary(aov(time ~ method + Error(player / method), data = long))
within <- found[["Error: player:method"]][[1]]
cat("F", within[1, "F value"], "df", within[, "Df"], "p", within[1, "Pr(>F)"], "\n")
found <- anova(lm(x ~ 1), X = ~1, test = "Spherical")
cat("Greenhouse-Geisser p", found[1, "G-G Pr"], "\n")
cat("Huynh-Feldt p", found[1, "H-F Pr"], "\n")
