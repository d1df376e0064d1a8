// Flags that a graph sets before the launch, or whose launch is part of a graph. One block stores and raises the flag, the other one waits for
// it, and sets it back.
// fill_node, copy_node, captured: a node of a graph, or a fill that was captured, sets the flag to one, and the graph is launched in front of
// the kernel (bad); the flag is cleared behind that (ok).
// node, part: the launch itself is part of a graph; the host has set the flag to one (bad), or to zero (ok).
//@ verdict fill_node_ok: race-free
//@ verdict fill_node_bad: racy
//@ verdict copy_node_ok: race-free
//@ verdict copy_node_bad: racy
//@ verdict captured_ok: race-free
//@ verdict captured_bad: racy
//@ verdict node_ok: race-free
//@ verdict node_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
#include <cuda_runtime.h>

__device__ void pass_on(int *data, int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[any]
    __threadfence();
    atomicExch(flag, 77);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race[any]
    atomicExch(flag, 0);
  }
}

__global__ void fill_node_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void fill_node_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void copy_node_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void copy_node_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void captured_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void captured_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void node_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void node_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void part_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void part_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }

int *made(int byte) {
  int *flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, byte, 4);
  return flag;
}

void run(cudaGraph_t graph) {
  cudaGraphExec_t made;
  cudaGraphInstantiate(&made, graph, 0);
  cudaGraphLaunch(made, 0);
  cudaDeviceSynchronize();
}

void with_fill(int *flag) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaMemsetParams params = {};
  params.dst = flag, params.value = 1, params.elementSize = 4, params.width = 1, params.height = 1;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemsetNode(&node, graph, 0, 0, &params);
  run(graph);
}

void with_copy(int *flag, int *from) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemcpyNode1D(&node, graph, 0, 0, flag, from, 4, cudaMemcpyDeviceToDevice);
  run(graph);
}

void with_capture(int *flag) {
  cudaGraph_t graph;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(flag, 1, 4, stream);
  cudaStreamEndCapture(stream, &graph);
  run(graph);
}

void set_by_graphs(int *data, int *out) {
  int *filled[2] = {made(0), made(0)}, *copied[2] = {made(0), made(0)}, *captured[2] = {made(0), made(0)};
  int *ones = made(1);
  with_fill(filled[0]);
  cudaMemset(filled[0], 0, 4);
  fill_node_ok<<<2, 32>>>(data, filled[0], out);
  with_fill(filled[1]);
  fill_node_bad<<<2, 32>>>(data, filled[1], out);
  with_copy(copied[0], ones);
  cudaMemset(copied[0], 0, 4);
  copy_node_ok<<<2, 32>>>(data, copied[0], out);
  with_copy(copied[1], ones);
  copy_node_bad<<<2, 32>>>(data, copied[1], out);
  with_capture(captured[0]);
  cudaMemset(captured[0], 0, 4);
  captured_ok<<<2, 32>>>(data, captured[0], out);
  with_capture(captured[1]);
  captured_bad<<<2, 32>>>(data, captured[1], out);
}

cudaKernelNodeParams shaped(const void *kernel, void **arguments) {
  cudaKernelNodeParams params = {};
  params.func = (void *)kernel;
  params.gridDim = dim3(2);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  return params;
}

void launched_by_graphs(int *data, int *out) {
  int *node[2] = {made(0), made(1)}, *part[2] = {made(0), made(1)};
  cudaGraph_t graph, captured;
  cudaGraphNode_t first, second;
  cudaStream_t stream;
  void *arguments[2][3] = {{&data, &node[0], &out}, {&data, &node[1], &out}};
  cudaKernelNodeParams ok = shaped((const void *)node_ok, arguments[0]);
  cudaKernelNodeParams bad = shaped((const void *)node_bad, arguments[1]);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&first, graph, 0, 0, &ok);
  cudaGraphAddKernelNode(&second, graph, &first, 1, &bad);
  run(graph);
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  part_ok<<<2, 32, 0, stream>>>(data, part[0], out);
  part_bad<<<2, 32, 0, stream>>>(data, part[1], out);
  cudaStreamEndCapture(stream, &captured);
  run(captured);
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 64);
  cudaMalloc(&out, 64);
  set_by_graphs(data, out);
  launched_by_graphs(data, out);
  return cudaDeviceSynchronize();
}
