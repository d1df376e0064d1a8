// Kernels that are right because of what a kernel before them wrote into their index arrays. Each `_bad` twin gets an
// array that differs by one thing.
//   plain: places i at i; the twin's writer stores i / 2.
//   turned: n - place[i], read from the array that the writer before it filled; the twin reads the halves.
//   steps: a grid-stride loop over more elements than threads; the twin writes one element more than lies between places.
//   cells: a grid of two axes writes transposed numbers; the twin forgets a factor.
//   refilled: an array of zeros is written up to n; the twin's writer is guarded by n / 2, so zeros are left.
//   chosen: two stores for odd and even elements that keep apart; in the twin they meet.
//   marked: a value is stored only where another array says so, and read only there; the twin reads everywhere.
//   stream: reader and writer in one stream; the twin's reader is in another.
//   waits: another stream, behind a call that waits for the writer's; the twin waits for its own.
//   default: the default stream waits for all others.
//   round: both in each round of a loop; in the twin another kernel writes the array in between.
//   atomic: the twin's array is written by atomic additions besides.
//   short: the thread's number in a word that holds it; in the twins a byte holds the thread, the start of the block, or its number.
//@ verdict plain_ok: race-free
//@ verdict plain_bad: racy
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict steps_ok: race-free
//@ verdict steps_bad: racy
//@ verdict cells_ok: race-free
//@ verdict cells_bad: racy
//@ verdict refilled_ok: race-free
//@ verdict refilled_bad: racy
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ verdict marked_ok: race-free
//@ verdict marked_bad: racy
//@ verdict stream_ok: race-free
//@ verdict stream_bad: racy
//@ known-undecided stream_bad: what the device has made of the array is not followed
//@ verdict waits_ok: race-free
//@ verdict waits_bad: racy
//@ known-undecided waits_bad: what the device has made of the array is not followed
//@ verdict default_ok: race-free
//@ verdict round_ok: race-free
//@ verdict round_bad: racy
//@ verdict atomic_ok: race-free
//@ verdict atomic_bad: racy
//@ known-undecided atomic_bad: what the device has made of the array is not followed
//@ verdict short_ok: race-free
//@ verdict short_thread_bad: racy
//@ verdict short_start_bad: racy
//@ verdict short_block_bad: racy
//@ verdict count_wide: race-free
//@ verdict count_byte_thread: race-free
//@ verdict count_byte_start: race-free
//@ verdict count_byte_block: race-free
//@ verdict count_up: race-free
//@ verdict count_halves: race-free
//@ verdict count_first: race-free
//@ verdict turn: race-free
//@ verdict count_steps: race-free
//@ verdict number_cells: race-free
//@ verdict add_cells: race-free
//@ verdict choose_apart: race-free
//@ verdict choose_near: race-free
//@ verdict mark: race-free
//@ verdict bump: race-free
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void count_up(int *place, int n) { // expect-clean
  int i = thread_number();
  if (i < n) place[i] = i;
}
__global__ void count_halves(int *place, int n) { // expect-clean
  int i = thread_number();
  if (i < n) place[i] = i / 2;
}
__global__ void count_first(int *place, int n) { // expect-clean
  int i = thread_number();
  if (i < n / 2) place[i] = i;
}
__global__ void turn(const int *place, int *turned, int n) { // expect-clean
  int i = thread_number();
  if (i < n) turned[i] = n - place[i];
}
__global__ void count_steps(int *place, int n, int factor) { // expect-clean
  for (int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    place[i] = i * factor;
}
__global__ void number_cells(int *cell, int width, int height) { // expect-clean
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) cell[y * width + x] = x * height + y;
}
__global__ void add_cells(int *cell, int width, int height) { // expect-clean
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) cell[y * width + x] = x + y;
}
__global__ void choose_apart(int *place, int n) { // expect-clean
  int i = thread_number();
  if (i >= n) return;
  if (i % 2)
    place[i] = -i;
  else
    place[i] = i;
}
__global__ void choose_near(int *place, int n) { // expect-clean
  int i = thread_number();
  if (i >= n) return;
  if (i % 2)
    place[i] = i - 1;
  else
    place[i] = i;
}
__global__ void mark(const int *chosen, int *place, int n) { // expect-clean
  int i = thread_number();
  if (i < n && chosen[i]) place[i] = i;
}
__global__ void bump(int *place, int n) { // expect-clean
  int i = thread_number();
  if (i < n) atomicAdd(&place[i], i);
}

template <class Thread, class Start, class Block> __device__ void count_in(int *place, int n) {
  Thread thread = threadIdx.x;
  Block block = blockIdx.x;
  Start start = block * blockDim.x;
  int i = thread_number();
  if (i < n) place[i] = start + thread;
}
__global__ void count_wide(int *place, int n) { count_in<long, long, long>(place, n); } // expect-clean
__global__ void count_byte_thread(int *place, int n) { count_in<unsigned char, int, int>(place, n); } // expect-clean
__global__ void count_byte_start(int *place, int n) { count_in<int, unsigned char, int>(place, n); }  // expect-clean
__global__ void count_byte_block(int *place, int n) { count_in<int, int, unsigned char>(place, n); }  // expect-clean

__device__ void scatter(const int *place, int *out, int n) {
  int i = thread_number();
  if (i < n) out[place[i]] = i; // expect-race
}
__global__ void plain_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void plain_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void turned_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void turned_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void steps_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void steps_bad(const int *place, int *out, int n) { // one element further than the next place
  int i = thread_number();
  if (i < n)
    for (int k = 0; k < 4; k++)
      out[place[i] + k] = i; // expect-race
}
__global__ void cells_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void cells_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void refilled_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void refilled_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void chosen_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void chosen_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void marked_ok(const int *chosen, const int *place, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i < n && chosen[i]) out[place[i]] = i;
}
__global__ void marked_bad(const int *chosen, const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void stream_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void stream_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void waits_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void waits_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void default_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void round_ok(const int *place, int *out, int n) { scatter(place, out, n); }   // expect-clean
__global__ void round_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void atomic_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void short_ok(const int *place, int *out, int n) { scatter(place, out, n); } // expect-clean
__global__ void short_thread_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void short_start_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void short_block_bad(const int *place, int *out, int n) { scatter(place, out, n); }
__global__ void atomic_bad(const int *place, int *out, int n) { scatter(place, out, n); }

static int *new_array(int n) {
  int *array = nullptr;
  cudaMalloc((void **)&array, n * sizeof(int));
  return array;
}

static int *zeros(int n) {
  int *array = new_array(n);
  cudaMemset(array, 0, n * sizeof(int));
  return array;
}

int main(int argc, char **argv) {
  if (argc < 4) return 1;
  int n = atoi(argv[1]), width = atoi(argv[2]), height = atoi(argv[3]), blocks = (n + 255) / 256;
  int *out = new_array(n), *place = new_array(n), *half = new_array(n), *turned = new_array(n);
  count_up<<<blocks, 256>>>(place, n);
  plain_ok<<<blocks, 256>>>(place, out, n);
  turn<<<blocks, 256>>>(place, turned, n);
  turned_ok<<<blocks, 256>>>(turned, out, n);
  count_halves<<<blocks, 256>>>(half, n);
  plain_bad<<<blocks, 256>>>(half, out, n);
  turn<<<blocks, 256>>>(half, turned, n);
  turned_bad<<<blocks, 256>>>(turned, out, n);

  int large = (n + 511) / 512, *numbers = new_array(n);
  count_wide<<<large, 512>>>(numbers, n);
  short_ok<<<blocks, 256>>>(numbers, out, n);
  count_byte_thread<<<large, 512>>>(numbers, n);
  short_thread_bad<<<blocks, 256>>>(numbers, out, n);
  count_byte_start<<<large, 512>>>(numbers, n);
  short_start_bad<<<blocks, 256>>>(numbers, out, n);
  count_byte_block<<<large, 512>>>(numbers, n);
  short_block_bad<<<blocks, 256>>>(numbers, out, n);

  int *steps = zeros(n);
  count_steps<<<100, 256>>>(steps, n, 3);
  steps_ok<<<blocks, 256>>>(steps, out, n);
  steps_bad<<<blocks, 256>>>(steps, out, n);

  int cells = width * height, *cell = new_array(cells), *sum = new_array(cells);
  dim3 grid((width + 15) / 16, (height + 15) / 16), block(16, 16);
  number_cells<<<grid, block>>>(cell, width, height);
  cells_ok<<<(cells + 255) / 256, 256>>>(cell, out, cells);
  add_cells<<<grid, block>>>(sum, width, height);
  cells_bad<<<(cells + 255) / 256, 256>>>(sum, out, cells);

  int *full = zeros(n), *left = zeros(n);
  count_up<<<blocks, 256>>>(full, n);
  refilled_ok<<<blocks, 256>>>(full, out, n);
  count_first<<<blocks, 256>>>(left, n);
  refilled_bad<<<blocks, 256>>>(left, out, n);

  int *apart = new_array(n), *near = new_array(n), *chosen = new_array(n), *marked = zeros(n);
  choose_apart<<<blocks, 256>>>(apart, n);
  chosen_ok<<<blocks, 256>>>(apart, out, n);
  choose_near<<<blocks, 256>>>(near, n);
  chosen_bad<<<blocks, 256>>>(near, out, n);
  cudaMemcpy(chosen, argv[4], n * sizeof(int), cudaMemcpyHostToDevice);
  mark<<<blocks, 256>>>(chosen, marked, n);
  marked_ok<<<blocks, 256>>>(chosen, marked, out, n);
  marked_bad<<<blocks, 256>>>(chosen, marked, out, n);

  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  int *streamed = new_array(n);
  count_up<<<blocks, 256, 0, one>>>(streamed, n);
  stream_ok<<<blocks, 256, 0, one>>>(streamed, out, n);
  stream_bad<<<blocks, 256, 0, two>>>(streamed, out, n);
  default_ok<<<blocks, 256>>>(streamed, out, n);
  cudaStreamSynchronize(two);
  waits_bad<<<blocks, 256, 0, two>>>(streamed, out, n);
  cudaStreamSynchronize(one);
  waits_ok<<<blocks, 256, 0, two>>>(streamed, out, n);

  for (int round = 0; round < 10; round++) {
    count_up<<<blocks, 256>>>(place, n);
    round_ok<<<blocks, 256>>>(place, out, n);
    atomic_ok<<<blocks, 256>>>(place, out, n);
    bump<<<blocks, 256>>>(place, n);
    atomic_bad<<<blocks, 256>>>(place, out, n);
    count_up<<<blocks, 256>>>(place, n);
    count_halves<<<blocks, 256>>>(place, n);
    round_bad<<<blocks, 256>>>(place, out, n);
  }
  return 0;
}
