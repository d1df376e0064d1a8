// Launches through handles: functions of a module by their names (cuLaunchKernel) and nodes of a graph. A kernel of
// another file starts nothing that is looked at here. Each twin has one thread more than there are elements.
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict node_ok: race-free
//@ verdict node_bad: racy
#include <cstdlib>
#include <cuda.h>

extern "C" __global__ void named_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
extern "C" __global__ void named_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void node_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void node_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}

static void launch(CUmodule module, const char *name, int threads, void **arguments) {
  CUfunction function;
  if (cuModuleGetFunction(&function, module, name) != CUDA_SUCCESS) exit(1);
  cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, 0, arguments, nullptr);
}

static void add_node(cudaGraph_t graph, void *kernel, int threads, void **arguments) {
  cudaKernelNodeParams node = {};
  node.func = kernel;
  node.gridDim = dim3(1);
  node.blockDim = dim3(threads, 1, 1);
  node.kernelParams = arguments;
  cudaGraphNode_t made;
  cudaGraphAddKernelNode(&made, graph, nullptr, 0, &node);
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  CUmodule module;
  CUdeviceptr a;
  cuInit(0);
  cuModuleLoad(&module, "kernels.cubin");
  cuMemAlloc(&a, n * sizeof(int));
  void *arguments[] = {&a, &n};
  launch(module, "named_ok", n, arguments);
  launch(module, "named_bad", n + 1, arguments);
  launch(module, "of_another_file", 7, arguments);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  add_node(graph, (void *)node_ok, n, arguments);
  add_node(graph, (void *)node_bad, n + 1, arguments);
  return 0;
}
