# --version names what answers hang on, the same way in every run; the version stands in one place, CMakeLists.txt, and
# everything that tells it tells that one.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
version=$(sed -n 's/^project(hgrd VERSION \([0-9.]*\) .*/\1/p' "$HGRD_ROOT/CMakeLists.txt")
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || complain "no version in CMakeLists.txt: '$version'"
clang=${HGRD_CLANG:-clang-19}
run "$HGRD_CHECK" --version
status_is 0 && is_empty err
cp out first
has out "^hgrd-check ${version//./\\.} \(commit ([0-9a-f]{12}( with changes)?|unknown)\)\$"
has out "^clang $("$clang" --version | sed -n 's/.*version \([0-9.]*\).*/\1/p') \(.*clang.*\)\$"
has out '^LLVM [0-9]+\.[0-9]+\.[0-9]+$' && has out '^Z3 [0-9]+\.[0-9]+\.[0-9]+' && has out '^JSON schema [0-9]+$'
[[ $(wc -l <out) -eq 5 ]] || complain 'another number of lines'
if [[ -e $HGRD_ROOT/.git ]] && git -C "$HGRD_ROOT" rev-parse HEAD >/dev/null 2>&1; then
  has out '\(commit [0-9a-f]{12}'
fi
run "$HGRD_CHECK" --version
status_is 0 && same out first
# The other programs of the package say the same of themselves.
hgrd_run=${HGRD_CHECK%/*}/hgrd-run
run "$hgrd_run" --version
status_is 0 && is_empty err
sed '/^Z3 /d; /^JSON /d; s/^hgrd-check/hgrd-run/' first >expected
same out expected
run env HGRD_CHECK="$HGRD_CHECK" "$HGRD_ROOT/driver/hgrd-cc" --version
status_is 0 && is_empty err
sed 's/^hgrd-check/hgrd-cc/' first >expected
same out expected
run env HGRD_CHECK=/nowhere/hgrd-check PATH=/usr/bin:/bin "$HGRD_ROOT/driver/hgrd-cc" --version
status_is 2 && has err 'no hgrd-check beside it'
# A clang that is not there is told, and is no failure.
run env HGRD_CLANG="$work/no-clang" "$hgrd_run" --version
status_is 0 && has out "^clang: $work/no-clang does not run: install clang"
run env HGRD_CLANG="$work/no-clang" "$HGRD_CHECK" --version
status_is 0
has out "^clang: $work/no-clang does not run: install clang [0-9]+, or let HGRD_CLANG name it\$"
# The reports tell the version; the schema's is in its name, in itself, and in what follows it.
schema=$(sed -n 's/^JSON schema //p' first)
write_samples
run "$HGRD_CHECK" --format=json -o json --format=sarif -o sarif clean.cu
has json "\"version\": \"$version\"" && has json "\"schema\": $schema,\$"
has json "\"solver\": \"$(sed -n 's/^Z3 .*/&/p' first)\"\$"
has sarif "\"semanticVersion\": \"$version\""
has "$HGRD_ROOT/docs/schema/hgrd-$schema.json" "\"schema\": \{\"const\": $schema,"
has "$HGRD_ROOT/CHANGELOG.md" "^## ${version//./\\.}( |\$)"
# Which commit: of the repository, with what was changed since; of a source archive; unknown.
ask_commit() { # ask_commit DIR: into $said
  run cmake -DSOURCE="$1" -DOUT="$work/commit.h" -P "$HGRD_ROOT/cmake/Commit.cmake"
  status_is 0
  said=$(sed -n 's/^#define HGRD_COMMIT "\(.*\)"$/\1/p' commit.h)
}
if command -v git >/dev/null; then # a source archive builds without it
  git init -q tree && mkdir tree/cmake && cp "$HGRD_ROOT/cmake/commit.txt" tree/cmake
  printf 'cmake/commit.txt export-subst\n' >tree/.gitattributes
  git -C tree add . && git -C tree -c user.name=t -c user.email=t@example.org commit -q -m first
  commit=$(git -C tree rev-parse HEAD | cut -c1-12)
  ask_commit tree
  [[ $said == "$commit" ]] || complain "repository: '$said' instead of $commit"
  touch -d '2001-01-01' commit.h
  ask_commit tree
  [[ $(date -r commit.h +%Y) == 2001 ]] || complain 'written anew though nothing changed'
  echo '# more' >>tree/.gitattributes
  ask_commit tree
  [[ $said == "$commit with changes" ]] || complain "changed: '$said'"
  git -C tree archive --prefix=archived/ HEAD | tar x
  ask_commit archived
  [[ $said == "$commit" ]] || complain "archive: '$said' instead of $commit"
  cp -r tree bare && rm -rf bare/.git
  ask_commit bare
  [[ $said == unknown ]] || complain "neither: '$said'"
fi
# Which Z3 a build finds: an earlier one is refused, another one is told, and so is a header that does not say.
mkdir z3
for try in '4 8 12 0' '4 8 11 1' '3 99 99 1' '4 8 13 warning' '4 13 3 warning' '5 0 0 warning' '4 8 x 1'; do
  read -r major minor build outcome <<<"$try"
  printf '// automatically generated file.\n#define Z3_MAJOR_VERSION   %s\n#define Z3_MINOR_VERSION   %s\n#define Z3_BUILD_NUMBER    %s\n' \
    "$major" "$minor" "$build" >z3/z3_version.h
  run cmake -DZ3_INCLUDE="$work/z3" -P "$HGRD_ROOT/cmake/Z3Version.cmake"
  case $outcome in
    0) status_is 0 && is_empty err ;;
    1) status_is 1 && has err 'Z3 [0-9.]+ is too old: install 4\.8\.12|tells no Z3_BUILD_NUMBER: install' ;;
    warning) status_is 0 && has err "Z3 $major\.$minor\.$build is not the one that hgrd was measured with" ;;
  esac
done
run cmake -DZ3_INCLUDE="$work/none" -P "$HGRD_ROOT/cmake/Z3Version.cmake"
status_is 1 && has err 'z3_version\.h is not there: install libz3-dev'
# The page that SARIF names for a rule.
run "$HGRD_CHECK" --format=sarif --docs-url=https://docs.example.org/hgrd/ clean.cu
status_is 0
has out '"helpUri": "https://docs\.example\.org/hgrd/rules/inter-block-race\.html"' && has_not out 'helpUri.*cwe\.mitre'
has sarif '"helpUri": "https://cwe\.mitre\.org/data/definitions/362\.html"'
for wrong in docs/site 'https://a b' 'javascript:alert(1)' ''; do
  run "$HGRD_CHECK" --docs-url="$wrong" clean.cu
  status_is 2 && has err "docs-url: '.*' is no address of a folder of pages"
done
