// What is put into memory is one of two allocations (`later ? one : other`): each of them counts as put there. Each kernel shifts by one place, out of one array
// into the other. listed: two nodes of a list, each with an allocation of its own (ok), or all with a choice of the same two (bad). paired: members that change
// places (ok), or hang on the condition in the same way (bad). refilled: a variable that is filled anew between two stores (ok), or not (bad).
//@ verdict listed_ok: race-free
//@ leans listed_ok: A2
//@ verdict listed_bad: racy
//@ verdict paired_ok: race-free
//@ verdict paired_bad: racy
//@ verdict refilled_ok: race-free
//@ verdict refilled_bad: racy
#include <cuda_runtime.h>
#include <map>
#include <string>

__device__ void shift(float *a, const float *b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void listed_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void listed_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void paired_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void paired_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void refilled_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void refilled_bad(float *a, const float *b, int n) { shift(a, b, n); }

struct Fresh {
  float *data;
  Fresh *next;
};
struct Chosen {
  float *data;
  Chosen *next;
};

void lists(int later) {
  float *one, *other;
  cudaMalloc(&one, 4096);
  cudaMalloc(&other, 4096);
  Fresh *fresh = nullptr;
  Chosen *chosen = nullptr;
  for (int i = 0; i < 3; i++) {
    float *made;
    cudaMalloc(&made, 4096);
    fresh = new Fresh{made, fresh};
    chosen = new Chosen{later > 1 ? one : other, chosen};
  }
  listed_ok<<<4, 256>>>(fresh->data, fresh->next->data, 1024);
  listed_bad<<<4, 256>>>(chosen->data, chosen->next->data, 1024);
}

struct Crossed {
  float *in, *out;
};
struct Straight {
  float *in, *out;
};

void pairs(int later, const char *name) {
  float *one, *other;
  cudaMalloc(&one, 4096);
  cudaMalloc(&other, 4096);
  std::map<std::string, Crossed> crossed;
  std::map<std::string, Straight> straight;
  Crossed &c = crossed["a"];
  Straight &s = straight["a"];
  c.in = later ? one : other;
  c.out = later ? other : one;
  s.in = later ? one : other;
  s.out = later ? one : other;
  Crossed &x = crossed[name];
  Straight &y = straight[name];
  paired_ok<<<4, 256>>>(x.out, x.in, 1024);
  paired_bad<<<4, 256>>>(y.out, y.in, 1024);
}

struct Anew {
  float *in, *out;
};
struct Same {
  float *in, *out;
};

void fills(const char *name) {
  float *at;
  std::map<std::string, Anew> anew;
  std::map<std::string, Same> same;
  cudaMalloc(&at, 4096);
  anew["a"].in = at;
  cudaMalloc(&at, 4096);
  anew["a"].out = at;
  cudaMalloc(&at, 4096);
  same["a"].in = at;
  same["a"].out = at;
  Anew &x = anew[name];
  Same &y = same[name];
  refilled_ok<<<4, 256>>>(x.out, x.in, 1024);
  refilled_bad<<<4, 256>>>(y.out, y.in, 1024);
}

int main(int argc, char **argv) {
  lists(argc);
  pairs(argc, argv[0]);
  fills(argv[0]);
  return 0;
}
