# The judge of tests/run: reads the tool's answer (JSON made flat) and then the source file with its expectations, and
# says every difference. What counts is the truth written in the file; `//@ known-...` excuses a difference of that
# kind, for one kernel or the whole file, and an excuse that is not needed any more is a failure as well.
# With counts=1 it does not judge, it counts, one line for each kernel of the answer:
#   KERNEL<tab>truth<tab>answer<tab>races<tab>found<tab>undecided<tab>missed<tab>false alarms<tab>extents right
# where a race is one label (all that has none counts as one), found if its lines are reported, in whatever extent and words; undecided and
# missed are those not found, by whether the answer has reasons; a false alarm is a pair of lines that was not announced;
# extents right are the labels all of whose expectations were met, and none was reported besides.
# usage: awk [-v counts=1] -v status=N -v name=FILE -f expect.awk FLAT FILE
# SPDX-License-Identifier: Apache-2.0

BEGIN { expect_count = finding_count = kernel_count = failures = 0 }

# --- the answer -------------------------------------------------------------------------------------------------------
FILENAME == ARGV[1] {
  tab = index($0, "\t")
  path = substr($0, 1, tab - 1); value = substr($0, tab + 1)
  if (index(value, "(null)")) nameless = value
  if (path == "!error") broken = value
  else if (match(path, /^[.]findings\[[0-9]+\]/)) answer_finding(substr(path, 11, RLENGTH - 11), substr(path, RLENGTH + 2), value)
  else if (match(path, /^[.]kernels\[[0-9]+\]/)) answer_kernel(substr(path, 10, RLENGTH - 10), substr(path, RLENGTH + 2), value)
  seen_answer = 1
  next
}

function answer_finding(i, field, text) {
  i += 0
  if (i + 1 > finding_count) finding_count = i + 1
  found[i, field] = text
}

function answer_kernel(i, field, text) {
  i += 0
  if (i + 1 > kernel_count) kernel_count = i + 1
  if (field == "name") kernel_name[i] = text
  if (field == "verdict") kernel_verdict[i] = text
  if (field ~ /^assumptions\[/) kernel_leans[i] = kernel_leans[i] " " text
  if (field ~ /^ordered\[[0-9]+\][.]rule$/) kernel_rules[i] = kernel_rules[i] " " text
  if (field ~ /^undecided/ && text != "[]") kernel_open[i] = 1
}

# --- the expectations -------------------------------------------------------------------------------------------------
/^\/\/@ verdict / {
  text = $0; sub(/^\/\/@ verdict +/, "", text)
  colon = last_colon(text)
  kernel = substr(text, 1, colon - 1)
  wanted[kernel] = trim(substr(text, colon + 1))
  wanted_line[kernel] = FNR
  if (wanted[kernel] !~ /^(race-free|racy|undecided|dead)$/) fault(FNR, "no verdict is called '" wanted[kernel] "'")
}
/^\/\/@ rule / {
  text = $0; sub(/^\/\/@ rule +/, "", text)
  colon = last_colon(text)
  rules[trim(substr(text, 1, colon - 1))] = FNR ":" substr(text, colon + 1)
}
/^\/\/@ leans / {
  text = $0; sub(/^\/\/@ leans +/, "", text)
  colon = last_colon(text)
  leans[trim(substr(text, 1, colon - 1))] = FNR ":" substr(text, colon + 1)
}
/^\/\/@ status:/ { wanted_status = $3 + 0; has_status = 1 }
/^\/\/@ known-/ {
  text = $0; sub(/^\/\/@ known-/, "", text)
  colon = index(text, ": ")
  if (!colon || trim(substr(text, colon + 1)) == "") fault(FNR, "a known failure needs its reason")
  kind = substr(text, 1, colon - 1); kernel = "*"
  if (split(kind, words, " ") == 2) { kind = words[1]; kernel = words[2] }
  if (kind !~ /^(miss|false-alarm|undecided)$/) fault(FNR, "known-" kind " is not one of miss, false-alarm, undecided")
  excuse[kind, kernel] = FNR
}
/^\/\/@ pairs: exact$/ { exact = 1 }
/^\/\/@/ && !/^\/\/@ (args:|status:|verdict |leans |rule |known-|pairs: exact$)/ { fault(FNR, "unknown line: " $0) }

/__global__/ && !/^[ \t]*\/\// {
  text = $0; sub(/.*__global__/, "", text)
  gsub(/__launch_bounds__ *\([^)]*\)/, "", text)
  current = match(text, /[A-Za-z_0-9]+ *\(/) ? substr(text, RSTART, RLENGTH - 1) : ""
  gsub(/ /, "", current)
}
/__device__/ && !/__global__/ && !/^[ \t]*\/\// { current = "" }

/\/\/.*expect-/ && !/^\/\/@/ {
  text = $0
  sub(/^.*\/\/ *expect-/, "expect-", text)
  while (match(text, /expect-[a-z]+(-[a-z]+)*/)) {
    kind = substr(text, RSTART + 7, RLENGTH - 7)
    text = substr(text, RSTART + RLENGTH)
    label = ""; line = FNR; pattern = ""; extents = ""
    if (match(text, /^\[[^]]*\]/)) { label = substr(text, 2, RLENGTH - 2); text = substr(text, RLENGTH + 1) }
    if (match(text, /^\([^)]*\)/)) { extents = substr(text, 2, RLENGTH - 2); text = substr(text, RLENGTH + 1) }
    if (match(text, /^@[-+]?[0-9]+/)) {
      where = substr(text, 2, RLENGTH - 1)
      line = where ~ /^[-+]/ ? FNR + where : where + 0
      text = substr(text, RLENGTH + 1)
    }
    if (match(text, /^ *\{\{/)) {
      text = substr(text, RLENGTH + 1)
      close_at = index(text, "}}")
      if (!close_at) fault(FNR, "{{ without }}")
      pattern = substr(text, 1, close_at - 1)
      text = substr(text, close_at + 2)
    }
    if (extents == "every") extents = "inter-block,intra-block,intra-warp"
    extent_count = split(extents, extent_list, ",")
    if (!extent_count) expect(kind, label, line, pattern, "")
    for (x = 1; x <= extent_count; x++) {
      if (extent_list[x] !~ /^(inter-block|intra-block|intra-warp)$/) fault(FNR, "no extent is called '" extent_list[x] "'")
      expect(kind, label, line, pattern, extent_list[x] "-race")
    }
  }
}

function expect(kind, label, line, pattern, rule) {
  if (kind == "clean") { clean[current] = FNR; return }
  if (kind !~ /^(race|divergence|misuse|same-value|note)$/) { fault(FNR, "expect-" kind " is unknown"); return }
  e_kind[expect_count] = kind; e_label[expect_count] = label; e_line[expect_count] = line
  e_pattern[expect_count] = pattern; e_kernel[expect_count] = current; e_rule[expect_count] = rule
  if (!((current, label, line) in on_line)) { on_line[current, label, line] = 1; lines_of[current, label]++ }
  if (kind ~ /^(same-value|note|misuse|divergence)$/) has_notes[current] = 1
  expect_count++
}

# --- helpers ----------------------------------------------------------------------------------------------------------
function trim(text) { sub(/^[ \t]+/, "", text); sub(/[ \t\r]+$/, "", text); return text }
function last_colon(text,    i) { for (i = length(text); i > 0 && substr(text, i, 1) != ":"; i--) {} return i }
function fault(line, text) { print name ":" line ": " text; failures++ }

# "void ns::k<int>(int*)" -> "k"
function base_name(text) {
  gsub(/\(anonymous namespace\)::/, "", text)
  sub(/[<(].*$/, "", text)
  sub(/^.*[ :]/, "", text)
  return text
}

function differs(kind, kernel, line, text) {
  if (counts) return
  if ((kind, kernel) in excuse) { used[kind, kernel] = 1; return }
  if ((kind, "*") in excuse) { used[kind, "*"] = 1; return }
  fault(line, kind ": " text)
}

function is_kind(i, kind, rule) {
  if (kind == "note") return found[i, "level"] == "note"
  if (kind == "race") return rule ~ /-race$/
  if (kind == "misuse") return rule ~ /^(grid-barrier-launch|lock-misuse|warp-mask|endless-wait)$/
  if (kind == "divergence") return rule == "barrier-divergence" && found[i, "level"] != "note"
  return rule == "same-value-write"
}

function describe(i, rule) {
  return found[i, "level"] ": " found[i, "message"] " [-W" rule "] " found[i, "certainty"] \
    " cause=" found[i, "cause"] " object=" found[i, "object"] " kernel=" found[i, "kernel"] \
    " missing=" found[i, "missingFact.condition"] " weaker=" found[i, "missingFact.weaker"]
}

function line_of(i, access,    file) {
  if (!((i, "accesses[" access "].line") in found)) return access ? line_of(i, 0) : 0
  file = found[i, "accesses[" access "].file"]; sub(/^.*\//, "", file)
  return file == name ? found[i, "accesses[" access "].line"] + 0 : 0
}

# {{words}} is a part of the text, {{/words/}} a regular expression.
function matches(text, pattern) {
  if (pattern ~ /^\/.+\/$/) return text ~ substr(pattern, 2, length(pattern) - 2)
  return pattern == "" || index(text, pattern)
}

# One finding may stand for several rules: a note tells in which other extents the same accesses race. Each is a claim.
function judge_finding(i,    n, note) {
  judge_claim(i, found[i, "rule"])
  for (n = 0; (i, "notes[" n "].text") in found; n++) {
    note = found[i, "notes[" n "].text"]
    if (note !~ /also race between/ || found[i, "rule"] !~ /-race$/) continue
    if (note ~ /between blocks/) judge_claim(i, "inter-block-race")
    if (note ~ /between warps of one block/) judge_claim(i, "intra-block-race")
    if (note ~ /between lanes of one warp/) judge_claim(i, "intra-warp-race")
  }
}

# A claim is announced if the lines of both its accesses carry expectations of one label that fit its text.
function judge_claim(i, rule,    a, b, text, p, q, hit, near) {
  text = describe(i, rule); p = line_of(i, 0)
  q = is_kind(i, "misuse", rule) || rule == "barrier-divergence" ? p : line_of(i, 1)
  for (a = 0; a < expect_count; a++) {
    if (e_line[a] != p || !is_kind(i, e_kind[a], rule)) continue
    if (exact && p == q && lines_of[e_kernel[a], e_label[a]] > 1) continue
    for (b = 0; b < expect_count; b++) {
      if (e_line[b] != q || e_label[b] != e_label[a] || e_kind[b] != e_kind[a]) continue
      near = e_kernel[a] SUBSEP e_label[a] # the pair is announced, if perhaps not in these words
      if ((e_rule[a] != "" && e_rule[a] != rule) || e_rule[b] != e_rule[a]) continue
      if (!matches(text, e_pattern[a]) || !matches(text, e_pattern[b])) continue
      e_hit[a] = e_hit[b] = hit = 1
    }
  }
  if (!hit) unannounced(i, p, q, text, near)
  if (base_name(found[i, "kernel"]) in clean)
    differs("false-alarm", base_name(found[i, "kernel"]), p, "kernel marked expect-clean: " text)
}

function unannounced(i, p, q, text, near,    kernel) {
  kernel = base_name(found[i, "kernel"])
  if (near) spoiled[near] = 1
  else if (found[i, "level"] != "note" && !((kernel, p, q) in alarmed)) {
    alarmed[kernel, p, q] = 1
    false_alarms[kernel]++
  }
  differs("false-alarm", kernel, p, "not announced (lines " p " and " q "): " text)
}

function joined_verdict(kernel,    i, all, one) {
  all = "none"
  for (i = 0; i < kernel_count; i++) {
    if (kernel_name[i] != kernel && base_name(kernel_name[i]) != kernel &&
        !(kernel ~ /</ && index(kernel_name[i], kernel))) continue
    kernel_seen[i] = 1
    one = kernel_verdict[i]
    if (kernel_open[i]) open_verdict[kernel] = any_open = 1
    if (all == "none" || one == "racy" || all == "dead" || (one == "undecided" && all != "racy")) all = one
  }
  return all
}

# A race marked in a device function is one of the file's racy kernel, if it has one only.
function print_counts(    i, kernel, label, seen, races, hits, open, missed, whole, key, parts, racy, sole) {
  for (kernel in wanted)
    if (wanted[kernel] == "racy") { racy++; sole = base_name(kernel) }
  for (i = 0; i < expect_count; i++) {
    if (e_kind[i] !~ /^(race|divergence)$/) continue
    key = e_kernel[i] SUBSEP e_label[i]
    if (!(key in seen)) { seen[key] = 1; whole[key] = !(key in spoiled) }
    if (e_hit[i]) hits[key] = 1
    else whole[key] = 0
  }
  for (key in seen) {
    split(key, parts, SUBSEP); kernel = parts[1] == "" && racy == 1 ? sole : parts[1]
    races[kernel]++
    if (key in hits || key in spoiled) { hits["of", kernel]++; whole["of", kernel] += whole[key] }
    else if (open_verdict[kernel]) open[kernel]++
    else missed[kernel]++
  }
  for (kernel in wanted)
    printf "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", kernel, wanted[kernel], told_verdict[kernel], races[base_name(kernel)],
      hits["of", base_name(kernel)], open[base_name(kernel)], missed[base_name(kernel)], false_alarms[base_name(kernel)],
      whole["of", base_name(kernel)] | "LC_ALL=C sort"
}

function judge_verdict(kernel,    truth, told, kind) {
  truth = wanted[kernel]; told = told_verdict[kernel] = joined_verdict(kernel)
  if (told == "undecided") open_verdict[kernel] = any_open = 1
  if (truth == told) return
  if (told == "none") { fault(wanted_line[kernel], "the answer has no kernel '" kernel "'"); return }
  kind = told == "undecided" ? "undecided" : told == "racy" ? "false-alarm" : "miss"
  differs(kind, base_name(kernel), wanted_line[kernel], kernel " is " truth ", but the answer is " told)
}

# Assumptions that the answer has to name, or rules; `!A3`: one that it has not.
function judge_names(kernel, listed, named, verb,    i, n, k, words, line, found_one, wants) {
  line = listed + 0
  n = split(substr(listed, index(listed, ":") + 1), words, " ")
  for (i = 0; i < kernel_count; i++) {
    if (base_name(kernel_name[i]) != kernel) continue
    found_one = 1
    for (k = 1; k <= n; k++) {
      wants = words[k]
      if ((sub(/^!/, "", wants) == 0) != (index(named[i] " ", " " wants " ") > 0))
        fault(line, kernel " " verb named[i] ", expected " words[k])
    }
  }
  if (!found_one) fault(line, "the answer has no kernel '" kernel "'")
}

END {
  if (!seen_answer) { print name ": no answer, exit status " status; exit 1 }
  if (broken) { print name ": the answer is not JSON: " broken; exit 1 }
  for (kernel in wanted) judge_verdict(kernel)
  for (kernel in leans) if (!counts) judge_names(kernel, leans[kernel], kernel_leans, "leans on")
  for (kernel in rules) if (!counts) judge_names(kernel, rules[kernel], kernel_rules, "is ordered by")
  for (i = 0; i < kernel_count; i++)
    if (!kernel_seen[i]) fault(1, "no `//@ verdict` for kernel '" kernel_name[i] "' (answer: " kernel_verdict[i] ")")
  for (i = 0; i < finding_count; i++)
    if ((i, "rule") in found) {
      judge_finding(i)
      if (found[i, "level"] ~ /^(warning|error)$/) warned = 1
    }
  for (i = 0; i < expect_count; i++) {
    if (e_kind[i] ~ /^(race|divergence)$/) truth_warns = 1
    if (e_hit[i]) continue
    kind = open_verdict[e_kernel[i]] || (e_kernel[i] == "" && any_open) ? "undecided" : "miss"
    differs(kind, e_kernel[i], e_line[i], "no finding here for expect-" e_kind[i] " " e_pattern[i])
  }
  if (counts) { print_counts(); exit 0 }
  for (kernel in wanted)
    if (wanted[kernel] == "race-free" && !(base_name(kernel) in clean) && !(base_name(kernel) in has_notes))
      fault(wanted_line[kernel], "a race-free kernel has `// expect-clean` at its head")
  if (status ~ /^(124|137|152)$/) { differs("undecided", "*", 1, "not done in time"); has_status = 1; wanted_status = status }
  if (nameless != "") fault(1, "a text is missing in: " nameless)
  if (has_status && status != wanted_status) fault(1, "exit status " status " instead of " wanted_status)
  if (!has_status && status != (warned ? 1 : 0)) fault(1, "exit status " status " with" (warned ? "" : "out") " a warning")
  for (key in excuse)
    if (!(key in used)) {
      split(key, words, SUBSEP)
      fault(excuse[key], "unexpected success: known-" words[1] " " words[2] " is not needed any more")
    }
  exit failures > 0
}
