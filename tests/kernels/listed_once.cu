// A list of numbers that the host has met, each once: who has been listed is marked in an array beside it. Each block works on the tile that its element names.
// flags: `if (!listed[i]) { listed[i] = true; list[n++] = i; }` (ok), of integers (words_ok), in a vector (vector_ok), set to another number (two_ok), asked the other way round
// (free_ok); no mark (unmarked), of the next one (next), only of some (some), taken back in the same round (back) or for another one (other), by zero (zero), another array is asked (asked),
// what is listed is not what is marked (half).
// rounds: the marks are cleared between two lists, and the second one begins where the first one ends (bad), begins anew (ok).
//@ verdict flags_ok: race-free
//@ verdict words_ok: race-free
//@ verdict vector_ok: race-free
//@ verdict two_ok: race-free
//@ verdict free_ok: race-free
//@ verdict unmarked_bad: racy
//@ verdict next_bad: racy
//@ verdict some_bad: racy
//@ verdict back_bad: racy
//@ verdict other_bad: racy
//@ verdict zero_bad: racy
//@ verdict asked_bad: racy
//@ verdict half_bad: racy
//@ verdict rounds_ok: race-free
//@ known-false-alarm rounds_ok: that a list which begins anew covers what was there is not known
//@ verdict rounds_bad: racy
#include <cstdlib>
#include <vector>

__device__ void work(const int *list, float *tiles) { tiles[list[blockIdx.x] * 64 + threadIdx.x] += 1; } // expect-race

__global__ void flags_ok(const int *list, float *tiles) { work(list, tiles); } // expect-clean
__global__ void words_ok(const int *list, float *tiles) { work(list, tiles); } // expect-clean
__global__ void vector_ok(const int *list, float *tiles) { work(list, tiles); } // expect-clean
__global__ void two_ok(const int *list, float *tiles) { work(list, tiles); } // expect-clean
__global__ void free_ok(const int *list, float *tiles) { work(list, tiles); } // expect-clean
__global__ void unmarked_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void next_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void some_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void back_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void other_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void zero_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void asked_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void half_bad(const int *list, float *tiles) { work(list, tiles); }
__global__ void rounds_ok(const int *list, float *tiles) { work(list, tiles); } // expect-clean
__global__ void rounds_bad(const int *list, float *tiles) { work(list, tiles); }

struct Lists {
  int *list, *on_device, n;
  float *tiles;
};

static Lists begin(int count) {
  Lists lists = {(int *)malloc(count * sizeof(int)), nullptr, 0, nullptr};
  cudaMalloc(&lists.on_device, count * sizeof(int));
  cudaMalloc(&lists.tiles, count * 64 * sizeof(float));
  return lists;
}

typedef void (*Kernel)(const int *, float *);
static void end(const Lists &lists) { cudaMemcpy(lists.on_device, lists.list, lists.n * sizeof(int), cudaMemcpyHostToDevice); }

#define LAUNCH(kernel) end(lists); kernel<<<lists.n, 64>>>(lists.on_device, lists.tiles)

static void flags(int argc, char **argv, int count) {
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i]) {
        listed[i] = true;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(flags_ok);
  }
  {
    Lists lists = begin(count);
    int *listed = (int *)calloc(count, sizeof(int));
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (listed[i] == 0) {
        lists.list[lists.n++] = i;
        listed[i] = 1;
      }
    }
    LAUNCH(words_ok);
  }
  {
    Lists lists = begin(count);
    std::vector<char> listed(count, 0);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (listed[i])
        continue;
      listed[i] = 1;
      lists.list[lists.n++] = i;
    }
    LAUNCH(vector_ok);
  }
  {
    Lists lists = begin(count);
    int *state = (int *)calloc(count, sizeof(int));
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (state[i] != 2) {
        state[i] = 2;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(two_ok);
  }
  {
    Lists lists = begin(count);
    bool *is_free = (bool *)malloc(count);
    for (int i = 0; i < count; i++)
      is_free[i] = true;
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (is_free[i]) {
        is_free[i] = false;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(free_ok);
  }
}

static void mistakes(int argc, char **argv, int count) {
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i])
        lists.list[lists.n++] = i;
    }
    LAUNCH(unmarked_bad);
  }
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count + 1, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i]) {
        listed[i + 1] = true;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(next_bad);
  }
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i]) {
        if (i > 100)
          listed[i] = true;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(some_bad);
  }
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i]) {
        listed[i] = true;
        lists.list[lists.n++] = i;
        listed[i] = false;
      }
    }
    LAUNCH(back_bad);
  }
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i]) {
        listed[i] = true;
        lists.list[lists.n++] = i;
      } else
        listed[j] = false;
    }
    LAUNCH(other_bad);
  }
  {
    Lists lists = begin(count);
    int *listed = (int *)calloc(count, sizeof(int));
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (listed[i] == 0) {
        listed[i] = 0;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(zero_bad);
  }
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1), *wanted = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!wanted[i]) {
        listed[i] = true;
        lists.list[lists.n++] = i;
      }
    }
    LAUNCH(asked_bad);
  }
  {
    Lists lists = begin(count);
    bool *listed = (bool *)calloc(count, 1);
    for (int j = 2; j < argc; j++) {
      int i = atoi(argv[j]);
      if (!listed[i]) {
        listed[i] = true;
        lists.list[lists.n++] = i / 2;
      }
    }
    LAUNCH(half_bad);
  }
}

static void rounds(int argc, char **argv, int count) {
  Lists lists = begin(2 * count);
  bool *listed = (bool *)calloc(count, 1);
  for (int j = 2; j < argc; j++) {
    int i = atoi(argv[j]);
    if (!listed[i]) {
      listed[i] = true;
      lists.list[lists.n++] = i;
    }
  }
  for (int i = 0; i < count; i++)
    listed[i] = false;
  bool begins_anew = argc > 10;
  if (begins_anew)
    lists.n = 0;
  for (int j = 1; j < argc; j++) {
    int i = atoi(argv[j]);
    if (!listed[i]) {
      listed[i] = true;
      lists.list[lists.n++] = i;
    }
  }
  if (begins_anew) {
    LAUNCH(rounds_ok);
  } else {
    LAUNCH(rounds_bad);
  }
}

int main(int argc, char **argv) {
  int count = atoi(argv[1]);
  flags(argc, argv, count);
  mistakes(argc, argv, count);
  rounds(argc, argv, count);
}
