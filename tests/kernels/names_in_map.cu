// A map in which each name is given an allocation of its own; the twin gives one name what the other one has.
//@ verdict own_names: race-free
//@ verdict same_names: racy
#include <map>
#include <string>

__global__ void own_names(int *a, const int *b) { // expect-clean
  int i = threadIdx.x;
  if (i < 63) a[i] = b[i + 1];
}

__global__ void same_names(int *a, const int *b) {
  int i = threadIdx.x;
  if (i < 63) a[i] = b[i + 1]; // expect-race
}

int main() {
  int *one, *two;
  cudaMalloc(&one, 256);
  cudaMalloc(&two, 256);
  std::map<std::string, int *> own, same;
  own["a"] = one;
  own["b"] = two;
  own_names<<<1, 64>>>(own["a"], own["b"]);
  same["a"] = one;
  same["b"] = same["a"];
  same_names<<<1, 64>>>(same["a"], same["b"]);
}
