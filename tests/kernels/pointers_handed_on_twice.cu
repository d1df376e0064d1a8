// One pointer, or two into one allocation, that the program hands on to where it is not followed: an object behind a pointer to its base, a
// thread of the host, a callback, a function behind a pointer in a container. Each kernel shifts 100 words by one place.
// made: an object that is given two arrays (ok), one of them twice (bad). crossed: two objects are given two arrays in both orders (ok). shared: references to arrays.
// moved: a part of the array so far behind that nothing is common (ok), or so near that something is (bad); of a thread, an object, a struct of a callback, a member
// that is set from the other one.
// listed: a virtual function of objects in a list. named: a function in a map. wrapped: std::ref of one variable.
//@ verdict made_ok: race-free
//@ verdict made_bad: racy
//@ verdict crossed_ok: race-free
//@ verdict shared_ok: race-free
//@ verdict shared_bad: racy
//@ verdict moved_ok: race-free
//@ verdict moved_bad: racy
//@ verdict thread_ok: race-free
//@ verdict thread_bad: racy
//@ verdict packed_ok: race-free
//@ verdict packed_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict wrapped_ok: race-free
//@ verdict wrapped_bad: racy
#include <cuda_runtime.h>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <vector>

__device__ void shift(int *to, const int *from) {
  if (threadIdx.x < 99) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[shift] {{possible}}
}
#define KERNEL(name) \
  __global__ void name(int *to, const int *from) { shift(to, from); }
__global__ void made_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(made_bad)
__global__ void crossed_ok(int *to, const int *from) { shift(to, from); } // expect-clean
__global__ void shared_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(shared_bad)
__global__ void moved_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(moved_bad)
__global__ void thread_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(thread_bad)
__global__ void packed_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(packed_bad)
__global__ void member_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(member_bad)
__global__ void listed_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(listed_bad)
__global__ void named_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(named_bad)
__global__ void wrapped_ok(int *to, const int *from) { shift(to, from); } // expect-clean
KERNEL(wrapped_bad)

struct Step {
  virtual void run() = 0;
  virtual ~Step() {}
};
#define STEP(name, kernel)                                \
  struct name : Step {                                    \
    int *to, *from;                                       \
    name(int *to, int *from) : to(to), from(from) {}      \
    void run() override { kernel<<<1, 128>>>(to, from); } \
  };
STEP(MadeOk, made_ok)
STEP(MadeBad, made_bad)
STEP(CrossedOk, crossed_ok)
STEP(MovedOk, moved_ok)
STEP(MovedBad, moved_bad)
struct Array {
  int *words;
  Array() { cudaMalloc(&words, 4096); }
};
#define SHARING(name, kernel)                                          \
  struct name : Step {                                                 \
    Array &to, &from;                                                  \
    name(Array &to, Array &from) : to(to), from(from) {}               \
    void run() override { kernel<<<1, 128>>>(to.words, from.words); }  \
  };
SHARING(SharedOk, shared_ok)
SHARING(SharedBad, shared_bad)
static void made(int *a, int *b, Array &x, Array &y) {
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(std::make_unique<MadeOk>(a, b));
  steps.push_back(std::make_unique<MadeBad>(a, a));
  steps.push_back(std::make_unique<CrossedOk>(a, b));
  steps.push_back(std::make_unique<CrossedOk>(b, a));
  steps.push_back(std::make_unique<MovedOk>(a, a + 100));
  steps.push_back(std::make_unique<MovedBad>(a, a + 10));
  steps.push_back(std::make_unique<SharedOk>(x, y));
  steps.push_back(std::make_unique<SharedBad>(x, x));
  for (auto &step : steps) step->run();
}

static void go_ok(int *to, int *from) { thread_ok<<<1, 128>>>(to, from); }
static void go_bad(int *to, int *from) { thread_bad<<<1, 128>>>(to, from); }
struct FarPair {
  int *to, *from;
};
struct NearPair {
  int *to, *from;
};
static void go_far(void *given) { packed_ok<<<1, 128>>>(((FarPair *)given)->to, ((FarPair *)given)->from); }
static void go_near(void *given) { packed_bad<<<1, 128>>>(((NearPair *)given)->to, ((NearPair *)given)->from); }
struct FarMembers {
  int *to, *from;
  void work() {
    std::thread([this] { member_ok<<<1, 128>>>(to, from); }).join();
  }
};
struct NearMembers {
  int *to, *from;
  void work() {
    std::thread([this] { member_bad<<<1, 128>>>(to, from); }).join();
  }
};
static void refer_ok(int *&to, int *&from) { wrapped_ok<<<1, 128>>>(to, from); }
static void refer_bad(int *&to, int *&from) { wrapped_bad<<<1, 128>>>(to, from); }
static void threads(int *a, int *b) {
  std::thread(go_ok, a, a + 100).join();
  std::thread(go_bad, a, a + 10).join();
  std::thread(refer_ok, std::ref(a), std::ref(b)).join();
  std::thread(refer_bad, std::ref(a), std::ref(a)).join();
  FarPair far = {a, a + 100};
  NearPair near = {a, a + 10};
  cudaLaunchHostFunc(0, go_far, &far);
  cudaLaunchHostFunc(0, go_near, &near);
  FarMembers members;
  cudaMalloc(&members.to, 4096);
  members.from = members.to + 100;
  members.work();
  NearMembers close;
  cudaMalloc(&close.to, 4096);
  close.from = close.to + 10;
  close.work();
  cudaDeviceSynchronize();
}

struct Runner {
  virtual void run(int *to, int *from) = 0;
};
struct Lister : Runner {
  void run(int *to, int *from) override { listed_ok<<<1, 128>>>(to, from); }
};
struct OneRunner {
  virtual void run(int *to, int *from, int) = 0;
};
struct OneLister : OneRunner {
  void run(int *to, int *from, int) override { listed_bad<<<1, 128>>>(to, from); }
};
typedef void (*Function)(int *, int *, float);
typedef void (*Other)(int *, int *, double);
static void call_ok(int *to, int *from, float) { named_ok<<<1, 128>>>(to, from); }
static void call_bad(int *to, int *from, double) { named_bad<<<1, 128>>>(to, from); }
static void called(int *a, int *b) {
  std::list<Runner *> runners;
  runners.push_back(new Lister);
  for (Runner *runner : runners) runner->run(a, b);
  std::list<OneRunner *> others;
  others.push_back(new OneLister);
  for (OneRunner *runner : others) runner->run(a, a, 1);
  std::map<int, Function> functions;
  functions[1] = call_ok;
  functions[1](a, b, 1);
  std::map<int, Other> twice;
  twice[1] = call_bad;
  twice[1](a, a, 1);
}

int main() {
  int *a, *b;
  Array x, y;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  made(a, b, x, y);
  threads(a, b);
  called(a, b);
  cudaDeviceSynchronize();
}
