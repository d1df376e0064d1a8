// A device function takes a struct by value, as the kernel does, and reads an array in it in a loop: all threads read the same. So only
// one warp is the chosen one (chosen_ok); more than one is where the number is only a bound (chosen_bad), where the function changes its
// copy first (changed_bad), where the kernel changes its own (moved_bad), or where the copy is of another struct in each warp (other_bad).
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ verdict changed_bad: racy
//@ verdict moved_bad: racy
//@ verdict other_bad: racy
//@ known-undecided other_bad: a copy of one of two parameters is not followed when a race is executed
#include <cuda_runtime.h>

struct Channel {
  int *data;
  int warp, end;
};

struct Channels {
  Channel all[1];
};

__device__ bool is_chosen(Channels c) {
  bool any = false;
  for (int i = 0; i < 1; i++)
    if (threadIdx.x / 32 == c.all[i].warp)
      any = true;
  return any;
}

__device__ bool is_below(Channels c) {
  return threadIdx.x / 32 <= c.all[0].warp;
}

__device__ bool is_changed(Channels c) {
  bool any = false;
  for (int i = 0; i < 1; i++) {
    c.all[i].warp = threadIdx.x / 32;
    if (threadIdx.x / 32 == c.all[i].warp)
      any = true;
  }
  return any;
}

__device__ int by_first_lane(bool is_it) {
  return is_it && threadIdx.x % 32 == 0;
}

__global__ void chosen_ok(Channels c, int *head) { // expect-clean
  if (by_first_lane(is_chosen(c)))
    head[blockIdx.x] = threadIdx.x;
}

__global__ void chosen_bad(Channels c, int *head) {
  if (by_first_lane(is_below(c)))
    head[blockIdx.x] = threadIdx.x; // expect-race
}

__global__ void changed_bad(Channels c, int *head) {
  if (by_first_lane(is_changed(c)))
    head[blockIdx.x] = threadIdx.x; // expect-race
}

__global__ void moved_bad(Channels c, int *head) {
  c.all[0].warp = threadIdx.x / 32;
  if (by_first_lane(is_chosen(c)))
    head[blockIdx.x] = threadIdx.x; // expect-race
}

__global__ void other_bad(Channels c, Channels d, int *head) {
  if (by_first_lane(is_chosen(threadIdx.x < 32 ? c : d)))
    head[blockIdx.x] = threadIdx.x; // expect-race
}

int main(int argc, char **argv) {
  Channels c, d;
  int *head;
  cudaMalloc(&head, 64);
  cudaMalloc(&c.all[0].data, 64);
  c.all[0].warp = argc;
  c.all[0].end = 2;
  d = c;
  d.all[0].warp = argc - 1;
  chosen_ok<<<8, 128>>>(c, head);
  chosen_bad<<<8, 128>>>(c, head);
  changed_bad<<<8, 128>>>(c, head);
  moved_bad<<<8, 128>>>(c, head);
  other_bad<<<8, 128>>>(c, d, head);
}
