// A copy writes memory of the side that its direction names. Variables of the program and what `new` gives are the host's; what cudaMalloc gives
// is the device's; managed variables and what cudaMallocHost gives are both's. Where the copies go is not known here. to_device: the pointers
// that the launch reads stay what they are. to_anywhere: the same copy by the default direction [anywhere]. to_managed, to_pinned: to
// memory of both sides [managed] [pinned]. table: what it holds stays as it is where the copy goes to the host; else it is not known.
//@ verdict device_ok: race-free
//@ verdict anywhere_bad: racy
//@ verdict managed_bad: racy
//@ verdict pinned_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_open: undecided
#include <cuda_runtime.h>

struct Points {
  double *x;
};

__device__ void halve(Points a, double *out) {
  int i = threadIdx.x;
  if (i + 1 < 256)
    out[i] = a.x[i + 1] / 2; // expect-race[anywhere] expect-race[managed] expect-race[pinned]
}
__device__ void gather(double **rows) {
  int i = threadIdx.x;
  if (i + 1 < 256)
    rows[0][i] = rows[1][i + 1] * 2;
}
__global__ void device_ok(Points a, double *out) { halve(a, out); } // expect-clean
__global__ void anywhere_bad(Points a, double *out) { halve(a, out); }
__global__ void managed_bad(Points a, double *out) { halve(a, out); }
__global__ void pinned_bad(Points a, double *out) { halve(a, out); }
__global__ void table_ok(double **rows) { gather(rows); } // expect-clean
__global__ void table_open(double **rows) { gather(rows); }

void *volatile place;
static void *somewhere(void **at) {
  place = at;
  return place;
}
Points points, own_points, *made;
__managed__ Points shared_points;
double *out, *other_out;

void to_device(int n, const double *values) {
  void *to = somewhere((void **)&points);
  cudaMalloc(&points.x, 256 * sizeof(double));
  cudaMalloc(&out, 256 * sizeof(double));
  for (int i = 0; i < n; i++)
    cudaMemcpy(to, &out, sizeof out, cudaMemcpyHostToDevice);
  device_ok<<<1, 256>>>(points, out);
}
void to_anywhere(int n, const double *values) {
  void *to = somewhere((void **)&own_points);
  cudaMalloc(&own_points.x, 256 * sizeof(double));
  cudaMalloc(&other_out, 256 * sizeof(double));
  for (int i = 0; i < n; i++)
    cudaMemcpy(to, &other_out, sizeof other_out, cudaMemcpyDefault);
  anywhere_bad<<<1, 256>>>(own_points, other_out);
}
void to_managed() {
  void *to = somewhere((void **)&shared_points);
  cudaMalloc(&shared_points.x, 256 * sizeof(double));
  cudaMemcpy(to, &other_out, sizeof other_out, cudaMemcpyHostToDevice);
  managed_bad<<<1, 256>>>(shared_points, other_out);
}
void to_pinned() {
  cudaMallocHost(&made, sizeof *made);
  void *to = somewhere((void **)made);
  cudaMalloc(&made->x, 256 * sizeof(double));
  cudaMemcpy(to, &other_out, sizeof other_out, cudaMemcpyHostToDevice);
  pinned_bad<<<1, 256>>>(*made, other_out);
}

void table(cudaMemcpyKind kind, void (*gather)(double **)) {
  void *to = somewhere(0);
  double **rows, *made[2];
  cudaMalloc(&rows, 2 * sizeof(double *));
  cudaMalloc(&made[0], 256 * sizeof(double));
  cudaMalloc(&made[1], 256 * sizeof(double));
  cudaMemcpy(rows, made, sizeof made, cudaMemcpyHostToDevice);
  cudaMemcpy(to, rows, sizeof(double *), kind);
  gather<<<1, 256>>>(rows);
}

int main(int argc, char **argv) {
  to_device(argc, 0);
  to_anywhere(argc, 0);
  to_managed();
  to_pinned();
  table(cudaMemcpyDeviceToHost, table_ok);
  table(cudaMemcpyDeviceToDevice, table_open);
}
