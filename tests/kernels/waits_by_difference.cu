// A wait may compare what it reads with another number by their difference. One block fills a ring of eight places, another one empties it; each
// waits for the other's count. The one who fills is at most eight ahead: `i - *emptied < 8` (ok), nine (more), it waits for the difference the
// other way round (turned), looks at a count that nobody waits for to grow (behind: by one too few); places are numbered by four (places).
// turns: blocks take turns, the number that is served less the block's own being zero (ok), not zero (other), and the numbers of two blocks being
// one (halves).
//@ verdict ring_ok: race-free
//@ verdict ring_more_bad: racy
//@ verdict ring_turned_bad: racy
//@ verdict ring_behind_bad: racy
//@ verdict ring_places_bad: racy
//@ verdict turns_ok: race-free
//@ verdict turns_other_bad: racy
//@ verdict turns_halves_bad: racy
enum Mistake { OK, MORE, TURNED, BEHIND, PLACES, OTHER, HALVES };

template <Mistake mistake>
__device__ void ring(volatile int *filled, volatile int *emptied, int *places, const int *in, int *out, int n) {
  const int count = mistake == PLACES ? 4 : 8;
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      if (mistake == TURNED)
        while (*emptied - i >= 8)
          ;
      else
        while (i - *emptied >= (mistake == MORE ? 9 : 8))
          ;
      __threadfence();
      places[i % count] = in[i]; // expect-race
      __threadfence();
      *filled = i + 1;
    }
  } else {
    for (int i = 0; i < n; i++) {
      while (*filled - i <= (mistake == BEHIND ? -1 : 0))
        ;
      __threadfence();
      out[i] = places[i % count]; // expect-race
      __threadfence();
      *emptied = i + 1;
    }
  }
}
__global__ void ring_ok(int *f, int *e, int *p, const int *in, int *out, int n) { ring<OK>(f, e, p, in, out, n); } // expect-clean
__global__ void ring_more_bad(int *f, int *e, int *p, const int *in, int *out, int n) { ring<MORE>(f, e, p, in, out, n); }
__global__ void ring_turned_bad(int *f, int *e, int *p, const int *in, int *out, int n) { ring<TURNED>(f, e, p, in, out, n); }
__global__ void ring_behind_bad(int *f, int *e, int *p, const int *in, int *out, int n) { ring<BEHIND>(f, e, p, in, out, n); }
__global__ void ring_places_bad(int *f, int *e, int *p, const int *in, int *out, int n) { ring<PLACES>(f, e, p, in, out, n); }

template <Mistake mistake> __device__ void turns(unsigned *served, int *sum, const int *in) {
  if (threadIdx.x != 0)
    return;
  unsigned own = mistake == HALVES ? blockIdx.x / 2 : blockIdx.x;
  if (mistake == OTHER)
    while (atomicAdd(served, 0u) - own == 0)
      ;
  else
    while (atomicAdd(served, 0u) - own != 0)
      ;
  __threadfence();
  sum[0] += in[blockIdx.x]; // expect-race
  __threadfence();
  atomicExch(served, own + 1);
}
__global__ void turns_ok(unsigned *served, int *sum, const int *in) { turns<OK>(served, sum, in); } // expect-clean
__global__ void turns_other_bad(unsigned *served, int *sum, const int *in) { turns<OTHER>(served, sum, in); }
__global__ void turns_halves_bad(unsigned *served, int *sum, const int *in) { turns<HALVES>(served, sum, in); }

int main(int count, char **words) {
  int *flags, *places, *in, *out;
  unsigned *served;
  cudaMalloc((void **)&flags, 64);
  cudaMemset(flags, 0, 64);
  cudaMalloc((void **)&places, 32);
  cudaMalloc((void **)&in, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&served, 64);
  cudaMemset(served, 0, 64);
  ring_ok<<<2, 32>>>(flags, flags + 1, places, in, out, 1000);
  ring_more_bad<<<2, 32>>>(flags + 2, flags + 3, places, in, out, 1000);
  ring_turned_bad<<<2, 32>>>(flags + 4, flags + 5, places, in, out, 1000);
  ring_behind_bad<<<2, 32>>>(flags + 6, flags + 7, places, in, out, 1000);
  ring_places_bad<<<2, 32>>>(flags + 8, flags + 9, places, in, out, 1000);
  turns_ok<<<64, 32>>>(served, out, in);
  turns_other_bad<<<64, 32>>>(served + 1, out, in);
  turns_halves_bad<<<64, 32>>>(served + 2, out, in);
}
