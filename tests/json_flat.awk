# One JSON document in, one line for each leaf out: PATH<tab>VALUE, such as `.findings[0].accesses[1].line<tab>12`.
# Strings lose their quotes; \" \\ \/ \n \t are resolved (newline and tab to a space), \uXXXX stays as it is.
# An empty list or object prints PATH<tab>[] or PATH<tab>{}. Exit status 1 and a line `!error` if it is not JSON; nothing for nothing.
# SPDX-License-Identifier: Apache-2.0
{ text = text $0 "\n" }

function fail(why) { if (!failed) print "!error\t" why " near: " substr(text, 1, 30); failed = 1; text = "" }
function skip() { sub(/^[ \t\r\n]+/, "", text) }

function take_string(    out, piece) {
  text = substr(text, 2)
  out = ""
  while (match(text, /^[^"\\]+|^\\./)) {
    piece = substr(text, 1, RLENGTH)
    text = substr(text, RLENGTH + 1)
    if (piece == "\\n" || piece == "\\t") piece = " "
    else if (piece ~ /^\\["\\\/]/) piece = substr(piece, 2)
    out = out piece
  }
  if (substr(text, 1, 1) != "\"") { fail("string without end"); return out }
  text = substr(text, 2)
  return out
}

function members(path,    name) {
  text = substr(text, 2); skip()
  if (substr(text, 1, 1) == "}") { text = substr(text, 2); print path "\t{}"; return }
  while (!failed) {
    skip()
    if (substr(text, 1, 1) != "\"") { fail("member name expected"); return }
    name = take_string(); skip()
    if (substr(text, 1, 1) != ":") { fail("colon expected"); return }
    text = substr(text, 2)
    value(path "." name); skip()
    if (substr(text, 1, 1) == "}") { text = substr(text, 2); return }
    if (substr(text, 1, 1) != ",") { fail("comma expected"); return }
    text = substr(text, 2)
  }
}

function elements(path,    i) {
  text = substr(text, 2); skip()
  if (substr(text, 1, 1) == "]") { text = substr(text, 2); print path "\t[]"; return }
  for (i = 0; !failed; i++) {
    value(path "[" i "]"); skip()
    if (substr(text, 1, 1) == "]") { text = substr(text, 2); return }
    if (substr(text, 1, 1) != ",") { fail("comma expected"); return }
    text = substr(text, 2)
  }
}

function value(path,    first) {
  skip()
  first = substr(text, 1, 1)
  if (first == "{") members(path)
  else if (first == "[") elements(path)
  else if (first == "\"") print path "\t" take_string()
  else if (match(text, /^(true|false|null|-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?)/)) {
    print path "\t" substr(text, 1, RLENGTH)
    text = substr(text, RLENGTH + 1)
  } else fail("value expected")
}

END {
  skip()
  if (text == "") exit 1
  value(""); skip()
  if (!failed && text != "") fail("text after the document")
  exit failed
}
