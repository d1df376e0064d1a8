// What kernels that are launched in rounds leave in an array. Each thread has 16 places of its own, and stores to as many as the
// array says; what it says is below 17 only if each writer keeps to that.
//   counted: the first of 16 numbers that is negative, counted in a loop with a way out; its highest bit alone (power).
//   given: a bound that the host gives to both launches.
//   rounds: written and read in each round of two loops, guarded by the number of the round, so that some elements are older.
//   The twins of it: `read` what the host read from a file before the loops; `late` what another kernel stores behind the reader, one
//   round before; `growing` a bound that rises with the rounds; `added` by an atomic operation; `bytes` one byte anew; `moved` through
//   another pointer to the array; `called` by a kernel behind a pointer; `streams` of two streams that do not wait for each other;
//   `memory` a word that the kernel reads from an array that is written in each round.
//   made: something was written through a pointer to anything before the array was made. In the twin it is written afterwards.
//   scattered: each round stores its own number to a place of its own; the twin every number twice.
//   copied: what the device hands to the host in each round, and gets back as a parameter: the elements differ.
//   swapped: two arrays that change places in each round; steady: places that were read from an array that nobody writes in the loop.
//@ verdict count: race-free
//@ verdict count_given: race-free
//@ verdict count_power: race-free
//@ verdict set: race-free
//@ verdict set_all: race-free
//@ known-undecided set_all: a pointer of unknown value may lead to it
//@ verdict one_more: race-free
//@ verdict one_byte: race-free
//@ verdict from_memory: race-free
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
//@ verdict power_ok: race-free
//@ verdict power_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_read: racy
//@ verdict rounds_late: racy
//@ verdict rounds_growing: racy
//@ verdict rounds_added: racy
//@ verdict rounds_bytes: racy
//@ verdict rounds_moved: racy
//@ verdict rounds_called: racy
//@ verdict rounds_streams: racy
//@ verdict rounds_memory: racy
//@ verdict made_ok: race-free
//@ verdict made_bad: racy
//@ verdict scattered_ok: race-free
//@ verdict scattered_bad: racy
//@ verdict copied: racy
//@ verdict swapped_ok: race-free
//@ known-false-alarm swapped_ok: what arrays hold that change places is not followed
//@ verdict swapped_bad: racy
//@ verdict steady_ok: race-free
//@ verdict steady_bad: racy
//@ known-undecided steady_bad: which round put it there is not followed
#include <cstdio>
#include <cstdlib>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void count(unsigned *number, int guard, unsigned most, const int *word) { // expect-clean
  int t = thread_number();
  if (t >= guard) return;
  unsigned j;
  for (j = 0; j < most; ++j)
    if (word[t * 16 + j] < 0) break;
  number[t] = j;
}
__global__ void count_given(unsigned *number, unsigned most, const int *word) { // expect-clean
  int t = thread_number();
  unsigned j;
  for (j = 0; j < most; ++j)
    if (word[t * 16 + j] < 0) break;
  number[t] = j;
}
__global__ void count_power(unsigned *number, const int *word) { // expect-clean
  int t = thread_number();
  int j;
  for (j = 0; j < 16; ++j)
    if (word[t * 16 + j] < 0) break;
  number[t] = 0x80000000u >> __clz(j + 1);
}

__device__ void store(const unsigned *number, int *out, unsigned room) {
  unsigned t = thread_number();
  for (unsigned i = 0; i < number[t]; i++)
    out[t * room + i] = i; // expect-race
}
__global__ void counted_ok(const unsigned *number, int *out, unsigned room) { store(number, out, room); } // expect-clean
__global__ void counted_bad(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void power_ok(const unsigned *number, int *out, unsigned room) { store(number, out, room); } // expect-clean
__global__ void power_bad(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void given_ok(const unsigned *number, int *out, unsigned room) { store(number, out, room); } // expect-clean
__global__ void given_bad(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_ok(const unsigned *number, int *out, unsigned room) { store(number, out, room); } // expect-clean
__global__ void rounds_read(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_late(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_growing(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_added(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_bytes(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_moved(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_called(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_streams(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void rounds_memory(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void made_ok(const unsigned *number, int *out, unsigned room) { store(number, out, room); } // expect-clean
__global__ void made_bad(const unsigned *number, int *out, unsigned room) { store(number, out, room); }
__global__ void swapped_ok(const unsigned *number, int *out, unsigned room) { store(number, out, room); } // expect-clean
__global__ void swapped_bad(const unsigned *number, int *out, unsigned room) { store(number, out, room); }

__global__ void set(unsigned *number, unsigned at, unsigned value) { // expect-clean
  if (threadIdx.x == 0 && blockIdx.x == 0) number[at] = value;
}
__global__ void set_all(unsigned *number, unsigned value) { // expect-clean
  number[thread_number()] = value;
}
__global__ void one_more(unsigned *number) { // expect-clean
  atomicAdd(&number[thread_number()], 1);
}
__global__ void one_byte(unsigned char *number, unsigned char value) { // expect-clean
  number[thread_number()] = value;
}
__global__ void from_memory(unsigned *number, const unsigned *from) { // expect-clean
  number[thread_number()] = from[thread_number()];
}

__global__ void scattered_ok(const unsigned *place, int *out) { // expect-clean
  if (thread_number() < 100) out[place[thread_number()]] = thread_number();
}
__global__ void scattered_bad(const unsigned *place, int *out) {
  if (thread_number() < 100) out[place[thread_number()]] = thread_number(); // expect-race
}
__global__ void copied(const unsigned *number, int *out) {
  if (number[0] != number[1]) out[0] = thread_number(); // expect-race
}
__global__ void steady_ok(const unsigned *place, int *out) { // expect-clean
  out[place[thread_number()]] = thread_number();
}
__global__ void steady_bad(const unsigned *place, int *out) {
  out[place[thread_number()]] = thread_number(); // expect-race
}

static unsigned *array() {
  unsigned *made;
  cudaMalloc(&made, 1024 * sizeof(unsigned));
  return made;
}
typedef void (*Writer)(unsigned *, unsigned);
void fill_anyhow(char *where, int bytes) {
  for (int i = 0; i < bytes; i++)
    where[i] = (char)rand();
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), *out, *word;
  unsigned given = atoi(argv[2]);
  cudaMalloc(&out, 1 << 24);
  cudaMalloc(&word, 1 << 24);
  cudaMemset(word, 0, 1 << 24);
  unsigned *counted = array(), *power = array(), *bound = array(), *bound_more = array();
  count<<<4, 256>>>(counted, 1024, 16, word);
  counted_ok<<<4, 256>>>(counted, out, 16);
  counted_bad<<<4, 256>>>(counted, out, 15);
  count_power<<<4, 256>>>(power, word);
  power_ok<<<4, 256>>>(power, out, 16);
  power_bad<<<4, 256>>>(power, out, 15);
  count_given<<<4, 256>>>(bound, given, word);
  given_ok<<<4, 256>>>(bound, out, given);
  count_given<<<4, 256>>>(bound_more, given + 1, word);
  given_bad<<<4, 256>>>(bound_more, out, given);

  unsigned *rounds = array(), *read = array(), *late = array(), *growing = array(), *added = array(), *bytes = array();
  unsigned *moved = array(), *called = array(), *streams = array(), *memory = array(), *changing = array();
  unsigned *alias = moved + n;
  unsigned numbers[1024];
  FILE *file = fopen(argv[1], "r");
  fread(numbers, 1, sizeof numbers, file);
  cudaMemcpy(read, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMemset(late, 0, 4096);
  cudaMemset(added, 0, 4096);
  cudaMemset(memory, 0, 4096);
  Writer writer = argc > 5 ? (Writer)strtoul(argv[5], 0, 0) : (Writer)set_all;
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  for (int outer = 0; outer < n; outer++)
    for (int round = 0; round < n; round++) {
      count<<<4, 256>>>(rounds, round * 2, 16, word);
      rounds_ok<<<4, 256>>>(rounds, out, 16);
      count<<<4, 256>>>(read, round * 2, 16, word);
      rounds_read<<<4, 256>>>(read, out, 16);
      count<<<4, 256>>>(late, round * 2, 16, word);
      rounds_late<<<4, 256>>>(late, out, 16);
      set_all<<<4, 256>>>(late, 17);
      count<<<4, 256>>>(growing, round * 2, round, word);
      rounds_growing<<<4, 256>>>(growing, out, 16);
      count<<<4, 256>>>(added, round * 2, 16, word);
      one_more<<<4, 256>>>(added);
      rounds_added<<<4, 256>>>(added, out, 16);
      count<<<4, 256>>>(bytes, round * 2, 16, word);
      rounds_bytes<<<4, 256>>>(bytes, out, 16);
      one_byte<<<4, 256>>>((unsigned char *)bytes, 255);
      count<<<4, 256>>>(moved, round * 2, 16, word);
      rounds_moved<<<4, 256>>>(moved, out, 16);
      set<<<1, 32>>>(alias, 3, 100);
      count<<<4, 256, 0, one>>>(streams, 1024, 16, word);
      rounds_streams<<<4, 256, 0, two>>>(streams, out, 16);
      count<<<4, 256>>>(memory, round * 2, 16, word);
      rounds_memory<<<4, 256>>>(memory, out, 16);
      from_memory<<<4, 256>>>(memory, changing);
      set_all<<<4, 256>>>(changing, round);
    }

  fill_anyhow((char *)strtoul(argv[3], 0, 0), 1000);
  unsigned *made, *made_bad_one;
  cudaMallocManaged(&made, 4096);
  cudaMallocManaged(&made_bad_one, 4096);
  set_all<<<4, 256>>>(made, 16);
  made_ok<<<4, 256>>>(made, out, 16);
  set_all<<<4, 256>>>(made_bad_one, 16);
  cudaDeviceSynchronize();
  fill_anyhow((char *)strtoul(argv[4], 0, 0), 1000);
  made_bad<<<4, 256>>>(made_bad_one, out, 16);

  unsigned *places = array(), *halves = array(), *two_numbers = array(), *counter = array();
  cudaMemset(counter, 0, 4096);
  for (unsigned round = 0; round < 100; round++) {
    unsigned here = 0;
    set<<<1, 32>>>(places, round, round);
    set<<<1, 32>>>(halves, round, round / 2);
    cudaMemcpy(&here, counter, 4, cudaMemcpyDeviceToHost);
    set<<<1, 32>>>(two_numbers, round, here);
    one_more<<<4, 256>>>(counter);
  }
  scattered_ok<<<4, 256>>>(places, out);
  scattered_bad<<<4, 256>>>(halves, out);
  copied<<<4, 256>>>(two_numbers, out);

  unsigned *left = array(), *right = array(), *left_bad = array(), *right_bad = array();
  for (int round = 0; round < n; round++) {
    set_all<<<4, 256>>>(left, 16);
    if (round > 0) swapped_ok<<<4, 256>>>(right, out, 16);
    unsigned *other = left;
    left = right;
    right = other;
    set_all<<<4, 256>>>(left_bad, 16 + round);
    if (round > 0) swapped_bad<<<4, 256>>>(right_bad, out, 16);
    other = left_bad;
    left_bad = right_bad;
    right_bad = other;
  }

  unsigned *ordered = array(), *steady = array(), *unsteady = array();
  for (int i = 0; i < 1024; i++)
    numbers[i] = i;
  cudaMemcpy(ordered, numbers, 4096, cudaMemcpyHostToDevice);
  for (int round = 0; round < n; round++)
    from_memory<<<4, 256>>>(steady, ordered);
  steady_ok<<<4, 256>>>(steady, out);
  for (int round = 0; round < n; round++) {
    from_memory<<<4, 256>>>(unsteady, ordered);
    set_all<<<4, 256>>>(ordered, round);
  }
  steady_bad<<<4, 256>>>(unsteady, out);

  for (int round = 0; round < n; round++) {
    count<<<4, 256>>>(called, round * 2, 16, word);
    rounds_called<<<4, 256>>>(called, out, 16);
    writer<<<4, 256>>>(called, 100);
  }
  cudaDeviceSynchronize();
}
