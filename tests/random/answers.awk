# From the flat JSON of a report: "verdict KERNEL VERDICT", and for each definite race in an array of the arguments
# "witness KERNEL ARRAY BYTE BLOCK.THREAD BLOCK.THREAD N M" with linear numbers of blocks and threads; for one in other memory "other KERNEL".
# SPDX-License-Identifier: Apache-2.0
{ leaf[$1] = $2 }

function linear(at, size) { return leaf[at "[0]"] + leaf[size "[0]"] * (leaf[at "[1]"] + leaf[size "[1]"] * leaf[at "[2]"]) }
function thread(at, which) {
  return linear(at ".threads[" which "].block", at ".grid") "." linear(at ".threads[" which "].thread", at ".block")
}
# Of several values of one name, the host's own is told by its line ("n from line 965"); the kernel's is "n in the kernel".
function value(at, name,    i, told) {
  for (i = 0; (at ".values[" i "].name") in leaf; i++) {
    told = leaf[at ".values[" i "].name"]
    if (told == name || index(told, name " from line ") == 1) return leaf[at ".values[" i "].value"]
  }
  return 1 # does not matter to the race
}

END {
  for (k = 0; (".kernels[" k "].name") in leaf; k++)
    print "verdict", leaf[".kernels[" k "].name"], leaf[".kernels[" k "].verdict"]
  for (f = 0; (".findings[" f "].rule") in leaf; f++) {
    at = ".findings[" f "].witness"
    if (leaf[".findings[" f "].certainty"] != "definite") continue
    if (!leaf[at ".address"]) continue # no race
    if (leaf[at ".address"] !~ /^[abc]\[/) {
      print "other", leaf[".findings[" f "].kernel"]
      continue
    }
    print "witness", leaf[".findings[" f "].kernel"], substr(leaf[at ".address"], 1, 1), leaf[at ".offset"], thread(at, 0),
      thread(at, 1), value(at, "n"), value(at, "m")
  }
}
