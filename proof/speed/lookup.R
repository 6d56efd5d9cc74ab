# quanteda's tables of the same texts and dictionary, for proof/speed/lookup.py:
# Rscript lookup.R TOKENS TEXTS DICTIONARY FOLDER THREADS
# TOKENS has a text per line, its tokens separated by spaces; TEXTS a text per line, as it is.
given <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(quanteda))
quanteda_options(threads = as.integer(given[5]))
read <- function(file) stringi::stri_read_lines(file, encoding = "UTF-8")
ours <- tokens(read(given[1]), what = "fastestword")
texts <- read(given[2])
dict <- dictionary(file = given[3], format = "YAML")
write <- function(name, found) {
  table <- as.matrix(dfm(found))
  utils::write.csv(table, file.path(given[4], paste0(name, ".csv")), row.names = FALSE)
}
for (scope in c("key", "dictionary")) {
  write(scope, tokens_lookup(ours, dict, nested_scope = scope))
  write(paste0(scope, "-level1"), tokens_lookup(ours, dict, nested_scope = scope, levels = 1))
  write(paste0(scope, "-unmatched"), tokens_lookup(ours, dict, nested_scope = scope, nomatch = "none"))
}
write("own-tokens", tokens_lookup(tokens(texts, remove_punct = TRUE), dict))
write("own-tokens-split", tokens_lookup(tokens(texts, remove_punct = TRUE, split_hyphens = TRUE), dict))
seconds <- function(expression) unname(system.time(expression)[c("user.self", "sys.self", "elapsed")])
tokenise <- seconds(toks <- tokens(texts))
look <- seconds(dfm(tokens_lookup(toks, dict)))
cat(jsonlite::toJSON(list(version = as.character(packageVersion("quanteda")), tokens = tokenise, lookup = look,
                          size = length(texts)), auto_unbox = TRUE, digits = 6))
