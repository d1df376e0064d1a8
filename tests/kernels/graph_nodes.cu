// Launches that are put into graphs: made later than the call that says so, as often as the graph is launched, and with
// what was set last. set: the arguments of a node are set anew, to others with which each thread has an element of its own
// (ok), to a stride of zero (bad). added: a node of any kind that is a kernel (ok, bad). filled: a table is filled again between the node and the launch of the
// graph (bad). again: a flag that is left up, while the graph may be launched twice (bad); once: the same kernel, launched once
// without a graph (ok).
//@ verdict set_ok: race-free
//@ verdict set_bad: racy
//@ verdict added_ok: race-free
//@ verdict added_bad: racy
//@ verdict filled_bad: racy
//@ verdict again_bad: racy
//@ verdict once_ok: race-free
#include <cuda_runtime.h>

__global__ void set_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean
__global__ void set_bad(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-race
__global__ void added_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean
__global__ void added_bad(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-race
__global__ void filled_bad(int *out, const int *place) { out[place[threadIdx.x]] = threadIdx.x; } // expect-race

__device__ int flag, box, flag_once, box_once;
__global__ void again_bad(int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    box = 5; // expect-race {{cause=not-reset}}
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = box; // expect-race
  }
}

__global__ void once_ok(int *out) { // expect-clean
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    box_once = 5;
    __threadfence();
    atomicExch(&flag_once, 1);
  } else {
    while (atomicAdd(&flag_once, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = box_once;
  }
}

static cudaKernelNodeParams node_of(const void *kernel, int blocks, void **args) {
  cudaKernelNodeParams node = {};
  node.func = (void *)kernel;
  node.gridDim = dim3(blocks);
  node.blockDim = dim3(64);
  node.kernelParams = args;
  return node;
}

static cudaGraphNodeParams any_node_of(const void *kernel, void **args) {
  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeKernel;
  node.kernel.func = (void *)kernel;
  node.kernel.gridDim.x = node.kernel.gridDim.y = node.kernel.gridDim.z = 1;
  node.kernel.blockDim.x = 64;
  node.kernel.blockDim.y = node.kernel.blockDim.z = 1;
  node.kernel.kernelParams = args;
  return node;
}

int main() {
  int *out, *place, one = 1, two = 2, none = 0, host[64], zeros[64] = {};
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&place, sizeof host);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  void *with_one[] = {&out, &one}, *with_two[] = {&out, &two}, *with_none[] = {&out, &none};

  cudaKernelNodeParams params = node_of((const void *)set_ok, 1, with_one);
  cudaGraphAddKernelNode(&node, graph, 0, 0, &params);
  params.kernelParams = with_two;
  cudaGraphKernelNodeSetParams(node, &params);
  cudaKernelNodeParams others = node_of((const void *)set_bad, 1, with_one);
  cudaGraphAddKernelNode(&node, graph, 0, 0, &others);
  cudaGraphInstantiate(&exec, graph, 0, 0, 0);
  others.kernelParams = with_none;
  cudaGraphExecKernelNodeSetParams(exec, node, &others);
  cudaGraphLaunch(exec, 0);

  cudaGraphNodeParams any = any_node_of((const void *)added_ok, with_one);
  cudaGraphAddNode(&node, graph, 0, 0, &any);
  cudaGraphNodeParams bad = any_node_of((const void *)added_bad, with_none);
  cudaGraphAddNode(&node, graph, 0, 0, &bad);

  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMemcpy(place, host, sizeof host, cudaMemcpyHostToDevice);
  void *with_place[] = {&out, &place};
  cudaKernelNodeParams filled = node_of((const void *)filled_bad, 1, with_place);
  cudaGraphAddKernelNode(&node, graph, 0, 0, &filled);
  cudaMemcpy(place, zeros, sizeof zeros, cudaMemcpyHostToDevice);

  void *with_out[] = {&out};
  cudaKernelNodeParams again = node_of((const void *)again_bad, 2, with_out);
  cudaGraphAddKernelNode(&node, graph, 0, 0, &again);
  cudaGraphInstantiate(&exec, graph, 0, 0, 0);
  cudaGraphLaunch(exec, 0);
  cudaGraphLaunch(exec, 0);
  once_ok<<<2, 64>>>(out);
}
