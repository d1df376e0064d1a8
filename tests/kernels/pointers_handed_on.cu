// A kernel stores to one array what it reads from another one, a place further on: a race if both are one. Which they are is handed on by
// code that is not followed call by call.
// down: a function calls itself with the two exchanged (ok), at one level with one for both (bad).
// rooms: it calls itself for two of three arrays, in turn (ok), or comes to two that are one (bad).
// pair: of two functions that call each other one exchanges them (bad: and passes one for both at one level).
// own: what it allocates itself is none of those that it is given (ok); it stores to what it is given, and so does its caller (bad).
// found: a list is searched by a function that calls itself; twice the last of its arrays is found (bad).
// called: a pointer to a function, or a virtual function, gives one array, and the other one is that (bad) or another (ok).
//@ verdict down_ok: race-free
//@ verdict down_bad: racy
//@ verdict rooms_ok: race-free
//@ verdict rooms_bad: racy
//@ verdict pair_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict found_bad: racy
//@ verdict called_ok: race-free
//@ verdict called_bad: racy
//@ verdict virtual_ok: race-free
//@ verdict virtual_bad: racy
#include <cuda_runtime.h>

__device__ void move_on(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) to[i] = from[i + 1]; // expect-race[any]
}
__global__ void down_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void down_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void rooms_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void rooms_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void pair_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void own_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void own_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void found_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void called_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void called_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void virtual_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void virtual_bad(float *to, const float *from, int n) { move_on(to, from, n); }

const int N = 1024;
float *make() {
  float *made;
  cudaMalloc(&made, N * sizeof(float));
  return made;
}

void go_down_ok(float *a, float *b, int level) {
  if (level == 0) return;
  down_ok<<<4, 256>>>(a, b, N);
  go_down_ok(b, a, level - 1);
}
void go_down_bad(float *a, float *b, int level) {
  if (level == 0) return;
  down_bad<<<4, 256>>>(a, b, N);
  go_down_bad(b, level == 3 ? b : a, level - 1);
}

void go_round_ok(float *a, float *b, float *c, int level) {
  if (level == 0) return;
  rooms_ok<<<4, 256>>>(a, b, N);
  go_round_ok(b, c, a, level - 1);
}
void go_round_bad(float *a, float *b, float *c, int level) {
  if (level == 0) return;
  rooms_bad<<<4, 256>>>(a, b, N);
  go_round_bad(b, c, c, level - 1);
}

void pong(float *a, float *b, int level);
void ping(float *a, float *b, int level) {
  pair_bad<<<4, 256>>>(a, b, N);
  if (level) pong(b, a, level - 1);
}
void pong(float *a, float *b, int level) {
  if (level) ping(a, level == 2 ? a : b, level - 1);
}

void keep_own_ok(const float *from, int level) {
  float *to = make();
  own_ok<<<4, 256>>>(to, from, N);
  if (level) keep_own_ok(to, level - 1);
}
void keep_own_bad(float *to, const float *from, int level) {
  own_bad<<<4, 256>>>(to, from, N);
  if (level) keep_own_bad(to, to, level - 1);
}

struct Node {
  float *array;
  Node *next;
};
float *find(Node *node, int steps) {
  if (steps == 0 || !node->next) return node->array;
  return find(node->next, steps - 1);
}

float *first, *second;
float *get_first() { return first; }
float *get_second() { return second; }
struct Owner {
  virtual float *array() { return first; }
  virtual ~Owner() {}
};
struct OtherOwner : Owner {
  float *array() override { return second; }
};

int main(int argc, char **argv) {
  float *a = make(), *b = make(), *c = make();
  first = make();
  second = make();
  go_down_ok(a, b, argc);
  go_down_bad(a, b, 4);
  go_round_ok(a, b, c, argc);
  go_round_bad(a, b, c, 4);
  ping(a, b, 4);
  keep_own_ok(a, argc);
  keep_own_bad(a, b, argc);
  Node last = {make(), nullptr}, head = {make(), &last};
  found_bad<<<4, 256>>>(find(&head, argc), find(&head, 5), N);
  float *(*get)() = argc > 1 ? get_first : get_second;
  called_bad<<<4, 256>>>(get(), second, N);
  called_ok<<<4, 256>>>(get(), a, N);
  Owner one;
  OtherOwner other;
  Owner *owner = argc > 1 ? &one : &other;
  virtual_bad<<<4, 256>>>(owner->array(), second, N);
  virtual_ok<<<4, 256>>>(owner->array(), a, N);
  cudaDeviceSynchronize();
}
