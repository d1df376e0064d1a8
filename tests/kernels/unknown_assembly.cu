// An instruction that is not known may do anything to memory: neither race-free nor racy, but undecided.
//@ verdict strange: undecided
__global__ void strange(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("mystery.op [%0];" ::"l"(a + i) : "memory");
}

int main() {
  int *a;
  cudaMalloc((void **)&a, 1024 * sizeof(int));
  strange<<<8, 128>>>(a);
  return 0;
}
