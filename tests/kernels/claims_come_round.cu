// Numbers drawn from a counter are different ones until it comes round. That it does not is assumed where that takes many
// additions; where the amount is large, the launch has to make few enough. high: numbers in the highest bits, for fewer
// threads than there are of them (ok), for more (bad). first: who adds to zero is the only one, of three threads that add an
// eighth of all there is (ok), of 64 (bad). down: the same downwards (ok, bad). rounds: few threads, in a loop (bad). units: the
// usual counter, with more threads than are known (ok).
//@ verdict high_ok: race-free
//@ verdict high_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict down_ok: race-free
//@ verdict down_bad: racy
//@ verdict rounds_bad: racy
//@ verdict units_ok: race-free
__global__ void high_ok(int *out, unsigned *n) { // expect-clean
  unsigned place = atomicAdd(n, 1u << 24);
  out[place >> 24] = threadIdx.x;
}

__global__ void high_bad(int *out, unsigned *n) {
  unsigned place = atomicAdd(n, 1u << 24);
  out[place >> 24] = threadIdx.x + blockIdx.x; // expect-race
}

__global__ void first_ok(int *out, unsigned *taken, const int *wish) { // expect-clean
  int i = wish[threadIdx.x] & 63;
  if (atomicAdd(&taken[i], 1u << 29) == 0) out[i] = threadIdx.x;
}

__global__ void first_bad(int *out, unsigned *taken, const int *wish) {
  int i = wish[threadIdx.x] & 63;
  if (atomicAdd(&taken[i], 1u << 29) == 0) out[i] = threadIdx.x; // expect-race
}

__global__ void down_ok(int *out, unsigned *n) { // expect-clean
  unsigned place = atomicSub(n, 1u << 24);
  out[place >> 24] = threadIdx.x;
}

__global__ void down_bad(int *out, unsigned *n) {
  unsigned place = atomicSub(n, 1u << 24);
  out[place >> 24] = threadIdx.x + blockIdx.x; // expect-race
}

__global__ void rounds_bad(int *out, unsigned *n, int rounds) {
  for (int i = 0; i < rounds; i++)
    out[atomicAdd(n, 1u << 24) >> 24] = threadIdx.x; // expect-race
}

__global__ void units_ok(int *out, unsigned *n) { // expect-clean
  out[atomicAdd(n, 1u)] = threadIdx.x;
}

void run(int *out, unsigned *n, const int *wish, int blocks, int rounds) {
  high_ok<<<1, 96>>>(out, n);
  high_bad<<<2, 256>>>(out, n);
  first_ok<<<1, 3>>>(out, n, wish);
  first_bad<<<1, 64>>>(out, n, wish);
  down_ok<<<1, 96>>>(out, n);
  down_bad<<<2, 256>>>(out, n);
  rounds_bad<<<1, 96>>>(out, n, rounds);
  units_ok<<<blocks, 256>>>(out, n);
}
