# The judge of tests/host/run: awk -f expect.awk DUMP FILE
# SPDX-License-Identifier: Apache-2.0
FILENAME == ARGV[1] {
  if ($0 ~ /^(launch at|any launch)/) count++
  if (count) { lines[count, ++length_of[count]] = $0 }
  next
}
/^\/\/@ (launch|has|lacks|count):/ {
  kind = $2; text = $0
  sub(/^\/\/@ [a-z]+: ?/, "", text)
  checks++
  if (kind == "launch:") select_launches(text)
  else if (kind == "count:") { if (chosen_count != text + 0) fault(chosen_count " launches, not " text) }
  else if (!chosen_count) fault("no launch to look at")
  else for (i = 1; i <= chosen_count; i++) look(chosen[i], text, kind == "has:")
}
function select_launches(text,   i) {
  chosen_count = 0
  for (i = 1; i <= count; i++) if (index(lines[i, 1], text)) chosen[++chosen_count] = i
  if (!chosen_count) fault("no launch has '" text "' in its first line")
}
function look(launch, text, wanted,   i, found) {
  for (i = 1; i <= length_of[launch]; i++) if (index(lines[launch, i], text)) found = 1
  if (wanted && !found) fault("'" text "' is not in: " lines[launch, 1])
  if (!wanted && found) fault("'" text "' is in: " lines[launch, 1])
}
function fault(text) { print FILENAME ":" FNR ": " text; failures++ }
END {
  if (!checks) { print FILENAME ": no expectations"; failures++ }
  exit failures > 0
}
