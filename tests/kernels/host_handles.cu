// A number in a struct, tested before the runtime writes to the struct at a place that is not known: what it puts there
// is a handle or an address, which is no place for a number of four bytes (streams_ok, buffers_ok, each_ok). In the
// twins it puts a number there (number_bad), or a handle just where the number is (upon_bad).
// Rows of `n` elements hold 64 each, so that n >= 64 keeps them apart.
//@ verdict streams_ok: race-free
//@ verdict buffers_ok: race-free
//@ verdict each_ok: race-free
//@ leans streams_ok: A9
//@ leans buffers_ok: A9
//@ verdict number_bad: racy
//@ verdict upon_bad: racy
struct Work {
  cudaStream_t streams[4][2];
  float *buffers[4];
  int n;
  int numbers[4];
};

__global__ void streams_ok(float *d, int n) { d[blockIdx.x * n + threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void buffers_ok(float *d, int n) { d[blockIdx.x * n + threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void each_ok(float *d, int n) { d[blockIdx.x * n + threadIdx.x] = blockIdx.x; }    // expect-clean
__global__ void number_bad(float *d, int n) { d[blockIdx.x * n + threadIdx.x] = blockIdx.x; } // expect-race
__global__ void upon_bad(float *d, int n) { d[blockIdx.x * n + threadIdx.x] = blockIdx.x; }   // expect-race

void one_stream(Work *work, float *d, int device, int stream) {
  if (work->n < 64) return;
  cudaStreamCreate(&work->streams[device][stream]);
  streams_ok<<<8, 64>>>(d, work->n);
}

void one_buffer(Work *work, float *d, int device) {
  if (work->n < 64) return;
  cudaMalloc(&work->buffers[device], 4096);
  buffers_ok<<<8, 64>>>(d, work->n);
}

void each_stream(Work *work, float *d) {
  if (work->n < 64) return;
  for (int device = 0; device < 4; device++)
    for (int stream = 0; stream < 2; stream++)
      cudaStreamCreateWithFlags(&work->streams[device][stream], cudaStreamNonBlocking);
  each_ok<<<8, 64>>>(d, work->n);
}

void one_number(Work *work, float *d, int device) {
  if (work->numbers[0] < 64) return;
  cudaGetDeviceCount(&work->numbers[device]);
  number_bad<<<8, 64>>>(d, work->numbers[0]);
}

void upon(Work *work, float *d) {
  if (work->n < 64) return;
  cudaStreamCreate((cudaStream_t *)&work->n);
  upon_bad<<<8, 64>>>(d, work->n);
}
