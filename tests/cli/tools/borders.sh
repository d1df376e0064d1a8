# tests/lint_borders must be able to fail: each breach is planted in a copy of a small tree.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

source <(grep "^rooms=" "$HGRD_ROOT/tests/lint_borders") && mkdir "${rooms[@]}"
clean_text='#include "core/arena.h"
static const int table[] = {1, 2}; // static int x; exit(1)
static int helper(int x) { return x; }
const char *text = "printf(%d) abort()"; /* z3: #include <z3.h> */'
reset() {
  for room in */; do printf '%s\n' "$clean_text" >"$room/a.c"; done
  sed -i 's|core/arena.h|rt/events.h|' rt/a.c # it runs in the user's program, and knows nobody else
}
lint() { run "$HGRD_ROOT/tests/lint_borders" "$work"; }
breach() { # breach FILE LINE
  reset
  printf '%s\n' "$2" >>"$1"
  lint
  status_is 1
  has out "^$1:5: "
}

reset && lint && status_is 0 && is_empty out
breach core/a.c '#include "solver/solver.h"'
breach hostscan/a.c '#include "frontend/frontend.h"'
breach kernelscan/a.c '#include "solver/internal.h"'
breach driver/a.c '#include "solver/internal.h"'
breach driver/a.c '#include <llvm-c/Core.h>'
breach hostscan/a.c '#include <z3.h>'
breach rt/a.c '#include "core/arena.h"'
breach run/a.c '#include "solver/solver.h"'
breach run/a.c '#include "frontend/internal.h"'
breach run/a.c '  printf("x");'
breach core/a.c '#include <jansson.h>'
breach solver/a.c '  exit(1);'
breach report/a.c '  printf("x");'
breach report/a.c '  fputs("x", stderr);'
breach kernelscan/a.c 'static int counter;'
breach kernelscan/a.c '  static unsigned long seen = 0;'
breach kernelscan/a.c 'static const char *last;'
breach kernelscan/a.c '  switch ((int)inst->op) {'
breach solver/a.c '  switch (node.op) {'
breach kernelscan/a.c '  View *view = view_make(scan, (Extent)(EXTENT_COUNT + 4), OWNER_THREAD1, block_idx);'
breach kernelscan/a.c '  View *view = view_make(scan, (Extent)VIEW_NUMBER, OWNER_THREAD1, block_idx);'
reset && printf '#include "solver/solver.h"\n' >>kernelscan/a.c && printf '#include "report/report.h"\nint f(void) { exit(0); }\n' >>driver/a.c
lint && status_is 0

# Sub-rooms: a level each; no include goes up, no folder is undeclared.
sub_rooms() { # sub_rooms FILE INCLUDED: a tree in which kernel/ is below order/, and FILE includes INCLUDED
  reset
  mkdir -p kernelscan/kernel kernelscan/order && rm -f kernelscan/kernel.h
  printf '# lowest first\nkernel # what there is\norder\n' >kernelscan/rooms
  printf '%s\n' "$clean_text" >kernelscan/kernel/a.c
  printf '%s\n' "$clean_text" >kernelscan/order/a.c
  printf '#include "%s"\n' "$2" >>"$1"
  lint
}
goes_down() { sub_rooms "$@" && status_is 0 && is_empty out; }
goes_up() { sub_rooms "$@" && status_is 1 && has out "^$1:5: \"$2\" is above "; }
goes_down kernelscan/order/a.c kernelscan/kernel.h
goes_down kernelscan/order/a.c kernelscan/order/order.h
goes_down kernelscan/a.c kernelscan/order/order.h
goes_down kernelscan/kernel/a.c kernelscan/kernelscan.h
goes_down kernelscan/kernel/a.c kernelscan/scan.h
goes_down kernelscan/kernel/a.c kernelscan/kernel.h
goes_up kernelscan/kernel/a.c kernelscan/order/order.h
goes_up kernelscan/kernel/a.c kernelscan/audit.h
goes_up kernelscan/kernel/a.c kernelscan/order.h
# The door of a sub-room has its level, and is the only way in for other sub-rooms.
sub_rooms kernelscan/order/a.c kernelscan/kernel/kernel.h && status_is 1
has out '^kernelscan/order/a.c:5: "kernelscan/kernel/kernel.h" is inside kernelscan/kernel/: its door is "kernelscan/kernel.h"$'
door() { # door INCLUDED: of kernel/, which includes that
  sub_rooms kernelscan/kernel/a.c kernelscan/kernel.h
  printf '#include "%s"\n' "$1" >kernelscan/kernel.h
  lint
}
door kernelscan/scan.h && status_is 0 && is_empty out
door kernelscan/order.h && status_is 1 && has out '^kernelscan/kernel.h:1: "kernelscan/order.h" is above kernelscan/kernel/'
functions() { # functions COUNT: what a header with so many of them says
  for ((i = 0; i < $1; i++)); do printf 'int f%d(void);\n' "$i"; done
}
wide_door() { # wide_door COUNT: of kernel/; accessors do not count
  sub_rooms kernelscan/kernel/a.c kernelscan/scan.h
  { functions "$1" && printf 'static inline int g(void) {\n  return f0();\n}\n'; } >kernelscan/kernel.h
  lint
}
wide_door 30 && status_is 0 && is_empty out
wide_door 31 && status_is 1 && has out '^kernelscan/kernel.h: a door with 31 functions, at most 30$'
goes_down kernelscan/order/a.c kernelscan/kernel.h && mkdir kernelscan/extra && lint && status_is 1
has out '^kernelscan/extra: no sub-room'
rmdir kernelscan/extra && echo extra >>kernelscan/rooms && lint && status_is 1
has out '"extra" is no folder of kernelscan/'
goes_down kernelscan/order/a.c kernelscan/kernel.h && echo 'static int counter;' >>kernelscan/kernel/a.c && lint && status_is 1
has out '^kernelscan/kernel/a.c:5: mutable static'

# What is kept of a scan is for its owner: the file of that name, or a folder.
keeps() { # keeps FILE OWNER: where words.c and order/ keep something, and FILE asks for what OWNER keeps
  sub_rooms kernelscan/order/a.c kernelscan/kernel.h
  printf 'SCAN_STATE(%s) // some\n' order words >kernelscan/scan_states.def
  echo '  return SCAN_STATE_OF(scan, words, Words);' >kernelscan/kernel/words.c
  echo '  return SCAN_STATE_OF(scan, order, Order);' >kernelscan/order/words.h
  echo "  return SCAN_STATE_OF(scan, $2, Kept);" >>"$1"
  lint
}
keeps kernelscan/order/a.c order && status_is 0 && is_empty out
keeps kernelscan/order/a.c words && status_is 1 && has out '^kernelscan/order/a.c:6: what "words" keeps of a scan '
keeps kernelscan/order/a.c order && echo 'SCAN_STATE(nobody) // nothing' >>kernelscan/scan_states.def && lint && status_is 1
has out '^kernelscan/scan_states.def:3: nothing is kept of a scan by "nobody"'

# What all files of kernelscan see.
fields() { # fields COUNT: a Scan with so many
  sub_rooms kernelscan/order/a.c kernelscan/kernel.h && rm -f kernelscan/scan_states.def
  { echo 'typedef struct Scan {' && for ((i = 0; i < $1; i++)); do printf '  int f%d;\n' "$i"; done && printf '} Scan;\nint x; // none of its fields\n'; } >kernelscan/scan.h
  lint
}
fields 20 && status_is 0 && is_empty out
fields 21 && status_is 1 && has out '^kernelscan/scan.h: Scan has 21 fields, at most 20$'
