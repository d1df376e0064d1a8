// What a function returns by value lies in memory that its caller has set apart: no parameter leads there. What is given
// by reference may be what another reference leads to.
//@ verdict rows: race-free
//@ verdict rows_given: racy
struct Matrix {
  float *data;
  long rows, columns; // too large for registers
};

static Matrix make(long rows, long columns) {
  Matrix made;
  float *memory;
  cudaMalloc(&memory, sizeof(float) * rows * columns);
  made.data = memory;
  made.rows = rows, made.columns = columns;
  return made;
}

__global__ void rows(const float *x, float *out, int n) { // expect-clean
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = x[i];
}

__global__ void rows_given(const float *x, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = x[i]; // expect-race[given]
}

Matrix repeated(const Matrix &x, int times) {
  Matrix out = make(times, x.columns);
  rows<<<times, 128>>>(x.data, out.data, x.columns);
  return out;
}

void repeated_to(const Matrix &x, int times, Matrix &out) {
  out = make(times, x.columns);
  rows_given<<<times, 128>>>(x.data, out.data, x.columns);
}
