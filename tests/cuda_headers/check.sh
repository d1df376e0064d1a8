#!/usr/bin/env bash
# Do programs parse with our CUDA declarations alone, and does the device code call what the lowering knows by name?
# Each .cu file here is compiled for both sides, each .c and .cpp as plain host code. Lines in a file:
#   //@ call: NAME   the device side's bitcode declares or calls NAME (a part of the mangled name)
#   //@ none: NAME   it does not
#   //@ fail: TEXT   the file must not compile, and the error says TEXT
# usage: check.sh [FILE...]; HGRD_CLANG names another clang. Prints one line for each failure, status 1 if any.
# SPDX-License-Identifier: Apache-2.0
set -u
here=$(cd "$(dirname "$0")" && pwd)
cuda=$here/../../frontend/cuda
clang=${HGRD_CLANG:-clang-19}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "$1"
  failures=$((failures + 1))
}

words() { sed -n "s|^//@ $1: *||p" "$2"; }

compile_side() { # file side
  "$clang" -x cuda -std=c++17 -nocudainc -nocudalib --cuda-path=/nonexistent -Xclang -target-sdk-version=12.3 \
    -include "$cuda/hgrd_cuda_prefix.h" -isystem "$cuda" -O1 -Xclang -disable-llvm-passes -g -S -emit-llvm \
    --cuda-gpu-arch=sm_80 "--cuda-$2-only" -Wno-unknown-cuda-version -o "$scratch/$2.ll" "$1" 2>"$scratch/errors"
}

check_refused() { # file text
  if compile_side "$1" device; then
    fail "$1: compiles, although it should not"
  elif ! grep -qF "$2" "$scratch/errors"; then
    fail "$1: no error says '$2'"
  fi
}

check_kernel_file() { # file
  local refusal side name
  refusal=$(words fail "$1")
  if [ -n "$refusal" ]; then
    check_refused "$1" "$refusal"
    return
  fi
  for side in device host; do
    compile_side "$1" $side || { fail "$1: $side side: $(grep -m1 'error' "$scratch/errors")"; return; }
    [ ! -s "$scratch/errors" ] || fail "$1: $side side warns: $(grep -m1 'warning' "$scratch/errors")"
  done
  for name in $(words call "$1"); do
    grep -q "call.*$name" "$scratch/device.ll" || fail "$1: nothing calls $name"
  done
  for name in $(words none "$1"); do
    ! grep -q "call.*$name" "$scratch/device.ll" || fail "$1: something calls $name"
  done
}

check_host_file() { # file
  "$clang" -Wall -Werror -isystem "$cuda" -idirafter "$cuda/shim_last" -fsyntax-only "$1" 2>"$scratch/errors" ||
    fail "$1: $(grep -m1 'error' "$scratch/errors")"
}

[ $# -gt 0 ] || set -- "$here"/*.cu "$here"/*.c "$here"/*.cpp
for file in "$@"; do
  case $file in
  *.cu) check_kernel_file "$file" ;;
  *) check_host_file "$file" ;;
  esac
done
echo "cuda_headers: $# files, $failures failures"
[ "$failures" -eq 0 ]
