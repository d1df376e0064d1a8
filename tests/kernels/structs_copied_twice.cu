// A struct with a pointer that a container holds twice, by way of variables of functions: an initialiser list, a copy, a loop, another container.
// The twins put each struct there once.
//@ verdict listed: racy
//@ verdict listed_apart: race-free
//@ verdict in_two: racy
//@ verdict in_two_apart: race-free
//@ verdict out_of_one: racy
//@ verdict copied_first: racy
//@ verdict in_rounds: racy
//@ verdict in_rounds_apart: race-free
//@ verdict by_closure: racy
#include <functional>
#include <vector>

struct Part {
  float *data = nullptr;
  long sizes[6];
};

static Part make(long n) {
  Part part;
  float *memory;
  cudaMalloc(&memory, sizeof(float) * n);
  part.data = memory;
  part.sizes[0] = n;
  return part;
}

__global__ void listed(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}

__global__ void listed_apart(const float *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

__global__ void in_two(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}

__global__ void in_two_apart(const float *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

__global__ void out_of_one(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}

__global__ void copied_first(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}

__global__ void in_rounds(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}

__global__ void in_rounds_apart(const float *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

__global__ void by_closure(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}

static std::vector<Part> both(const Part &x, const Part &y) {
  return {x, y};
}

static std::vector<Part> one(const Part &x) {
  return {x};
}

static std::vector<Part> with_copy(const Part &x) {
  Part y = x;
  return {x, y};
}

static std::vector<Part> filled(const Part &x, int count) {
  std::vector<Part> all;
  for (int i = 0; i < count; i++)
    all.push_back(x);
  return all;
}

static std::vector<Part> made(int count) {
  std::vector<Part> all;
  for (int i = 0; i < count; i++)
    all.push_back(make(100));
  return all;
}

int main() {
  Part a = make(100), b = make(100), c = make(100), d = make(100), e = make(100), f = make(100);
  std::vector<Part> v = both(a, a), w = both(b, c);
  listed<<<1, 128>>>(v[0].data, v[1].data, 100);
  listed_apart<<<1, 128>>>(w[0].data, w[1].data, 100);
  Part g = make(100), h = make(100), k = make(100);
  std::vector<Part> first = one(d), second = one(d), third = one(e), fourth = one(f), fifth = one(fourth[0]),
                    sixth = one(k);
  in_two<<<1, 128>>>(first[0].data, second[0].data, 100);
  in_two_apart<<<1, 128>>>(sixth[0].data, third[0].data, 100);
  out_of_one<<<1, 128>>>(fourth[0].data, fifth[0].data, 100);
  std::vector<Part> twice = with_copy(g), many = filled(h, 3), others = made(3);
  copied_first<<<1, 128>>>(twice[0].data, twice[1].data, 100);
  in_rounds<<<1, 128>>>(many[0].data, many[1].data, 100);
  in_rounds_apart<<<1, 128>>>(others[0].data, others[1].data, 100);
  Part l = make(100);
  std::function<std::vector<Part>()> again = [&] { return one(l); };
  std::vector<Part> once = again(), more = again();
  by_closure<<<1, 128>>>(once[0].data, more[0].data, 100);
}
