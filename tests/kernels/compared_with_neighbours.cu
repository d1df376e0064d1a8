// Who of several threads writes is said by comparing what each has with what others have: at most one of them is less than the other.
// pair: the two lanes of a pair exchange their numbers, the smaller one writes (ok), also of floating-point numbers (float_ok), both if they are equal (equal), each compares with
// a lane of another pair (other), the exchange leaves out who is read (mask).
// turned: which of the two is asked whether it is greater hangs on the lane (ok), both are asked the same (same).
// peak: a lane whose two neighbours have less writes for itself and the next one (ok), neighbours of as much count as less (flat), only one is asked (slope).
// shared: the same by an array of the block (pair_ok, pair_bad), without the barrier (early), floats (float_ok), what is compared was stored by the other one before the
// last barrier (ok) and after it (late).
// nan: one writes if it is not less, the other one if that is less (ok), if that is not at least as much (bad).
// chain: x < y < z of three lanes, one of which is least (ok), one of which is not greatest (bad).
//@ verdict pair_ok: race-free
//@ verdict pair_float_ok: race-free
//@ verdict pair_double_ok: race-free
//@ verdict pair_equal_bad: racy
//@ verdict pair_float_equal_bad: racy
//@ verdict pair_other_bad: racy
//@ verdict turned_ok: race-free
//@ verdict turned_same_bad: racy
//@ verdict peak_ok: race-free
//@ verdict peak_flat_bad: racy
//@ verdict peak_slope_bad: racy
//@ verdict shared_ok: race-free
//@ verdict shared_float_ok: race-free
//@ verdict shared_equal_bad: racy
//@ verdict shared_early_bad: racy
//@ verdict chain_ok: race-free
//@ verdict chain_bad: racy
//@ verdict nan_ok: race-free
//@ verdict nan_bad: racy
enum Mistake { OK, EQUAL, OTHER, SAME, FLAT, SLOPE, EARLY };

template <class T, Mistake mistake> __device__ void pair(const T *in, T *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T own = in[i], other = __shfl_xor_sync(0xffffffffu, own, mistake == OTHER ? 2 : 1);
  if (mistake == EQUAL ? own <= other : own < other)
    out[i / 2] = i; // expect-race
}

__global__ void pair_ok(const int *in, int *out) { pair<int, OK>(in, out); } // expect-clean
__global__ void pair_float_ok(const float *in, float *out) { pair<float, OK>(in, out); } // expect-clean
__global__ void pair_double_ok(const double *in, double *out) { pair<double, OK>(in, out); } // expect-clean
__global__ void pair_equal_bad(const int *in, int *out) { pair<int, EQUAL>(in, out); }
__global__ void pair_float_equal_bad(const float *in, float *out) { pair<float, EQUAL>(in, out); }
__global__ void pair_other_bad(const int *in, int *out) { pair<int, OTHER>(in, out); }

template <Mistake mistake> __device__ void turned(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, is_odd = threadIdx.x & 1;
  int own = in[i], other = __shfl_xor_sync(0xffffffffu, own, 1);
  bool is_greater = is_odd && mistake != SAME ? other > own : own > other;
  if (is_greater == is_odd)
    out[i / 2] = i; // expect-race
}

__global__ void turned_ok(const int *in, int *out) { turned<OK>(in, out); } // expect-clean
__global__ void turned_same_bad(const int *in, int *out) { turned<SAME>(in, out); }

template <Mistake mistake> __device__ void peak(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int own = in[i], left = __shfl_up_sync(0xffffffffu, own, 1), right = __shfl_down_sync(0xffffffffu, own, 1);
  bool is_peak = mistake == FLAT ? left <= own && right <= own : mistake == SLOPE ? left < own : left < own && right < own;
  if (lane > 0 && lane < 31 && is_peak) {
    out[i] = i; // expect-race
    out[i + 1] = i; // expect-race
  }
}

__global__ void peak_ok(const int *in, int *out) { peak<OK>(in, out); } // expect-clean
__global__ void peak_flat_bad(const int *in, int *out) { peak<FLAT>(in, out); }
__global__ void peak_slope_bad(const int *in, int *out) { peak<SLOPE>(in, out); }

template <class T, Mistake mistake> __device__ void shared(const T *in, int *out) {
  __shared__ T s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t]; // expect-race
  if (mistake != EARLY)
    __syncthreads();
  if (mistake == EQUAL ? s[t] <= s[t ^ 1] : s[t] < s[t ^ 1]) // expect-race
    out[blockIdx.x * 128 + t / 2] = t; // expect-race
}

__global__ void shared_ok(const int *in, int *out) { shared<int, OK>(in, out); } // expect-clean
__global__ void shared_float_ok(const float *in, int *out) { shared<float, OK>(in, out); } // expect-clean
__global__ void shared_equal_bad(const int *in, int *out) { shared<int, EQUAL>(in, out); }
__global__ void shared_early_bad(const int *in, int *out) { shared<int, EARLY>(in, out); }

template <bool is_least> __device__ void chain(const float *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = lane & ~3;
  float own = in[i], x = __shfl_sync(0xffffffffu, own, first), y = __shfl_sync(0xffffffffu, own, first + 1),
        z = __shfl_sync(0xffffffffu, own, first + 2);
  bool first_is = is_least ? x < y && y < z : x < y || x < z;
  bool last_is = is_least ? z < x : z < y || z < x;
  if (lane % 4 == 0 && first_is)
    out[i / 4] = 0; // expect-race
  if (lane % 4 == 2 && last_is)
    out[i / 4] = 2; // expect-race
}

__global__ void chain_ok(const float *in, int *out) { chain<true>(in, out); } // expect-clean
__global__ void chain_bad(const float *in, int *out) { chain<false>(in, out); }

// What is no number is neither less nor not less: both write then, and only then.
template <bool asks_again> __device__ void nan(const float *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = in[i], other = __shfl_xor_sync(0xffffffffu, own, 1);
  bool is_first = threadIdx.x % 2 == 0;
  if (is_first ? !(own < other) : asks_again ? other < own : !(other >= own))
    out[i / 2] = i; // expect-race
}

__global__ void nan_ok(const float *in, int *out) { nan<true>(in, out); } // expect-clean
__global__ void nan_bad(const float *in, int *out) { nan<false>(in, out); }

int main(int argc, char **argv) {
  int blocks = argc, n = blocks * 256, *i, *o;
  float *f, *fo;
  double *d, *od;
  cudaMalloc(&i, n * sizeof(int));
  cudaMalloc(&o, (n + 1) * sizeof(int));
  cudaMalloc(&f, n * sizeof(float));
  cudaMalloc(&fo, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(double));
  cudaMalloc(&od, n * sizeof(double));
  cudaMemcpy(i, argv[1], n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(f, argv[2], n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, argv[3], n * sizeof(double), cudaMemcpyHostToDevice);
  pair_ok<<<blocks, 256>>>(i, o);
  pair_float_ok<<<blocks, 256>>>(f, fo);
  pair_double_ok<<<blocks, 256>>>(d, od);
  pair_equal_bad<<<blocks, 256>>>(i, o);
  pair_float_equal_bad<<<blocks, 256>>>(f, fo);
  pair_other_bad<<<blocks, 256>>>(i, o);
  turned_ok<<<blocks, 256>>>(i, o);
  turned_same_bad<<<blocks, 256>>>(i, o);
  peak_ok<<<blocks, 256>>>(i, o);
  peak_flat_bad<<<blocks, 256>>>(i, o);
  peak_slope_bad<<<blocks, 256>>>(i, o);
  shared_ok<<<blocks, 256>>>(i, o);
  shared_float_ok<<<blocks, 256>>>(f, o);
  shared_equal_bad<<<blocks, 256>>>(i, o);
  shared_early_bad<<<blocks, 256>>>(i, o);
  chain_ok<<<blocks, 256>>>(f, o);
  chain_bad<<<blocks, 256>>>(f, o);
  nan_ok<<<blocks, 256>>>(f, o);
  nan_bad<<<blocks, 256>>>(f, o);
}
