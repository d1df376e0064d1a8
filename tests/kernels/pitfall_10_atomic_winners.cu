// One winner, many losers. claim: at most one thread sees the free value in a slot and writes its log entry (ok); all the
// others see the taken value and share an entry (bad). mark: the same with an exchange; if the winner sets the flag free
// again, there is a second winner (bad). bit: the same with single bits of a word.
// stack: a pointer that only grows gives places of one's own (ok); one that others lower again does not (bad).
// ring: atomicInc wraps at its limit, so places come back (bad), but not where the limit is the largest number (ok).
// best: of those that raise a word to one and the same number, one does (ok); to numbers of their own, many may (bad).
//@ verdict ring_ok: race-free
//@ verdict best_ok: race-free
//@ verdict best_bad: racy
//@ verdict claim_ok: race-free
//@ verdict claim_bad: racy
//@ verdict mark_ok: race-free
//@ verdict mark_bad: racy
//@ verdict bit_ok: race-free
//@ rule bit_ok: test-and-set
//@ verdict bit_bad: racy
//@ verdict stack_ok: race-free
//@ verdict stack_bad: racy
//@ verdict ring_bad: racy
__global__ void claim_ok(int *owner, int *log) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  if (atomicCAS(&owner[slot], 0, 1) == 0)
    log[slot] = i;
}

__global__ void claim_bad(int *owner, int *log) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  if (atomicCAS(&owner[slot], 0, 1) != 0)
    log[slot] = i; // expect-race {{-Wintra-warp-race}}
}

__global__ void mark_ok(int *taken, int *log) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  if (atomicExch(&taken[slot], 1) == 0)
    log[slot] = i;
}

__global__ void mark_bad(int *taken, int *log) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  if (atomicExch(&taken[slot], 1) == 0) {
    log[slot] = i; // expect-race {{-Wintra-warp-race}}
    atomicExch(&taken[slot], 0);
  }
}

__global__ void best_ok(int *round, int *log, int now) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  if (atomicMax(&round[slot], now) < now)
    log[slot] = i;
}

__global__ void best_bad(int *round, int *log, int now) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  if (atomicMax(&round[slot], now + i) < now + i)
    log[slot] = i; // expect-race {{-Wintra-warp-race}}
}

__global__ void ring_ok(unsigned *head, int *items) { // expect-clean
  unsigned at = atomicInc(head, 0xffffffffu);
  items[at] = threadIdx.x;
}

__global__ void bit_ok(unsigned *bits, int *log) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  unsigned bit = 1u << (slot % 32);
  if (!(atomicOr(&bits[slot / 32], bit) & bit))
    log[slot] = i;
}

__global__ void bit_bad(unsigned *bits, int *log) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i / 4;
  unsigned bit = 1u << (slot % 32);
  if (atomicOr(&bits[slot / 32], bit) & bit)
    log[slot] = i; // expect-race {{-Wintra-warp-race}}
}

__global__ void stack_ok(int *top, int *items) { // expect-clean
  int at = atomicAdd(top, 1);
  items[at] = threadIdx.x;
}

__global__ void stack_bad(int *top, int *items) {
  int at = atomicAdd(top, 1);
  items[at] = threadIdx.x; // expect-race
  atomicSub(top, 1);
}

__global__ void ring_bad(unsigned *head, int *items) {
  unsigned at = atomicInc(head, 63);
  items[at] = threadIdx.x; // expect-race
}

int main() {
  const int n = 1024;
  int *a, *b, *c;
  unsigned *bits;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMalloc((void **)&b, n * sizeof(int));
  cudaMalloc((void **)&c, sizeof(int));
  cudaMalloc((void **)&bits, n * sizeof(unsigned));
  claim_ok<<<4, 256>>>(a, b);
  best_ok<<<4, 256>>>(a, b, 7);
  best_bad<<<4, 256>>>(a, b, 7);
  claim_bad<<<4, 256>>>(a, b);
  mark_ok<<<4, 256>>>(a, b);
  mark_bad<<<4, 256>>>(a, b);
  bit_ok<<<4, 256>>>(bits, b);
  bit_bad<<<4, 256>>>(bits, b);
  stack_ok<<<4, 256>>>(c, b);
  stack_bad<<<4, 256>>>(c, b);
  ring_bad<<<4, 256>>>(bits, b);
  ring_ok<<<4, 256>>>(bits, b);
  return 0;
}
