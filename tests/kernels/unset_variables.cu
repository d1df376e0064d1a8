// A variable that nobody has set is any value: what it decides may happen. By C++ such a program has no meaning, and LLVM takes the
// code behind the branch for code that is never reached; a race behind it is no less a mistake of the program.
//@ verdict asks_bad: racy
//@ verdict asks_for_none_bad: racy
//@ verdict waits_bad: racy
//@ verdict chooses_bad: racy
//@ verdict in_a_loop_bad: racy
//@ verdict asks_ok: race-free
//@ verdict own_ok: race-free
__global__ void asks_bad(int *a) {
  int v;
  if (v) a[0] = threadIdx.x; // expect-race {{possible}}
}

__global__ void asks_for_none_bad(int *a) {
  int v;
  if (!v) a[0] = threadIdx.x; // expect-race {{possible}}
}

__global__ void waits_bad(int *a) {
  int v;
  do {
  } while (!v);
  a[0] = threadIdx.x; // expect-race {{possible}}
}

__global__ void chooses_bad(int *a) {
  int v;
  switch (v) {
  case 0: a[0] = threadIdx.x; break; // expect-race {{possible}}
  case 1: a[1] = threadIdx.x; // expect-race {{possible}}
  }
}

__global__ void in_a_loop_bad(int *a, int n) {
  int v;
  for (int i = 0; i < n; i++)
    if (v) a[i] = threadIdx.x; // expect-race {{possible}}
}

// The twins: it is set, and nothing happens; each thread has its own place.
__global__ void asks_ok(int *a) { // expect-clean
  int v = 0;
  if (v) a[0] = threadIdx.x;
}

__global__ void own_ok(int *a) { // expect-clean
  int v;
  if (v) a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
