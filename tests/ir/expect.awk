# The judge of tests/ir/run: awk -v file=NAME -v more='OP ...' -f expect.awk DUMP FILE
# SPDX-License-Identifier: Apache-2.0
FNR == 1 && NR != 1 { in_source = 1 }
!in_source && /^module / { is_device = $2 == "device" }
!in_source && is_device && /^loc @/ { line_of[$2] = place_line($0) }
!in_source && /^func / { split("", known) }
!in_source && / = bitcast ptr \$/ { known[$1] = $5 }
!in_source && is_device && /^  / && / @[0-9]+$/ { note($0) }
in_source && /\/\/= / {
  text = $0
  sub(/^.*\/\/= */, "", text)
  judge(FNR, text)
}
# The line of the innermost place that lies in the file.
function place_line(text,   parts, count, i, p) {
  count = split(text, parts, / at | @[0-9]+ /)
  for (i = 1; i <= count; i++)
    if (index(parts[i], "\"" file "\":") == 1) {
      split(substr(parts[i], length(file) + 4), p, ":")
      return p[1]
    }
  return 0
}
# Variables by their names, where a cast stands between.
function with_names(text,   count, words, i, word, tail, out) {
  count = split(text, words, " ")
  for (i = 1; i <= count; i++) {
    word = tail = words[i]
    sub(/[,)]*$/, "", word)
    tail = substr(tail, length(word) + 1)
    out = out (i > 1 ? " " : "") (word in known ? known[word] : word) tail
  }
  return out
}
function note(text,   loc, op) {
  loc = text
  sub(/^.* /, "", loc)
  sub(/ @[0-9]+$/, "", text)
  sub(/^ +/, "", text)
  sub(/^%[^ ]* = /, "", text)
  sub(/ name "[^"]*"$/, "", text)
  text = with_names(text)
  op = text
  sub(/ .*/, "", op)
  if (index(" " more " ", " " op " ") == 0 && (op ~ /^(load|store)$/ ? text !~ / (volatile|relaxed|acquire|release|acq_rel|seq_cst)( |$)/ \
      : op !~ /^(barrier|fence|proxyfence|atomicrmw|cmpxchg|asynccopy|asyncreduce|asynccommit|asyncwait|mbarrier|pipeline|vote|shuffle|call|asm|unknown|sreg)$/))
    return
  if (index(" " more " ", " sreg ") == 0 && text ~ /^sreg (tid|ntid|ctaid)/) return
  found[line_of[loc]] = (found[line_of[loc]] == "" ? "" : found[line_of[loc]] " | ") text
}
function judge(line, wanted,   pattern) {
  checks++
  if (wanted == "nothing") wanted = ""
  pattern = wanted
  gsub(/[][\\.^$()+?{}|]/, "\\\\&", pattern)
  gsub(/\*/, ".*", pattern)
  if (found[line] ~ ("^" pattern "$")) return
  printf "%s:%d: expected: %s\n%s:%d: found:    %s\n", file, line, wanted, file, line, found[line]
  failures++
}
END {
  if (!checks) { print file ": no expectations"; failures++ }
  exit failures > 0
}
