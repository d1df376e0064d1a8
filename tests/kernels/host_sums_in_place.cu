// Rows that the host makes in place of their lengths: each length is taken out, and what is summed up so far is put there. Each `_bad`
// twin differs by one thing.
//   drawn: the lengths are drawn; in the twin they may be -1.
//   counted: the lengths are counts; the twin counts down.
//   vector: likewise in a vector, where what the loop leaves is put behind the last row; in the twin, behind half of them.
//   behind: lengths in another array, the end of the last row behind the loop; the twin does not sum up.
//   part: all but the last are summed up, and the kernel looks at those only; the twin sums up half of them.
//   old: the lengths are all set to 0 behind where one was taken out, which may be -1 in the twin.
//   early: the loop is left where the rows get too long, and the kernel looks at those before that; the twin's looks at all.
//   from: the sum begins with a number that is not negative; the twin's may be -3, and lengths are what lies two places before.
//@ verdict drawn_ok: race-free
//@ verdict drawn_bad: racy
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
//@ verdict vector_ok: race-free
//@ verdict vector_bad: racy
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
//@ verdict old_ok: race-free
//@ verdict old_bad: racy
//@ verdict early_ok: race-free
//@ verdict early_bad: racy
//@ verdict from_ok: race-free
//@ verdict from_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ void rows(const int *first, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first[i]; k < first[i + 1]; k++)
      out[k] = i; // expect-race
}
__global__ void drawn_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void drawn_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void counted_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void counted_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void vector_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void vector_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void behind_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void behind_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void part_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void part_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void old_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void old_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void early_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void early_bad(const int *first, int *out, int n) { rows(first, out, n); }
__global__ void from_ok(const int *first, int *out, int n) { rows(first, out, n); } // expect-clean
__global__ void from_bad(const int *first, int *out, int n) { rows(first, out, n); }

static int *on_device(const int *list, int n) {
  int *there = nullptr;
  cudaMalloc(&there, n * sizeof(int));
  cudaMemcpy(there, list, n * sizeof(int), cudaMemcpyHostToDevice);
  return there;
}
static int *numbers(int n) { return (int *)malloc(n * sizeof(int)); }
static int *zeros(int n) { return (int *)calloc(n, sizeof(int)); }
static void sum_up(int *row, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    int length = row[i];
    row[i] = sum;
    sum += length;
  }
}
#define LAUNCH(kernel, list, n) kernel<<<((n) + 255) / 256, 256>>>(on_device(list, (n) + 1), out, n)

template <int LEAST> int *drawn(int n) {
  int *row = numbers(n + 1);
  for (int i = 0; i <= n; i++)
    row[i] = rand() % 9 + LEAST;
  sum_up(row, n + 1);
  return row;
}

template <int STEP> int *counted(int n) {
  int *row = zeros(n + 1);
  for (int i = 0; i < 10 * n; i++)
    row[rand() % n] += STEP;
  sum_up(row, n + 1);
  return row;
}

template <bool IS_HALF> std::vector<int> in_vector(int n) {
  std::vector<int> row(n + 1);
  int sum = 0;
  for (int i = 0; i < 10 * n; i++)
    row[rand() % n]++;
  for (int i = 0; i < n; i++) {
    int length = row[i];
    row[i] = sum;
    sum += length;
  }
  row[IS_HALF ? n / 2 : n] = sum;
  return row;
}

template <bool IS_SUM> std::vector<int> ended(int n) {
  std::vector<int> length(n), row(n + 1);
  for (int i = 0; i < n; i++)
    length[i] = rand() % 9;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    row[i] = sum;
    sum = IS_SUM ? sum + length[i] : length[i];
  }
  row[n] = sum;
  return row;
}

template <int DIVISOR> int *part(int n) {
  int *row = numbers(n + 1);
  for (int i = 0; i <= n; i++)
    row[i] = rand() % 9;
  sum_up(row, n / DIVISOR);
  return row;
}

template <int LEAST> int *old(int n, int k) {
  int *row = zeros(n + 1), *other = numbers(n);
  for (int i = 0; i < n; i++)
    other[i] = rand() % 9 + LEAST;
  int length = other[k];
  for (int i = 0; i < n; i++)
    other[i] = 0;
  for (int i = 0; i < n; i++)
    row[i + 1] = row[i] + length + other[i];
  return row;
}

static int *early(int n, int most, int *made) {
  int *row = numbers(n + 1), sum = 0, i = 0;
  for (int k = 0; k <= n; k++)
    row[k] = rand() % 9;
  for (; i <= n; i++) {
    if (sum > most) break;
    int length = row[i];
    row[i] = sum;
    sum += length;
  }
  *made = i;
  return row;
}

template <int LEAST> int *from(int n) {
  int *row = zeros(n + 1), sum = rand() % 9 + LEAST;
  for (int i = 0; i <= n; i++) {
    row[i] = sum;
    if (i > 1) sum += row[i - 2];
  }
  return row;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), *out = nullptr, made = 0;
  cudaMalloc(&out, (size_t)n * 1000 * sizeof(int));
  if (argc == 2) {
    LAUNCH(drawn_ok, drawn<0>(n), n);
    LAUNCH(drawn_bad, drawn<-1>(n), n);
    LAUNCH(counted_ok, counted<1>(n), n);
    LAUNCH(counted_bad, counted<-1>(n), n);
  }
  if (argc == 3) {
    std::vector<int> good = in_vector<false>(n), bad = in_vector<true>(n);
    LAUNCH(vector_ok, good.data(), n);
    LAUNCH(vector_bad, bad.data(), n);
  }
  if (argc == 4) {
    std::vector<int> good = ended<true>(n), bad = ended<false>(n);
    LAUNCH(behind_ok, good.data(), n);
    LAUNCH(behind_bad, bad.data(), n);
  }
  if (argc == 5) {
    LAUNCH(part_ok, part<1>(n), n - 1);
    LAUNCH(part_bad, part<2>(n), n - 1);
    LAUNCH(old_ok, old<0>(n, atoi(argv[2])), n);
    LAUNCH(old_bad, old<-1>(n, atoi(argv[2])), n);
  }
  if (argc == 6) {
    int *good = early(n, atoi(argv[2]), &made);
    LAUNCH(early_ok, good, made - 1);
    int *bad = early(n, atoi(argv[2]), &made);
    LAUNCH(early_bad, bad, n);
    LAUNCH(from_ok, from<0>(n), n);
    LAUNCH(from_bad, from<-3>(n), n);
  }
  return 0;
}
