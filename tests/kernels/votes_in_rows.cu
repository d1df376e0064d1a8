// A warp for each row, in rounds that end by a vote: rows are of different lengths, and lanes of a warp go on together, over all rows.
// rows: lanes write places by rank, all read them behind a barrier of the warp (ok), volatile words (volatile_ok), no barrier before they are read (early), none behind (late), the ranks
// of the row before are used (old), the rounds end by each lane's own test (own).
// first: the first lane of the first round with a match writes for the row (ok), each match of that round (each), of all rounds (on), the round is left by a lane alone (alone).
//@ verdict rows_ok: race-free
//@ verdict rows_volatile_ok: race-free
//@ verdict rows_early_bad: racy
//@ verdict rows_late_bad: racy
//@ verdict rows_old_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_each_bad: racy
//@ verdict first_on_bad: racy
//@ verdict first_alone_bad: racy
enum Mistake { OK, EARLY, LATE, OLD, EACH, ON, ALONE };

template <class T, Mistake mistake> __device__ void rows(const int *starts, const int *cols, int *out, int n) {
  __shared__ T s[256];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  unsigned before = 0;
  for (int row = blockIdx.x * 8 + w; row < n; row += gridDim.x * 8) {
    int begin = starts[row], end = starts[row + 1], sum = 0;
    for (int it = begin + l; __any_sync(0xffffffffu, it < end); it += 32) {
      int c = it < end ? cols[it] : -1;
      bool other = it < end && c != row;
      unsigned vote = __ballot_sync(0xffffffffu, other);
      if (other)
        s[w * 32 + __popc((mistake == OLD ? before : vote) & ((1u << l) - 1))] = c; // expect-race
      before = vote;
      if (mistake != EARLY)
        __syncwarp();
      for (int k = 0; k < __popc(vote); k++)
        sum += s[w * 32 + k]; // expect-race
      if (mistake != LATE)
        __syncwarp();
    }
    if (l == 0)
      out[row] = sum;
  }
}

__global__ void rows_ok(const int *starts, const int *cols, int *out, int n) { rows<int, OK>(starts, cols, out, n); } // expect-clean
__global__ void rows_volatile_ok(const int *starts, const int *cols, int *out, int n) { rows<volatile int, OK>(starts, cols, out, n); } // expect-clean
__global__ void rows_early_bad(const int *starts, const int *cols, int *out, int n) { rows<int, EARLY>(starts, cols, out, n); }
__global__ void rows_late_bad(const int *starts, const int *cols, int *out, int n) { rows<int, LATE>(starts, cols, out, n); }
__global__ void rows_old_bad(const int *starts, const int *cols, int *out, int n) { rows<int, OLD>(starts, cols, out, n); }

template <Mistake mistake> __device__ void first(const int *starts, const int *cols, int *out, int n) {
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int row = blockIdx.x * 8 + w; row < n; row += gridDim.x * 8) {
    int end = starts[row + 1];
    for (int it = starts[row] + l; __any_sync(0xffffffffu, it < end); it += 32) {
      bool matches = it < end && cols[it] == row;
      unsigned vote = __ballot_sync(0xffffffffu, matches);
      if (vote == 0)
        continue;
      if (mistake == EACH || mistake == ALONE ? matches : l == __ffs(vote) - 1)
        out[row] = it; // expect-race
      if (mistake == ALONE ? matches : mistake != ON)
        break;
    }
  }
}

__global__ void first_ok(const int *starts, const int *cols, int *out, int n) { first<OK>(starts, cols, out, n); } // expect-clean
__global__ void first_each_bad(const int *starts, const int *cols, int *out, int n) { first<EACH>(starts, cols, out, n); }
__global__ void first_on_bad(const int *starts, const int *cols, int *out, int n) { first<ON>(starts, cols, out, n); }
__global__ void first_alone_bad(const int *starts, const int *cols, int *out, int n) { first<ALONE>(starts, cols, out, n); }

void run(const int *starts, const int *cols, int n) {
  if (n < 1)
    return;
  int *out;
  cudaMalloc(&out, n * sizeof(int));
  rows_ok<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  rows_volatile_ok<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  rows_early_bad<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  rows_late_bad<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  rows_old_bad<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  first_ok<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  first_each_bad<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  first_on_bad<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
  first_alone_bad<<<(n + 7) / 8, 256>>>(starts, cols, out, n);
}
