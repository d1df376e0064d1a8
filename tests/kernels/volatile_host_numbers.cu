// Numbers that the host keeps in volatile and atomic variables: what is stored there, unless other code may store as well.
// stored: what visible code has stored is fine (any), so that a race needs other code: possible; or is a race by itself (bad): definite.
// behind: launched behind a wait for the library's own state, which lies where nobody sees (ok).
//@ verdict behind_ok: race-free
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ verdict handled_bad: racy
//@ verdict local_ok: race-free
//@ verdict local_bad: racy
//@ verdict threaded_bad: racy
//@ verdict stored_any: racy
//@ verdict stored_bad: racy
#include <atomic>
#include <csignal>
#include <cuda_runtime.h>
#include <future>
#include <thread>

static volatile int kept = 64, handled = 64, stored = 16;

__global__ void kept_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}

__global__ void kept_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race[kept]
}

__global__ void handled_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race[handled]
}

__global__ void local_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}

__global__ void local_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race[local]
}

__global__ void threaded_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race[threaded]
}

__global__ void stored_any(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race {{/possible/}}
}

__global__ void stored_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race {{/warning: write/}}
}

__global__ void behind_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}

static void on_signal(int) { handled = 32; }

int main() {
  int *a;
  cudaMalloc(&a, 4096);
  auto later = std::async([] {});
  later.get();
  behind_ok<<<1, 64>>>(a, 64);
  kept_ok<<<1, 64>>>(a, kept);
  kept_bad<<<1, 128>>>(a, kept);
  signal(SIGINT, on_signal);
  handled_bad<<<1, 64>>>(a, handled);
  volatile int local = 32;
  local += 32;
  local_ok<<<1, 64>>>(a, local);
  local -= 32;
  local_bad<<<1, 64>>>(a, local);
  volatile int threaded = 64;
  std::thread other([&] { threaded = 32; });
  threaded_bad<<<1, 64>>>(a, threaded);
  other.join();
  stored = 64;
  stored_any<<<1, 64>>>(a, stored);
  stored = 32;
  stored_bad<<<1, 64>>>(a, stored);
}
