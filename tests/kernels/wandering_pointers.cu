// A pointer that goes on by another amount in each round may be anywhere in the array that it goes back to, and in no other.
//   sums: rows are summed through a parameter that is moved on; the results go to another array. In the twin they go to the same one,
//     where later rows are still to be read.
//   chosen: the same with a pointer that is moved on only now and then, by an amount that is read.
//   two: the pointer may come from either of two arrays, one of which is written.
//@ verdict sums_ok: race-free
//@ verdict sums_bad: racy
//@ known-undecided sums_bad: how the pointer moves is not followed
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ known-undecided chosen_bad: how the pointer moves is not followed
//@ verdict two_bad: racy
//@ known-undecided two_bad: which array the pointer is in is not followed
static __device__ void sums(const float *x, float *sum, int rows, int length) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
    x += i * length;
    float s = 0;
    for (int k = length - 1; k >= 0; k--)
      s += x[k];
    sum[i] = s;
  }
}
__global__ void sums_ok(const float *x, float *sum, int rows, int length) { sums(x, sum, rows, length); } // expect-clean
__global__ void sums_bad(float *x, int rows, int length) { sums(x, x, rows, length); }

static __device__ void chosen(const float *x, float *out, const int *skip, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (*x > 2)
      x += skip[k];
    else if (*x < -2)
      x -= skip[k + 1];
  }
  out[t] = *x;
}
__global__ void chosen_ok(const float *x, float *out, const int *skip, int n) { chosen(x, out, skip, n); } // expect-clean
__global__ void chosen_bad(float *x, const int *skip, int n) { chosen(x, x, skip, n); }

__global__ void two_bad(const float *x, float *y, const int *skip, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *at = skip[0] > 0 ? x : y;
  for (int k = 0; k < n; k++)
    at += skip[k];
  y[t] = *at;
}
