// The best of all blocks, found by an exchange that is tried until it succeeds: what is tried is what was read before,
// plainly (bad: that read races with the exchange of another block) or by an atomic operation (ok). Each block looks for its own best
// before, in shared memory, which says nothing of other blocks.
// winner: who succeeds stores where it was found; two that succeed one after the other store at the same place (bad), or each at its own (ok).
// handed: what one thread has seen, by the exchange, of a flag is handed on to its block: the exchange hangs on another word, so the block
// reads behind the flag (ok); without the wait it reads while the other block writes (bad).
// newest: a maximum says who was there before, whose data is read behind a fence (ok); with no fence before the maximum (bad).
//@ verdict best_ok: race-free
//@ verdict best_bad: racy
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict winner_ok: race-free
//@ verdict winner_bad: racy
//@ verdict handed_ok: race-free
//@ known-undecided handed_ok: that the exchange says what was seen is not followed
//@ verdict handed_bad: racy
//@ verdict newest_ok: race-free
//@ known-undecided newest_ok: which write a number comes from that was drawn by another one is not followed
//@ verdict newest_bad: racy
__device__ float best_of_block(const float *in, int n) {
  __shared__ float best[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  best[t] = i < n ? in[i] : 3e38f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half && best[t + half] < best[t]) best[t] = best[t + half];
    __syncthreads();
  }
  return best[0];
}

template <bool is_ok> __device__ void find_best(int *word, const float *in, int n) {
  float own = best_of_block(in, n);
  if (threadIdx.x == 0) {
    int old = is_ok ? atomicAdd(word, 0) : *word; // expect-race[best]
    while (own < __int_as_float(old)) {
      int tried = old;
      old = atomicCAS(word, tried, __float_as_int(own)); // expect-race[best]
      if (old == tried) break;
    }
  }
}
__global__ void best_ok(int *word, const float *in, int n) { find_best<true>(word, in, n); } // expect-clean
__global__ void best_bad(int *word, const float *in, int n) { find_best<false>(word, in, n); }

template <bool is_ok> __device__ void add_up(int *word, const float *in, int n) {
  float own = best_of_block(in, n);
  if (threadIdx.x == 0) {
    int old = is_ok ? atomicAdd(word, 0) : *word, tried; // expect-race[sum]
    do {
      tried = old;
      old = atomicCAS(word, tried, __float_as_int(own + __int_as_float(tried))); // expect-race[sum]
    } while (old != tried);
  }
}
__global__ void sum_ok(int *word, const float *in, int n) { add_up<true>(word, in, n); } // expect-clean
__global__ void sum_bad(int *word, const float *in, int n) { add_up<false>(word, in, n); }

template <bool is_ok> __device__ void store_winner(int *word, int *place, const float *in, int n) {
  float own = best_of_block(in, n);
  if (threadIdx.x == 0) {
    int old = atomicAdd(word, 0);
    while (own < __int_as_float(old)) {
      int tried = old;
      old = atomicCAS(word, tried, __float_as_int(own));
      if (old == tried) {
        place[is_ok ? blockIdx.x : 0] = blockIdx.x; // expect-race[winner]
        break;
      }
    }
  }
}
__global__ void winner_ok(int *word, int *place, const float *in, int n) { store_winner<true>(word, place, in, n); } // expect-clean
__global__ void winner_bad(int *word, int *place, const float *in, int n) { store_winner<false>(word, place, in, n); }

template <bool is_ok> __device__ void hand_on(int *flag, int *data) {
  __shared__ int state;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 1; // expect-race[handed]
    __threadfence();
    atomicExch(flag, 7);
  }
  if (blockIdx.x == 0) return;
  if (threadIdx.x == 0) state = 7;
  __syncthreads();
  if (threadIdx.x == 0) {
    int seen = atomicAdd(flag, 0);
    __threadfence();
    atomicCAS(&state, seen, 1);
  }
  __syncthreads();
  if (!is_ok || state == 1) data[blockIdx.x * blockDim.x + threadIdx.x] = *data; // expect-race[handed]
}
__global__ void handed_ok(int *flag, int *data) { hand_on<true>(flag, data); } // expect-clean
__global__ void handed_bad(int *flag, int *data) { hand_on<false>(flag, data); }

template <bool is_ok> __device__ void look_at_newest(int *newest, int *data, int *out) {
  if (threadIdx.x > 0) return;
  data[blockIdx.x] = 7; // expect-race[newest]
  if (is_ok) __threadfence();
  int now = blockIdx.x + 1, old = atomicMax(newest, now);
  if (old < now) {
    __threadfence();
    if (old > 0) out[blockIdx.x] = data[old - 1]; // expect-race[newest]
  }
}
__global__ void newest_ok(int *newest, int *data, int *out) { look_at_newest<true>(newest, data, out); } // expect-clean
__global__ void newest_bad(int *newest, int *data, int *out) { look_at_newest<false>(newest, data, out); }

int main(int argc, char **) {
  int *word, *place;
  float *in;
  int n = argc * 1000;
  cudaMalloc(&word, 4);
  cudaMalloc(&place, 1 << 24);
  cudaMalloc(&in, n * sizeof(float));
  best_ok<<<(n + 255) / 256, 256>>>(word, in, n);
  best_bad<<<(n + 255) / 256, 256>>>(word, in, n);
  sum_ok<<<(n + 255) / 256, 256>>>(word, in, n);
  sum_bad<<<(n + 255) / 256, 256>>>(word, in, n);
  cudaMemset(word, 0, sizeof *word);
  winner_ok<<<(n + 255) / 256, 256>>>(word, place, in, n);
  cudaMemset(word, 0, sizeof *word);
  winner_bad<<<(n + 255) / 256, 256>>>(word, place, in, n);
  handed_ok<<<(n + 255) / 256, 256>>>(word, place);
  handed_bad<<<(n + 255) / 256, 256>>>(word, place);
  cudaMemset(word, 0, sizeof *word);
  newest_ok<<<(n + 255) / 256, 256>>>(word, place, place + (1 << 20));
  cudaMemset(word, 0, sizeof *word);
  newest_bad<<<(n + 255) / 256, 256>>>(word, place, place + (1 << 20));
  return 0;
}
