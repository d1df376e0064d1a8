# ./dev test: which tests it asks CTest for, what it installs and what not. Scripts play CMake, CTest and the package manager.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

unset HGRD_JUDGES # the tests of tests/forms set it for themselves
mkdir -p bin tests/forms build/forms/node_modules build-asan && cp "$HGRD_ROOT/dev" .
touch build/build.ninja build-asan/build.ninja tests/forms/package-lock.json build/forms/package-lock.json
cat >bin/ctest <<'SH'
#!/bin/sh
case " $* " in
*" -N "*" -R kernel "*) ;;
*" -N "*) echo '  Test #1: forms.browser' ;;
*)
  echo "ctest $* judges=$HGRD_JUDGES" >>log
  [ -z "$SKIPPED" ] || echo '1/3 Test #1: forms.browser ...***Skipped 0.1 sec'
  echo '100% tests passed, 0 tests failed out of 3'
  ;;
esac
SH
cat >bin/dpkg-query <<'SH'
#!/bin/sh
for package; do :; done
[ "$package" = "$MISSING" ] || echo installed
SH
printf '#!/bin/sh\necho "apt-get $*" >>log\nexit 100\n' >bin/apt-get
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
printf '#!/bin/sh\n' | tee bin/cmake >bin/npm
chmod +x bin/*
export PATH=$work/bin:$PATH
dev() {
  : >log
  run ./dev "$@"
}

# The ordinary way: nothing of the forms is installed, and one line says that their tests are left out.
export MISSING=chromium
dev test
status_is 0
has log '^ctest .* -LE forms judges=$' && has_not log 'apt-get'
has err '^==> the tests of tests/forms are left out: ./dev test --forms'
[[ $(wc -l <err) -eq 1 ]] || complain "more than one line"
has out '^3 passed, 0 failed$'
dev test kernel
status_is 0
has log '^ctest .* -R kernel judges=$' && has_not log ' -LE' && is_empty err
dev test --quick
status_is 0
has log '^ctest .* -L quick judges=$' && is_empty err
dev test --quick kernel
has log '^ctest .* -L quick -R kernel judges=$'

# Under the sanitizers: all of them, or those of the label.
dev asan
status_is 0
has log '^ctest .*/build-asan .* judges=$' && has_not log ' -L'
dev asan --quick
has log '^ctest .*/build-asan .* -L quick judges=$' && is_empty err
dev asan --quick kernel
has log '^ctest .*/build-asan .* -L quick -R kernel judges=$'
for words in --slow '--quick a b' 'a --quick'; do
  # shellcheck disable=SC2086
  dev asan $words
  status_is 2 && has err "^dev: asan: '.*' is not understood" && is_empty log
done

# With the forms. Their judges cannot always be had.
dev test --forms
status_is 0
has log '^apt-get install .*chromium' && has log '^ctest .* judges=$' && has_not log ' -LE'
has err '^==> not to be had \(is there a network\?\): reports.*; the tests of tests/forms that need them are skipped'
export MISSING=
dev test --forms
status_is 0
has log '^ctest .* judges=required$' && has_not log ' -LE?|apt-get'
SKIPPED=1 dev test --forms
has out '^2 passed, 0 failed, 1 skipped$'

for words in --slow '--quick --forms' 'a b' '--forms a b'; do
  # shellcheck disable=SC2086
  dev test $words
  status_is 2 && has err "^dev: test: '.*' is not understood" && is_empty log
done
dev nonsense
status_is 2 && has err '^\./dev test --quick \[NAME\] '

# The limit of the tests is one of processor time: what waits is not ended by it, what works is.
run "$HGRD_ROOT/tests/limit" 1 sleep 2
status_is 0
run "$HGRD_ROOT/tests/limit" 1 sh -c 'while :; do :; done'
status_is 152
