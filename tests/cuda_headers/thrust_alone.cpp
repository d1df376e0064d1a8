// A file of the host that includes nothing but thrust.
#include <thrust/host_vector.h>
#include <thrust/random.h>
#include <thrust/random/normal_distribution.h>

int main() {
  thrust::host_vector<int> v(4);
  thrust::minstd_rand numbers;
  thrust::random::experimental::normal_distribution<float> normal(0.f, 1.f);
  memset(&v[0], 0, sizeof(int));
  return v[0] + (int)normal(numbers);
}
