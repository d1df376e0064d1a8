// Mistakes in the synchronisation itself, which are findings of their own and never a proof.
// kept: one way out of the critical section ends the thread with the lock in hand (bad); it is given back there, too (ok).
// forgotten: the lock is given back on one way only (bad), or not before the next round (bad). try: a word that is tried once, and kept on
// one way, is claimed: nobody waits for it, and who keeps it needs no fence (ok; the lines that both keep and give back race, bad).
// twice: the lock is taken again by the thread that holds it, which waits for itself (bad); another lock (ok).
// foreign: the thread gives back a lock that it has not taken, so that two may hold it (bad, and the lock protects nothing);
// it takes it first (ok).
// claim: a word that is claimed once and never set free is no lock that somebody forgot (ok).
// mask: lanes 16 to 23 come to a shuffle whose mask names the lower half (bad); it names those that come (ok).
// syncwarp: likewise for a barrier of a warp (bad).
// grid: a barrier of the whole grid in a launch that is not cooperative (bad); that is what orders the blocks, so nothing is
// proved. Launched as it must be (ok).
// readers: those that only read count themselves in and out, one writer waits until nobody is there: nobody gives back what he has not
// taken (ok).
// release: a lock is given back that nobody takes (bad); it is taken first (ok).
// warp: what the first lane locks for its warp does not guard the lanes of one warp from each other (bad); it works alone (ok).
// awaited: a thread waits for the word that the other one sets (ok), or for one that nobody sets, which is no lock (bad).
//@ verdict awaited_ok: race-free
//@ verdict awaited_bad: racy
//@ verdict release_ok: race-free
//@ verdict release_bad: racy
//@ verdict warp_ok: race-free
//@ verdict warp_bad: racy
//@ verdict readers_ok: race-free
// size: whether the lock is given back hangs on what the launch says: all threads of the launch do (ok), none does (bad); a line that nobody
// comes to is no mistake.
//@ verdict size_ok: race-free
//@ verdict size_bad: race-free
//@ verdict kept_ok: race-free
//@ verdict kept_bad: race-free
//@ verdict forgotten_bad: race-free
//@ verdict try_ok: race-free
//@ verdict try_bad: racy
//@ verdict forgotten_round_bad: race-free
//@ verdict twice_ok: race-free
//@ verdict twice_bad: race-free
//@ verdict foreign_ok: race-free
//@ verdict foreign_bad: racy
//@ verdict claim_ok: race-free
//@ verdict mask_ok: race-free
//@ verdict mask_bad: race-free
//@ verdict syncwarp_bad: race-free
//@ verdict grid_ok: race-free
//@ verdict grid_bad: undecided
#include <cooperative_groups.h>

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void give(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void kept_ok(int *lock, int *n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  take(lock);
  if (n[0] == 0) {
    give(lock);
    return;
  }
  n[0]--;
  give(lock);
}

__global__ void kept_bad(int *lock, int *n) {
  if (threadIdx.x != 0)
    return;
  take(lock);
  if (n[0] == 0)
    return; // expect-misuse {{cause=never-given-back}}
  n[0]--;
  give(lock);
}

__global__ void size_ok(int *lock, int *n, int size) { // expect-clean
  if (threadIdx.x != 0)
    return;
  take(lock);
  n[0]--;
  if (size > 4)
    return;
  give(lock);
}

__global__ void size_bad(int *lock, int *n, int size) {
  if (threadIdx.x != 0)
    return;
  take(lock);
  n[0]--;
  if (size > 3)
    return; // expect-misuse {{cause=never-given-back}}
  give(lock);
}

__global__ void twice_ok(int *lock, int *n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  take(lock);
  take(lock + 1);
  n[0]++;
  give(lock + 1);
  give(lock);
}

__global__ void twice_bad(int *lock, int *n) {
  if (threadIdx.x != 0)
    return;
  take(lock);
  while (atomicCAS(lock, 0, 1) != 0) { // expect-misuse {{cause=taken-twice}}
  }
  n[0]++;
  give(lock);
}

__global__ void foreign_ok(int *lock, int *n) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    n[0]++;
    give(lock);
  } else if (threadIdx.x == 32) {
    take(lock);
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void foreign_bad(int *lock, int *n) {
  if (threadIdx.x == 0) {
    take(lock);
    n[0]++; // expect-race {{-Winter-block-race}}
    give(lock);
  } else if (threadIdx.x == 32) {
    __threadfence();
    atomicExch(lock, 0); // expect-misuse {{cause=not-held}}
  }
}

__global__ void claim_ok(int *owner, int *a) { // expect-clean
  if (threadIdx.x == 0 && atomicCAS(owner, 0, 1) == 0)
    a[0] = blockIdx.x;
}

__global__ void mask_ok(int *out) { // expect-clean
  int lane = threadIdx.x % 32, v = lane;
  if (lane < 24)
    v = __shfl_down_sync(0x00ffffff, v, 8);
  out[blockIdx.x * 32 + lane] = v;
}

__global__ void mask_bad(int *out) {
  int lane = threadIdx.x % 32, v = lane;
  if (lane < 24)
    v = __shfl_down_sync(0x0000ffff, v, 8); // expect-misuse {{cause=mask-without-caller}}
  out[blockIdx.x * 32 + lane] = v;
}

__global__ void syncwarp_bad(int *out) {
  int lane = threadIdx.x % 32;
  if (lane < 24)
    __syncwarp(0x0000ffff); // expect-misuse {{cause=mask-without-caller}}
  out[blockIdx.x * 32 + lane] = lane;
}

__global__ void grid_ok(int *a, int *out) { // expect-clean
  a[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x * 32 + threadIdx.x] = a[(gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x];
}

__global__ void grid_bad(int *a, int *out) {
  a[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
  cooperative_groups::this_grid().sync(); // expect-misuse {{cause=not-cooperative}}
  out[blockIdx.x * 32 + threadIdx.x] = a[(gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x];
}

__global__ void forgotten_bad(int *lock, int *a, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    a[0] += blockIdx.x;
    if (n > 3) { // expect-misuse {{cause=never-given-back}}
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}

__global__ void try_ok(int *row, int *column, int *star, int n) { // expect-clean
  for (int k = 0; k < n; k++) {
    int r = (threadIdx.x + k * 7 + blockIdx.x) % 64, c = (threadIdx.x * 3 + k) % 64;
    if (atomicExch(&row[r], 1) == 0) {
      if (atomicExch(&column[c], 1) == 0)
        star[r] = c;
      else
        atomicExch(&row[r], 0);
    }
  }
}

__global__ void try_bad(int *row, int *column, int *star, int n) {
  for (int k = 0; k < n; k++) {
    int r = (threadIdx.x + k * 7 + blockIdx.x) % 64, c = (threadIdx.x * 3 + k) % 64;
    if (atomicExch(&row[r], 1) == 0) {
      star[r] = c; // expect-race {{cause=missing-acquire-fence}}
      if (atomicExch(&column[c], 1) != 0)
        atomicExch(&row[r], 0);
    }
  }
}

__global__ void forgotten_round_bad(int *lock, int *a, int n) {
  for (int k = 0; threadIdx.x == 0 && k < n; k++) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    a[0] += blockIdx.x;
    if (a[0] == 7) // expect-misuse {{cause=never-given-back}}
      continue;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void release_ok(int *lock, int *n) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    n[0]++;
    give(lock);
  }
}

__global__ void release_bad(int *lock, int *n) {
  if (threadIdx.x == 0) {
    n[0]++; // expect-race {{cause=nobody-acquires}}
    give(lock);
  }
}

__global__ void warp_ok(int *lock, int *n) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    take(lock);
    n[0]++;
    give(lock);
  }
  __syncwarp();
}

__global__ void warp_bad(int *lock, int *n) {
  if (threadIdx.x % 32 == 0)
    take(lock);
  __syncwarp();
  n[0]++; // expect-race(intra-warp) {{cause=unlocked-access}}
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    give(lock);
}

__global__ void awaited_ok(int *flags, int *data) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(&flags[0], 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(&flags[0], 0) == 0) {
    }
    __threadfence();
    data[1] = data[0];
  }
}

__global__ void awaited_bad(int *flags, int *data) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1; // expect-race {{cause=different-flags}}
    __threadfence();
    atomicExch(&flags[0], 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(&flags[1], 0) == 0) {
    }
    __threadfence();
    data[1] = data[0]; // expect-race {{cause=different-flags}}
  }
}

int main() {
  int *lock, *a, *out;
  cudaMalloc((void **)&lock, 64);
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMemset(lock, 0, 64);
  awaited_ok<<<8, 64>>>(lock, a);
  awaited_bad<<<8, 64>>>(lock, a);
  release_ok<<<8, 64>>>(lock, a);
  release_bad<<<8, 64>>>(lock, a);
  warp_ok<<<8, 64>>>(lock, a);
  warp_bad<<<8, 64>>>(lock, a);
  kept_ok<<<8, 64>>>(lock, a);
  kept_bad<<<8, 64>>>(lock, a);
  size_ok<<<8, 64>>>(lock, a, 4);
  size_bad<<<8, 64>>>(lock, a, 4);
  twice_ok<<<8, 64>>>(lock, a);
  twice_bad<<<8, 64>>>(lock, a);
  foreign_ok<<<8, 64>>>(lock, a);
  foreign_bad<<<8, 64>>>(lock, a);
  claim_ok<<<8, 64>>>(lock, a);
  mask_ok<<<8, 32>>>(out);
  mask_bad<<<8, 32>>>(out);
  syncwarp_bad<<<8, 32>>>(out);
  void *args[] = {&a, &out};
  cudaLaunchCooperativeKernel((void *)grid_ok, dim3(8), dim3(32), args);
  grid_bad<<<8, 32>>>(a, out);
  return 0;
}

__global__ void readers_ok(int *lock, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    while (atomicCAS(lock, 0, -1) != 0) {
    }
    __threadfence();
    data[0]++;
    give(lock);
    return;
  }
  int seen;
  do {
    seen = atomicAdd(lock, 0);
  } while (seen < 0 || atomicCAS(lock, seen, seen + 1) != seen);
  __threadfence();
  out[blockIdx.x] = data[0];
  __threadfence();
  atomicSub(lock, 1);
}
