// A kernel whose last block sets the ticket back for the next launch, launched in a loop of the host: the ticket of the first round is what
// stood there before the loop. It is cleared (cleared), or holds one, so that the last but one block takes itself for the last [one]; the
// loop is around a function that launches (within [within]), around another loop (inner [inner]), clears the ticket at its end (late
// [late]), or at its start (each).
//@ verdict cleared_ok: race-free
//@ rule cleared_ok: single-thread last-arrival
//@ verdict each_ok: race-free
//@ verdict within_ok: race-free
//@ verdict inner_ok: race-free
//@ verdict one_bad: racy
//@ verdict late_bad: racy
//@ verdict within_bad: racy
//@ verdict inner_bad: racy
__device__ void add_up(const float *in, int *ticket, volatile float *part, float *out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x]; // expect-race
    __threadfence();
    is_last = atomicAdd(ticket, 1) == gridDim.x - 1; // expect-race
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; i++)
      sum += part[i]; // expect-race
    *out = sum;
    *ticket = 0; // expect-race
  }
}

__global__ void cleared_ok(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); } // expect-clean
__global__ void each_ok(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); } // expect-clean
__global__ void within_ok(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); } // expect-clean
__global__ void inner_ok(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); } // expect-clean
__global__ void one_bad(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); }
__global__ void late_bad(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); }
__global__ void within_bad(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); }
__global__ void inner_bad(const float *in, int *ticket, float *part, float *out) { add_up(in, ticket, part, out); }

static int *made(int value) {
  int *ticket;
  cudaMalloc(&ticket, sizeof(int));
  cudaMemcpy(ticket, &value, sizeof(int), cudaMemcpyHostToDevice);
  return ticket;
}
static void start_ok(const float *in, int *ticket, float *part, float *out) {
  within_ok<<<4, 32>>>(in, ticket, part, out);
}
static void start_bad(const float *in, int *ticket, float *part, float *out) {
  within_bad<<<4, 32>>>(in, ticket, part, out);
}

int main(int argc, char **argv) {
  float *in, *part, *out;
  cudaMalloc(&in, 4 * sizeof(float));
  cudaMalloc(&part, 4 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  int *cleared = made(0), *each = made(1), *within = made(0), *inner = made(0);
  for (int i = 0; i < argc; i++) {
    cleared_ok<<<4, 32>>>(in, cleared, part, out);
    cudaMemset(each, 0, sizeof(int));
    each_ok<<<4, 32>>>(in, each, part, out);
    start_ok(in, within, part, out);
    for (int k = 0; k < i; k++)
      inner_ok<<<4, 32>>>(in, inner, part, out);
  }
  int *one = made(1), *late = made(1), *within1 = made(1), *inner1 = made(1);
  for (int i = 0; i < argc; i++) {
    one_bad<<<4, 32>>>(in, one, part, out);
    late_bad<<<4, 32>>>(in, late, part, out);
    cudaMemset(late, 0, sizeof(int));
    start_bad(in, within1, part, out);
    for (int k = 0; k < i; k++)
      inner_bad<<<4, 32>>>(in, inner1, part, out);
  }
}
