// What calls of libraries change without being given it: `errno`, memory that a struct names, what a function changes that a graph
// calls back, what stands behind the end of a number in a text or at a letter that is looked for, and what a function of the program does whose name begins like one of the runtime's. In each ok, another variable.
//@ verdict error_number_ok: race-free
//@ verdict error_number_bad: racy
//@ verdict error_number_left: race-free
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict copied_together_bad: racy
//@ verdict called_back_ok: race-free
//@ verdict called_back_bad: racy
//@ verdict text_ok: race-free
//@ verdict text_bad: racy
//@ verdict text_found_bad: racy
//@ verdict set_up_ok: race-free
//@ verdict set_up_bad: racy
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__device__ void spread(int *a, int stride) {
  a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; // expect-race[spread]
}
__global__ void error_number_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void error_number_bad(int *a, int s) { spread(a, s); }
__global__ void error_number_left(int *a, int s) { spread(a, s); } // expect-clean
__global__ void copied_ok(int *a, int s) { spread(a, s); }         // expect-clean
__global__ void copied_bad(int *a, int s) { spread(a, s); }
__global__ void copied_together_bad(int *a, int s) { spread(a, s); }
__global__ void called_back_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void called_back_bad(int *a, int s) { spread(a, s); }
__global__ void text_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void text_bad(int *a, int s) { spread(a, s); }
__global__ void text_found_bad(int *a, int s) { spread(a, s); }
__global__ void set_up_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void set_up_bad(int *a, int s) { spread(a, s); }

static int called_stride = 64, other_stride = 64, own_stride = 64;
int common_stride = 64;

static void change(void *) { called_stride = 32; }
void cudaSetup();

int main(int, char **argv) {
  int *a, *d, stride = 64, other = 64, copied = 64, together = 64;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&d, 64);

  errno = 0;
  long n = strtol(argv[1], nullptr, 10);
  if (errno) other = 32;
  error_number_ok<<<10, 64>>>(a, stride);
  error_number_bad<<<10, 64>>>(a, other);
  errno = 0;
  n += strtol(argv[2], nullptr, 10);
  if (errno) exit(1);
  error_number_left<<<10, 64>>>(a, stride);

  cudaMemcpy3DParms p = {};
  p.srcPtr.ptr = d;
  p.dstPtr.ptr = &copied;
  p.extent = make_cudaExtent(4, 1, 1);
  p.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&p);
  copied_ok<<<10, 64>>>(a, stride);
  copied_bad<<<10, 64>>>(a, copied);
  cudaPitchedPtr to = make_cudaPitchedPtr(&together, 4, 4, 1);
  p.dstPtr = to;
  cudaMemcpy3D(&p);
  copied_together_bad<<<10, 64>>>(a, together);

  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  cudaHostNodeParams call = {};
  call.fn = change;
  cudaGraphAddHostNode(&node, graph, nullptr, 0, &call);
  cudaGraphInstantiate(&ready, graph, 0);
  called_stride = 64;
  cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  called_back_ok<<<10, 64>>>(a, other_stride);
  called_back_bad<<<10, 64>>>(a, called_stride);

  char text[] = "@", left[] = "@";
  static char letters[] = "@@";
  char *end;
  n += strtol(text, &end, 10);
  *end = 32;
  text_ok<<<10, 64>>>(a, left[0]);
  text_bad<<<10, 64>>>(a, text[0]);
  char *at = strchr(letters, argv[1][0]);
  if (at) *at = 32;
  text_found_bad<<<10, 64>>>(a, letters[0]);

  cudaSetup();
  set_up_ok<<<10, 64>>>(a, own_stride);
  set_up_bad<<<10, 64>>>(a, common_stride);
  return (int)n + (int)cudaDeviceSynchronize();
}
