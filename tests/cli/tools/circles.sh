# tests/lint_circles must be able to fail: files that call each other in a circle, and a call that goes up, are planted in a small tree
# that is compiled.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

mkdir -p tests core/low core/high
printf 'low # below\nhigh\n' >core/rooms
compile() { # compile FILE TEXT
  printf '%s\n' "$2" >"$1"
  mkdir -p "build/CMakeFiles/hgrd_core.dir/$(dirname "$1")"
  cc -c -o "build/CMakeFiles/hgrd_core.dir/$1.o" "$1"
}
lint() { # lint CIRCLE UPWARD: what is allowed
  printf '# room, files of the largest circle, calls that go up\ncore %s %s\n' "$1" "$2" >tests/circles
  run "$HGRD_ROOT/tests/lint_circles" "$work" build
}

compile core/low/a.c 'int a(void) { return 1; }'
compile core/low/b.c 'int a(void); int b(void) { return a(); }'
compile core/high/c.c 'int b(void); int c(void) { return b(); }'
lint 1 0 && status_is 0 && is_empty out
lint 2 0 && status_is 1 && has out '^core: better than tests/circles says: write "core 1 0" there$'

# Two files that call each other; the third one is no part of the circle.
compile core/low/a.c 'int b(void); int a(void) { return b(); }'
lint 1 0 && status_is 1 && has out '^core: a circle of 2 files, at most 1 are allowed: core/low/a.c core/low/b.c$'
lint 2 0 && status_is 0 && is_empty out

# A call that goes up, with no circle.
compile core/low/a.c 'int d(void); int a(void) { return d(); }'
compile core/high/d.c 'int d(void) { return 1; }'
lint 1 0 && status_is 1 && has out '^core: 1 calls go up between sub-rooms, at most 0 are allowed'
lint 1 1 && status_is 0 && is_empty out

# A sub-room with a line of its own.
compile core/low/a.c 'int b(void); int a(void) { return b(); }'
printf 'core 2 0\ncore/low 1 0\n' >tests/circles
run "$HGRD_ROOT/tests/lint_circles" "$work" build
status_is 1 && has out '^core/low: a circle of 2 files, at most 1 are allowed: '
compile core/low/a.c 'int d(void); int a(void) { return d(); }'

# A file that is gone does not count, whatever object it left behind.
rm core/high/d.c
lint 1 0 && status_is 0 && is_empty out
rm -r build/CMakeFiles && mkdir build/CMakeFiles && lint 1 0 && status_is 1 && has out '^core: no objects in '
