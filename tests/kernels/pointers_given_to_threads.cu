// Functions that threads of the host run: what they are given is what the program has. two: two pointers (ok). one: one pointer twice (bad). several: threads in a container (bad).
// packed: a struct with one pointer twice (bad), or with two (ok).
//@ verdict two_ok: race-free
//@ verdict one_bad: racy
//@ verdict several_bad: racy
//@ verdict packed_ok: race-free
//@ verdict packed_bad: racy
#include <cuda_runtime.h>
#include <pthread.h>
#include <thread>
#include <vector>

__device__ void move_on(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[moved] {{possible}}
}
__global__ void two_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void one_bad(float *to, const float *from) { move_on(to, from); }
__global__ void several_bad(float *to, const float *from) { move_on(to, from); }
__global__ void packed_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void packed_bad(float *to, const float *from) { move_on(to, from); }

void go_two(float *a, float *b) { two_ok<<<1, 64>>>(a, b); }
void go_one(float *a, float *b) { one_bad<<<1, 64>>>(a, b); }
void go_several(float *a, float *b) { several_bad<<<1, 64>>>(a, b); }
struct Two {
  float *to, *from;
};
struct Same {
  float *to, *from;
};
void *go_packed(void *given) {
  Two *two = (Two *)given;
  packed_ok<<<1, 64>>>(two->to, two->from);
  return nullptr;
}
void *go_same(void *given) {
  Same *same = (Same *)given;
  packed_bad<<<1, 64>>>(same->to, same->from);
  return nullptr;
}

int main() {
  float *p, *q;
  cudaMalloc(&p, 1024);
  cudaMalloc(&q, 1024);
  std::thread two(go_two, p, q), one(go_one, p, p);
  two.join();
  one.join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back(go_several, p, p);
  for (auto &thread : threads)
    thread.join();
  pthread_t first, second;
  Two pair = {p, q};
  pthread_create(&first, nullptr, go_packed, &pair);
  pthread_join(first, nullptr);
  float *r;
  cudaMalloc(&r, 1024);
  Same same = {r, r};
  pthread_create(&second, nullptr, go_same, &same);
  pthread_join(second, nullptr);
}
