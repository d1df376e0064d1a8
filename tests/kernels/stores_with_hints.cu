// Stores with a hint for the caches are stores; the value is converted to what the pointer points to, as the toolkit's overloads convert it.
//@ verdict own: race-free
//@ verdict shared_by_two: racy
__global__ void own(int *out, unsigned v) { // expect-clean
  __stcs(out + threadIdx.x, v);
  __stwt(out + 32 + threadIdx.x, 1u);
}
__global__ void shared_by_two(int *out, unsigned v) {
  __stcs(out + threadIdx.x / 2, v + threadIdx.x); // expect-race
}
int main() {
  int *out;
  cudaMalloc(&out, 256);
  own<<<1, 32>>>(out, 7);
  shared_by_two<<<1, 32>>>(out, 7);
}
