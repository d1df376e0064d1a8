// Numbers that the program itself computes, in ways that are not followed, in a program whose code is all there. Four blocks of 64 threads meet
// where the number is less than 64; each is 32 in fact, but for all that is seen it may as well be 64: that a witness takes it for less is a
// guess (possible). Where the number is known (known), or may be anything since it comes from outside (given), the race is definite; and so it is
// where every number that it can be shows it (any).
//   back, symbol, managed, mapped: a kernel left it. counted: threads counted it. thread, callback, global: other code of the program stores it.
//   sorted: what a library does with a function of the program. member: a constructor of a variable computes it, before main.
//   rounds: how often a loop of floats goes round. length: of text that the program makes (possible), or is given (given).
//   found: where a search ends. behind: what a loop leaves that is not followed, whatever it began with.
//@ verdict back_possible: racy
//@ verdict back_any: racy
//@ verdict back_blocks_any: racy
//@ verdict back_blocks_possible: racy
//@ verdict symbol_possible: racy
//@ verdict managed_possible: racy
//@ verdict mapped_possible: racy
//@ verdict counted_possible: racy
//@ verdict thread_possible: racy
//@ verdict callback_possible: racy
//@ verdict global_possible: racy
//@ verdict sorted_possible: racy
//@ verdict member_possible: racy
//@ verdict rounds_possible: racy
//@ verdict length_possible: racy
//@ verdict length_given: racy
//@ verdict text_given: racy
//@ verdict option_given: racy
//@ verdict read_given: racy
//@ verdict found_possible: racy
//@ verdict behind_possible: racy
//@ verdict known_definite: racy
//@ verdict set: race-free
//@ verdict set_variable: race-free
//@ verdict count: race-free
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

__device__ int variable;
__global__ void set(int *to) { *to = 32; } // expect-clean
__global__ void set_variable() { variable = 32; } // expect-clean
__global__ void count(int *to) { atomicAdd(to, 1); } // expect-clean

__global__ void back_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }     // expect-race {{possible}}
__global__ void back_any(int *a, int w) { a[w] = threadIdx.x; }                                    // expect-race {{definite}}
__global__ void back_blocks_any(int *a) { a[threadIdx.x / 2] = threadIdx.x; }                      // expect-race {{definite}}
__global__ void back_blocks_possible(int *a) { a[threadIdx.x] = blockIdx.x; }                      // expect-race[blocks](inter-block) {{possible}}
__global__ void symbol_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void managed_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }  // expect-race {{possible}}
__global__ void mapped_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void counted_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }  // expect-race {{possible}}
__global__ void thread_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void callback_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; } // expect-race {{possible}}
__global__ void global_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void sorted_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void member_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void rounds_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void length_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void length_given(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }      // expect-race {{definite}}
__global__ void text_given(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }        // expect-race {{definite}}
__global__ void option_given(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }      // expect-race {{definite}}
__global__ void read_given(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }        // expect-race {{definite}}
__global__ void found_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }    // expect-race {{possible}}
__global__ void behind_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }   // expect-race {{possible}}
__global__ void known_definite(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }    // expect-race {{definite}}

struct Width {
  int width;
  Width(int at_least) {
    width = 1;
    while (width < at_least)
      width *= 2;
  }
};
static Width member(30);
static int global = 64;
static void store(void *to) { *(int *)to = 32; }
static void store_global(void *) { global = 32; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  int *a, *d, *managed, *mapped, *mapped_there;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&d, 1 << 12);
  cudaMallocManaged(&managed, 1 << 12);
  cudaHostAlloc(&mapped, 1 << 12, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped_there, mapped, 0);

  int back = 64;
  set<<<1, 1>>>(d);
  cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost);
  back_possible<<<4, 64>>>(a, back);
  back_any<<<4, 64>>>(a, back);
  if (back > 0) {
    back_blocks_any<<<(back + 255) / 256, 256>>>(a);
    back_blocks_possible<<<(back + 255) / 256, 256>>>(a);
  }
  int symbol = 64;
  set_variable<<<1, 1>>>();
  cudaMemcpyFromSymbol(&symbol, variable, sizeof symbol);
  symbol_possible<<<4, 64>>>(a, symbol);
  set<<<1, 1>>>(managed);
  set<<<1, 1>>>(mapped_there);
  cudaDeviceSynchronize();
  managed_possible<<<4, 64>>>(a, *managed);
  mapped_possible<<<4, 64>>>(a, *mapped);
  int counted;
  cudaMemset(d, 0, sizeof counted);
  count<<<1, 32>>>(d);
  cudaMemcpy(&counted, d, sizeof counted, cudaMemcpyDeviceToHost);
  counted_possible<<<4, 64>>>(a, counted);

  int stored = 64, called = 64;
  std::thread other([&] { stored = 32; });
  other.join();
  thread_possible<<<4, 64>>>(a, stored);
  cudaLaunchHostFunc(0, store, &called);
  cudaLaunchHostFunc(0, store_global, nullptr);
  cudaDeviceSynchronize();
  callback_possible<<<4, 64>>>(a, called);
  global_possible<<<4, 64>>>(a, global);
  int list[] = {128, 32, 256};
  qsort(list, 3, sizeof *list, compare);
  sorted_possible<<<4, 64>>>(a, list[0]);
  member_possible<<<4, 64>>>(a, member.width);

  int rounds = 0;
  for (float x = 0; x < 32.f; x += 1.f)
    rounds++;
  rounds_possible<<<4, 64>>>(a, rounds);
  char text[128], line[128] = "";
  strcpy(text, "0123456789abcdef");
  strcat(text, "0123456789abcdef");
  length_possible<<<4, 64>>>(a, (int)strlen(text));
  length_given<<<4, 64>>>(a, (int)strlen(argv[1]));
  text_given<<<4, 64>>>(a, atoi(argv[2]));
  if (fgets(line, sizeof line, stdin)) read_given<<<4, 64>>>(a, atoi(line));
  int option = 64;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-w") == 0) option = atoi(argv[++i]);
  option_given<<<4, 64>>>(a, option);

  int widths[] = {96, 48, 32, 64}, at = 0;
  while (at < 4 && widths[at] != 32)
    at++;
  found_possible<<<4, 64>>>(a, at < 4 ? widths[at] : 64);
  int behind = 7, rest = 1000;
  while (rest > 1) {
    behind = (behind * 5 + rest) % 61 + 3;
    rest = rest % 2 ? rest * 3 + 1 : rest / 2;
  }
  behind_possible<<<4, 64>>>(a, behind);
  int known = 32;
  known_definite<<<4, 64>>>(a, known);
}
