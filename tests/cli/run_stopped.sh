# hgrd-run that is stopped (`timeout 60 hgrd-run a.cu`) takes the program with it, and its folder, and says so by its status.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >endless.cu <<'CU'
#include <cstdio>
#include <unistd.h>
__global__ void spin(volatile int *word) {
  for (;;) word[threadIdx.x] += 1;
}
int main(int, char **argv) {
  FILE *out = fopen(argv[1], "w");
  fprintf(out, "%ld\n", (long)getpid());
  fclose(out);
  int *word;
  cudaMalloc(&word, 128);
  spin<<<1, 32>>>(word);
  cudaDeviceSynchronize();
}
CU
mkdir folder

# Is it there, and no zombie?
lives() { [[ -r /proc/$1/stat && $(sed 's/.*) //; s/ .*//' "/proc/$1/stat") != Z ]]; }

for how in TERM KILL; do
  rm -f pid
  TMPDIR=$PWD/folder "$hgrd_run" endless.cu --- "$PWD/pid" >out 2>err &
  run=$!
  for ((i = 0; i < 600; i++)); do [[ -s pid ]] && break; sleep 0.1; done
  [[ -s pid ]] || { complain "$how: the program was not started"; kill -KILL "$run"; continue; }
  program=$(<pid)
  kill -"$how" "$run"
  wait "$run"
  status=$?
  [[ $how == KILL || $status -eq 143 ]] || complain "$how: exit status $status instead of 143"
  for ((i = 0; i < 100; i++)); do lives "$program" || break; sleep 0.1; done
  ! lives "$program" || { complain "$how: the program goes on"; kill -KILL "$program"; }
  [[ $how == KILL || -z $(ls folder) ]] || complain "$how: its folder is left"
done
