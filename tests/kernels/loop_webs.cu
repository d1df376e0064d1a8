// Variables of a loop that have no closed form, but only hand on what comes from elsewhere. The index of the largest weight
// is n - 1 or some k < n - 1, so it stays in the thread's own row (best_ok); with a loop up to k <= n it can lie in the next
// one (best_bad). The top of a stack that is interleaved between 64 threads moves by multiples of 64, so threads below 64
// never meet (stack_ok); thread 64 shares the column of thread 0 (stack_bad). The last even number below the bound is
// below the bound (even_ok), the last even number plus two need not be (even_bad).
// What is kept or thrown away by tests that nobody can use still lies at multiples of the grid's size above the thread's number
// (keep_ok); at multiples of less it does not (keep_bad).
//@ verdict keep_ok: race-free
//@ verdict keep_bad: racy
//@ verdict best_ok: race-free
//@ verdict best_bad: racy
//@ verdict stack_ok: race-free
//@ verdict stack_bad: racy
//@ verdict even_ok: race-free
//@ verdict even_bad: racy
__global__ void best_ok(const float *w, int *out, int n) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int best = n - 1;
  float most = w[n - 1];
  for (int k = 0; k < n - 1; k++)
    if (w[t * n + k] > most) {
      best = k;
      most = w[t * n + k];
    }
  if (n > 0)
    out[t * n + best] += 1;
}

__global__ void best_bad(const float *w, int *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int best = n - 1;
  float most = w[n - 1];
  for (int k = 0; k <= n; k++)
    if (w[t * n + k] > most) {
      best = k;
      most = w[t * n + k];
    }
  if (n > 0)
    out[t * n + best] += 1; // expect-race[best]
}

static __device__ void walk(float *stack, const float *in, int t) {
  int top = t;
  stack[top] = in[t]; // expect-race[stack]
  top += 64;
  while (top >= 64) {
    top -= 64;
    float v = stack[top]; // expect-race[stack]
    if (v > 0.5f) {
      stack[top] = v / 2; // expect-race[stack]
      top += 64;
      stack[top] = v / 4; // expect-race[stack]
      top += 64;
    }
  }
}

__global__ void stack_ok(float *stack, const float *in) { // expect-clean
  if (threadIdx.x < 64 && blockIdx.x == 0)
    walk(stack, in, threadIdx.x);
}

__global__ void stack_bad(float *stack, const float *in) {
  if (threadIdx.x < 65 && blockIdx.x == 0)
    walk(stack, in, threadIdx.x);
}

__global__ void even_ok(const int *in, int *out, int n) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x, last = 0;
  for (int i = 0; i < n; i += 2)
    if (in[i] == t)
      last = i;
  if (n > 0)
    out[t * n + last] = t;
}

__global__ void even_bad(const int *in, int *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, last = 0;
  for (int i = 0; i < n; i += 2)
    if (in[i] == t)
      last = i + 2;
  if (n > 0)
    out[t * n + last] = t; // expect-race[even]
}

template <int STEP> static __device__ void keep(float *kept, const float *in) {
  int t = blockIdx.x * 64 + threadIdx.x, top = t;
  if (threadIdx.x >= 64 || blockIdx.x >= 1024) return;
  for (int k = 0; k < 20; k++) {
    float v = in[t + k];
    if ((v > 0 && v < 5) || (v > 10 && in[k] < 3)) {
      kept[top] = v; // expect-race[keep]
      top += STEP;
    } else if (v < -7 && in[k + 1] > 4) {
      top -= STEP;
    }
    if (in[k + 3] * v > 3) {
      kept[top] = v; // expect-race[keep]
      top += STEP;
    }
  }
}

__global__ void keep_ok(float *kept, const float *in) { keep<65536>(kept, in); } // expect-clean
__global__ void keep_bad(float *kept, const float *in) { keep<64>(kept, in); }
