// The launch of a graph does what was put into it before: copies to host memory whose address was handed over then; and kernels
// find what is in tables of pointers when it is launched. The twins launch before the number is set, or change another table.
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict node_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: undecided
#include <cuda_runtime.h>

__global__ void copied_ok(int *a, int step) { // expect-clean
  a[threadIdx.x * step] = threadIdx.x;
}

__global__ void copied_bad(int *a, int step) {
  a[threadIdx.x * step] = threadIdx.x; // expect-race
}

__global__ void node_bad(int *a, int step) {
  a[threadIdx.x * step] = threadIdx.x; // expect-race
}

void copies(int *a, int *x, cudaStream_t stream) {
  int good = 2, bad = 2, node = 2;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(&good, x, sizeof good, cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(&bad, x, sizeof bad, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNode_t made;
  cudaGraphAddMemcpyNode1D(&made, graph, nullptr, 0, &node, x, sizeof node, cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  bad = 2;
  node = 2;
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  good = 2;
  copied_ok<<<1, 64>>>(a, good);
  copied_bad<<<1, 64>>>(a, bad);
  node_bad<<<1, 64>>>(a, node);
}

__global__ void table_ok(int **p) { // expect-clean
  int t = threadIdx.x;
  p[0][t] = t;
  p[1][t + 1] = 2 * t;
}

__global__ void table_bad(int **p) {
  int t = threadIdx.x;
  p[0][t] = t;
  p[1][t + 1] = 2 * t;
}

void tables(cudaStream_t stream) {
  int *x, *y, *h[2], **good, **bad;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaMalloc(&x, 4000);
  cudaMalloc(&y, 4000);
  cudaMalloc(&good, sizeof h);
  cudaMalloc(&bad, sizeof h);
  h[0] = x, h[1] = y;
  cudaMemcpy(good, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(bad, h, sizeof h, cudaMemcpyHostToDevice);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  table_ok<<<1, 64, 0, stream>>>(good);
  table_bad<<<1, 64, 0, stream>>>(bad);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  h[1] = x;
  cudaMemcpy(bad, h, sizeof h, cudaMemcpyHostToDevice);
  cudaGraphLaunch(exec, stream);
}

int main() {
  int *a, *x;
  cudaStream_t stream;
  cudaMalloc(&a, 4000);
  cudaMalloc(&x, 4);
  cudaStreamCreate(&stream);
  copies(a, x, stream);
  tables(stream);
  return 0;
}
