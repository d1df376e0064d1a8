// A node of a captured graph is asked for its parameters, which point to the graph's own copies of the arguments, and set to
// them anew: any captured kernel may be launched with any arguments. The twin is a launch that nobody captures (plain_ok).
//@ verdict captured: undecided
//@ verdict plain_ok: undecided
__global__ void captured(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; }
__global__ void plain_ok(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; }

int main() {
  int *out;
  cudaMalloc((void **)&out, 4096);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  captured<<<1, 64, 0, stream>>>(out, 1);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNode_t nodes[1];
  size_t count = 1;
  cudaGraphGetNodes(graph, nodes, &count);
  cudaKernelNodeParams params;
  cudaGraphKernelNodeGetParams(nodes[0], &params);
  *(int *)params.kernelParams[1] = 0;
  cudaGraphKernelNodeSetParams(nodes[0], &params);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0, 0, 0);
  cudaGraphLaunch(exec, stream);
  plain_ok<<<1, 64>>>(out, 1);
}
