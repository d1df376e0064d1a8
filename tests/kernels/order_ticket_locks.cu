// Ticket locks in an array: a number is drawn from the counter of the lock, and the lock's own word shows whose turn it is (Mellor-Crummey and
// Scott, TOCS 1991). each: block b uses lock b % 4; both counters are those of one lock, and no two threads draw one number of one counter.
// apart: the number is drawn from the counter of another set than the word that is waited for, so two blocks that meet at one word have drawn
// from two counters, and may both be let in. stored: the turn is passed on by a store of the number behind one's own. late: it is passed on
// before the access. leader: thread 0 draws and waits for its block, between barriers.
//@ verdict each_ok: race-free
//@ rule each_ok: ticket-lock !lock
//@ verdict apart_bad: racy
//@ verdict stored_ok: race-free
//@ rule stored_ok: ticket-lock
//@ verdict late_bad: racy
//@ verdict leader_ok: race-free
//@ rule leader_ok: ticket-lock
//@ verdict leader_bad: racy

__global__ void each_ok(int *next, int *served, int *a) { // expect-clean
  int lock = blockIdx.x & 3;
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(&next[lock], 1);
  while (atomicAdd(&served[lock], 0) != mine) {
  }
  __threadfence();
  a[lock]++;
  __threadfence();
  atomicAdd(&served[lock], 1);
}

__global__ void apart_bad(int *next, int *served, int *a) {
  int lock = blockIdx.x & 3;
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(&next[blockIdx.x & 7], 1);
  while (atomicAdd(&served[lock], 0) != mine) {
  }
  __threadfence();
  a[lock]++; // expect-race {{-Winter-block-race}}
  __threadfence();
  atomicAdd(&served[lock], 1);
}

__global__ void stored_ok(int *next, volatile int *served, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(next, 1);
  while (*served != mine) {
  }
  __threadfence();
  a[0]++;
  __threadfence();
  *served = mine + 1;
}

__global__ void late_bad(int *next, volatile int *served, int *a) {
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(next, 1);
  while (*served != mine) {
  }
  __threadfence();
  *served = mine + 1;
  a[0]++; // expect-race {{-Winter-block-race}}
}

__global__ void leader_ok(int *next, int *served, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    int mine = atomicAdd(next, 1);
    while (atomicAdd(served, 0) != mine) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x]++;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(served, 1);
  }
}

__global__ void leader_bad(int *next, int *served, int *a) {
  if (threadIdx.x == 0) {
    int mine = atomicAdd(next, 1);
    while (atomicAdd(served, 0) != mine) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x]++; // expect-race {{-Winter-block-race}}
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(served, 1);
  }
}

int main() {
  int *p;
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  each_ok<<<16, 32>>>(p, p + 8, p + 16);
  apart_bad<<<16, 32>>>(p, p + 8, p + 16);
  stored_ok<<<16, 32>>>(p, p + 8, p + 16);
  late_bad<<<16, 32>>>(p, p + 8, p + 16);
  leader_ok<<<16, 32>>>(p, p + 8, p + 16);
  leader_bad<<<16, 32>>>(p, p + 8, p + 16);
}
