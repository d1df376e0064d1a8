// A condition holds where its edge dominates, not where its target block does.
// either: the body of `a || b` has two ways in, threads 0 and 5 both get there; `a && b` lets in thread 0 alone.
// cases: two values share one arm (bad), each value has its own (ok). fall: thread 4 falls through into the arm of 6.
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict cases_ok: race-free
//@ verdict cases_bad: racy
//@ verdict fall_ok: race-free
//@ verdict fall_bad: racy
__global__ void either_ok(int *out, int n) { // expect-clean
  int i = threadIdx.x;
  if (i == 0 && n != 5)
    out[blockIdx.x] = i;
}

__global__ void either_bad(int *out) {
  int i = threadIdx.x;
  if (i == 0 || i == 5)
    out[blockIdx.x] = i; // expect-race {{-Wintra-warp-race}}
}

__global__ void cases_ok(int *out) { // expect-clean
  int i = threadIdx.x;
  switch (i) {
  case 2: out[2 * blockIdx.x] = i; break;
  case 3: out[2 * blockIdx.x + 1] = i; break;
  }
}

__global__ void cases_bad(int *out) {
  int i = threadIdx.x;
  switch (i) {
  case 2:
  case 3: out[2 * blockIdx.x] = i; break; // expect-race {{-Wintra-warp-race}}
  }
}

__global__ void fall_ok(int *out) { // expect-clean
  int i = threadIdx.x, bonus = 0;
  switch (i) {
  case 4: bonus = 1; break;
  case 6: out[blockIdx.x] = i + bonus; break;
  }
}

__global__ void fall_bad(int *out) {
  int i = threadIdx.x, bonus = 0;
  switch (i) {
  case 4: bonus = 1; // fall through
  case 6: out[blockIdx.x] = i + bonus; break; // expect-race {{-Wintra-warp-race}}
  }
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 4096);
  either_ok<<<8, 32>>>(out, argc);
  either_bad<<<8, 32>>>(out);
  cases_ok<<<8, 32>>>(out);
  cases_bad<<<8, 32>>>(out);
  fall_ok<<<8, 32>>>(out);
  fall_bad<<<8, 32>>>(out);
  return 0;
}
