# hgrd-run: what programs do besides running kernels: fork, read, end in their own ways, never end, ask for too much. What is told, and
# with which status. A race is told in each of them, or is not there.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >program.cu <<'CU'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
__global__ void count(int *a) { atomicAdd(a, 1); }
__global__ void racy(int *a) { a[0] = threadIdx.x; } // at: race
static int *d;
static int counted() {
  int h = 0;
  count<<<2, 32>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  return h;
}
static int parent(int child) {
  int status = 0;
  waitpid(child, &status, 0);
  printf("counted %d, child's status %d\n", counted(), WEXITSTATUS(status));
  return 4;
}
int main(int argc, char **argv) {
  char line[64];
  void *large = nullptr;
  const char *what = argv[1];
  bool races = argc > 2;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  if (strcmp(what, "fork") == 0) {
    int child = fork();
    if (child) return parent(child);
    if (races) racy<<<1, 32>>>(d);
    else counted();
    return 5;
  }
  if (races) racy<<<1, 32>>>(d);
  if (strcmp(what, "read") == 0)
    while (fgets(line, sizeof line, stdin)) printf("read %s", line);
  if (strcmp(what, "lines") == 0) {
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) lines++;
    return lines;
  }
  if (strcmp(what, "_exit") == 0) _exit(3);
  if (strcmp(what, "exec") == 0) execlp("sh", "sh", "-c", "exit 6", nullptr);
  if (strcmp(what, "crash") == 0) *(volatile int *)8 = 1;
  if (strcmp(what, "killed") == 0) raise(SIGKILL);
  if (strcmp(what, "forever") == 0) for (volatile int i = 0;; i++) {}
  if (strcmp(what, "large") == 0) puts(cudaGetErrorString(cudaMalloc(&large, (size_t)10 << 30)));
  return 7;
}
CU
run "$hgrd_run" --build -o program --all program.cu
status_is 0 && is_empty err
race="^program.cu:$(grep -n 'at: race$' program.cu | cut -d: -f1):[0-9]+: warning: observed race"

# ends STATUS WHAT: without a race; with one it is 1, or the same where a signal ended it.
ends() {
  HGRD_RUN=timeout=300 run ./program "$2"
  status_is "$1"
  has_not err 'observed race'
}
ends 4 fork
has out "^counted 64, child's status 5"
[[ $(grep -c 'launch' err) -eq 1 ]] || complain 'parent and child sum up'
ends 7 read
ends 3 _exit
ends 6 exec
ends 139 crash
ends 137 killed
HGRD_RUN=timeout=1 run ./program forever
status_is 124
has err '^hgrd-run: error: after 1 seconds the program still runs: ended'
HGRD_RUN_MEMORY=1000000 run ./program large
status_is 7
has out '^out of memory'
has err '^hgrd-run: cudaMalloc: 10737418240 bytes are not to be had: 999996 of 1000000 are left \(HGRD_RUN_MEMORY=BYTES'

# By hgrd-run, each with a race.
for what in fork _exit exec read; do
  printf 'a\nb\n' >lines
  run bash -c '"$1" --all --schedules=2 program.cu --- "$2" race <lines' - "$hgrd_run" $what
  status_is 1
  has err "$race"
done
[[ $(grep -c '^read' out) -eq 2 ]] || complain 'the second run reads or is heard'
run "$hgrd_run" --all program.cu --- _exit
status_is 3
run "$hgrd_run" --all program.cu --- crash race
status_is 139
has err "$race" && has err 'ended by signal 11'

# Libraries that are not here.
cat >library.cu <<'CU'
#include <cublas_v2.h>
#ifdef WITHOUT
#include <no_such_library.h>
#endif
int main() { cublasHandle_t h; return cublasCreate(&h); }
CU
run "$hgrd_run" library.cu
status_is 2
has err "^hgrd-run: error: 'cublasCreate_v2' is called by the host side, and hgrd-run does not have it"
run "$hgrd_run" library.cu -- -DWITHOUT
status_is 2
has err 'library.cu:3.*no_such_library.h'

# What is seen, as JSON lines.
run "$hgrd_run" --all --json=seen.json --schedules=2 program.cu --- read race
status_is 1
grep -q '^{"race": {"kernel": "racy", .*"schedule": "in-order", "detector": "clocks", .*"thread": \[0, 0, 0\]' seen.json || complain 'no race in the lines'
[[ $(grep -c '^{"run": {"schedule": "[a-z-]*", "status": 1, "signal": 0}}$' seen.json) -eq 2 ]] || complain 'not two runs in the lines'
[[ $(wc -l <seen.json) -eq 3 ]] || complain 'other lines'
# A file is read by each run, a pipe by the first one.
printf '%s\n' 1 2 3 4 5 >lines
run bash -c '"$1" --detector=none --json=seen.json --schedules=2 program.cu --- lines <lines' - "$hgrd_run"
[[ $(grep -c '"status": 5' seen.json) -eq 2 ]] || complain 'not both runs have read the file'
run bash -c 'cat lines | "$1" --detector=none --json=seen.json --schedules=2 program.cu --- lines' - "$hgrd_run"
[[ $(grep -c '"status": 5' seen.json) -eq 1 && $(grep -c '"status": 0' seen.json) -eq 1 ]] || complain 'the pipe is read by others'
run "$hgrd_run" --all --json=nowhere/seen.json program.cu --- read
status_is 2
has err "cannot write 'nowhere/seen.json'"
run "$hgrd_run" --json=x --build program.cu
status_is 2
