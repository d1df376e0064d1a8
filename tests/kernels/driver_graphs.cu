// Kernels that the driver's interface launches: by a configuration (config), as nodes of graphs whose arguments are set anew (node, again), as nodes of any kind
// (any). With a stride each thread has an element of its own (ok), without one it has not (bad).
//@ verdict config_ok: race-free
//@ verdict config_bad: racy
//@ verdict node_ok: race-free
//@ verdict node_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict any_ok: race-free
//@ verdict any_bad: racy
#include <cuda.h>
#include <cuda_runtime.h>
extern "C" __global__ void config_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean
extern "C" __global__ void config_bad(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-race
extern "C" __global__ void node_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean
extern "C" __global__ void node_bad(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-race
extern "C" __global__ void again_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean
extern "C" __global__ void again_bad(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-race
extern "C" __global__ void any_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean
extern "C" __global__ void any_bad(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-race

static CUmodule module;
static CUgraph graph;
static CUgraphNode node;

static CUfunction function(const char *name) {
  CUfunction found;
  cuModuleGetFunction(&found, module, name);
  return found;
}

static CUDA_KERNEL_NODE_PARAMS params_of(CUfunction kernel, void **args) {
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = kernel;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = 64;
  params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = args;
  return params;
}

static void add(CUfunction kernel, void **first, void **then) {
  CUDA_KERNEL_NODE_PARAMS params = params_of(kernel, first);
  cuGraphAddKernelNode(&node, graph, 0, 0, &params);
  params.kernelParams = then;
  cuGraphKernelNodeSetParams(node, &params);
}

static void add_any(CUfunction kernel, void **args) {
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  params.kernel = params_of(kernel, args);
  cuGraphAddNode(&node, graph, 0, 0, &params);
}

static void launch(CUfunction kernel, void **args) {
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 64;
  config.blockDimY = config.blockDimZ = 1;
  cuLaunchKernelEx(&config, kernel, args, 0);
}

int main() {
  CUdeviceptr out;
  int one = 1, two = 2, none = 0;
  cuInit(0);
  cuMemAlloc(&out, 4096);
  cuModuleLoad(&module, "module.cubin");
  cuGraphCreate(&graph, 0);
  void *with_one[] = {&out, &one}, *with_two[] = {&out, &two}, *with_none[] = {&out, &none};
  launch(function("config_ok"), with_one);
  launch(function("config_bad"), with_none);
  add(function("node_ok"), with_one, with_two);
  add(function("node_bad"), with_one, with_none);
  CUgraphExec exec;
  CUDA_KERNEL_NODE_PARAMS params = params_of(function("again_ok"), with_one);
  cuGraphAddKernelNode(&node, graph, 0, 0, &params);
  params = params_of(function("again_bad"), with_one);
  cuGraphAddKernelNode(&node, graph, 0, 0, &params);
  cuGraphInstantiateWithFlags(&exec, graph, 0);
  params.kernelParams = with_none;
  cuGraphExecKernelNodeSetParams(exec, node, &params);
  add_any(function("any_ok"), with_one);
  add_any(function("any_bad"), with_none);
  cuGraphLaunch(exec, 0);
}
