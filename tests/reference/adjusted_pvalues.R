# p.adjust with every method it has, with ties and out of order.
options(digits = 15)

p <- c(0.021, 0.0004, 0.31, 0.009, 0.021, 0.047, 0.76, 0.0125, 0.002, 0.31)
for (method in setdiff(p.adjust.methods, c("none", "fdr"))) {
  cat(method, p.adjust(p, method), "\n")
}
