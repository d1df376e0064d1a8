// Who has a kernel's address, or a handle of it, can launch it with any arguments: code that is not seen may. Each kernel is launched here
// with as many threads as there are elements, in which it is race-free; the twin is handed to code that is not seen besides, so that it
// is undecided.
// table: in a table that is given to such a function, or that is not.
// function: to a function that is in no file. entry: to the driver's launch that was asked for by name and is called through a pointer.
// params: in a struct. behind: by a function in the file that hands it on. runtime: a handle of the runtime is handed on.
// The good ones are handed to the runtime's own calls, or to a function in the file that only looks at the address; looked_up is launched
// by a handle that the runtime gives by the kernel's name, with one thread more (bad).
//@ verdict function_ok: race-free
//@ verdict function_bad: undecided
//@ verdict entry_ok: race-free
//@ verdict entry_bad: undecided
//@ verdict params_ok: race-free
//@ verdict params_bad: undecided
//@ verdict behind_ok: race-free
//@ verdict behind_bad: undecided
//@ verdict runtime_ok: race-free
//@ verdict runtime_bad: undecided
//@ verdict table_ok: race-free
//@ verdict table_bad: undecided
//@ verdict looked_up_ok: race-free
//@ verdict looked_up_bad: racy
#include <cuda.h>
#include <cuda_runtime.h>

enum { COUNT = 64 };

__global__ void function_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
__global__ void function_bad(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; }
extern "C" __global__ void entry_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
extern "C" __global__ void entry_bad(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; }
__global__ void params_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
__global__ void params_bad(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; }
__global__ void behind_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
__global__ void behind_bad(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; }
__global__ void runtime_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
__global__ void runtime_bad(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; }
__global__ void table_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
__global__ void table_bad(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; }
extern "C" __global__ void looked_up_ok(int *a, int n) { a[threadIdx.x % n] = threadIdx.x; } // expect-clean
extern "C" __global__ void looked_up_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}

struct Params {
  const void *kernel;
  int *a;
  int n;
};
typedef CUresult (*Launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);

void start(const void *kernel, int *a, int n);
void start_with(const Params *params);
void log_start(const char *what);
void start_all(const void *const *kernels, int *a, int n);

static const void *const kept[] = {(const void *)table_ok};
static const void *const given[] = {(const void *)table_bad};

__attribute__((noinline)) void hand_on(const void *kernel, int *a) { start(kernel, a, COUNT / 2); }
__attribute__((noinline)) void look_at(const void *kernel, int *a) {
  if (kernel) log_start("kernel");
}

void by_functions(int *a) {
  int blocks = 0;
  Params ok = {(const void *)params_ok, a, COUNT}, bad = {(const void *)params_bad, a, COUNT / 2};
  function_ok<<<1, COUNT>>>(a, COUNT);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_ok, COUNT, 0);
  function_bad<<<1, COUNT>>>(a, COUNT);
  start((const void *)function_bad, a, COUNT / 2);
  params_ok<<<1, COUNT>>>(ok.a, ok.n);
  params_bad<<<1, COUNT>>>(a, COUNT);
  start_with(&bad);
  table_ok<<<1, COUNT>>>(a, COUNT);
  if (kept[0] != given[0]) log_start("two");
  table_bad<<<1, COUNT>>>(a, COUNT);
  start_all(given, a, COUNT / 2);
  behind_ok<<<1, COUNT>>>(a, COUNT);
  look_at((const void *)behind_ok, a);
  behind_bad<<<1, COUNT>>>(a, COUNT);
  hand_on((const void *)behind_bad, a);
}

void by_handles(int *a) {
  int blocks = 0;
  void *entry;
  CUmodule module;
  CUfunction ok, bad;
  cudaFunction_t first, second;
  cudaGetDriverEntryPoint("cuLaunchKernel", &entry, 0);
  cuModuleLoad(&module, "kernels.cubin");
  cuModuleGetFunction(&ok, module, "entry_ok");
  cuModuleGetFunction(&bad, module, "entry_bad");
  int n = COUNT / 2;
  void *arguments[] = {&a, &n};
  entry_ok<<<1, COUNT>>>(a, COUNT);
  cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ok, COUNT, 0);
  entry_bad<<<1, COUNT>>>(a, COUNT);
  ((Launch)entry)(bad, 1, 1, 1, COUNT, 1, 1, 0, 0, arguments, 0);
  runtime_ok<<<1, COUNT>>>(a, COUNT);
  cudaGetFuncBySymbol(&first, (const void *)runtime_ok);
  runtime_bad<<<1, COUNT>>>(a, COUNT);
  cudaGetFuncBySymbol(&second, (const void *)runtime_bad);
  start(second, a, n);
}

void by_names(int *a) {
  cudaLibrary_t library;
  cudaKernel_t ok, bad;
  int n = COUNT;
  void *arguments[] = {&a, &n};
  cudaLibraryLoadFromFile(&library, "kernels.fatbin", 0, 0, 0, 0, 0, 0);
  cudaLibraryGetKernel(&ok, library, "looked_up_ok");
  cudaLaunchKernel((void *)ok, dim3(1), dim3(COUNT), arguments, 0, 0);
  cudaLibraryGetKernel(&bad, library, "looked_up_bad");
  cudaLaunchKernel((void *)bad, dim3(1), dim3(COUNT + 1), arguments, 0, 0);
}

int main() {
  int *a;
  cudaMalloc(&a, COUNT * sizeof(int));
  by_functions(a);
  by_handles(a);
  by_names(a);
  return cudaDeviceSynchronize();
}
