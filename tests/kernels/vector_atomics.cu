// Vectors of floats are added to part by part, each part atomically: any number of threads may add to one (ok). What
// else writes a part of it is no part of that (bad).
//@ verdict sums_ok: race-free
//@ verdict sums_bad: racy
//   A function of that name that the program has itself is the program's: this one adds without an atomic operation.
//@ verdict own_bad: racy

__device__ void atomicAdd(double2 *place, double2 v) {
  place->x += v.x; // expect-race
  place->y += v.y; // expect-race
}

__global__ void sums_ok(const float2 *in, float2 *sum, float4 *more) { // expect-clean
  float2 v = in[blockIdx.x * blockDim.x + threadIdx.x], before = atomicAdd(sum, v);
  atomicAdd(more + 1, make_float4(v.x, v.y, before.x, 1));
}

__global__ void sums_bad(const float2 *in, float2 *sum) {
  float2 v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(sum, v); // expect-race[reset]
  if (blockIdx.x == 1 && threadIdx.x == 0) sum->y = 0; // expect-race[reset]
}

__global__ void own_bad(double2 *sum) { atomicAdd(sum, make_double2(1, 2)); }

int main() {
  float2 *in, *sum;
  float4 *more;
  double2 *other;
  cudaMalloc((void **)&in, 4 * 64 * sizeof(float2));
  cudaMalloc((void **)&sum, sizeof(float2));
  cudaMalloc((void **)&more, 2 * sizeof(float4));
  cudaMalloc((void **)&other, sizeof(double2));
  sums_ok<<<4, 64>>>(in, sum, more);
  sums_bad<<<4, 64>>>(in, sum);
  own_bad<<<4, 64>>>(other);
}
