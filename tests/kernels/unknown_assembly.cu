// An instruction that is not known may do anything to memory: neither race-free nor racy, but undecided.
// drawn: a surface is written at places that are clamped to its size, which is not known; read: one is only read (ok).
//@ verdict strange: undecided
//@ verdict drawn: undecided
//@ verdict read: race-free
__global__ void strange(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("mystery.op [%0];" ::"l"(a + i) : "memory");
}

__global__ void drawn(cudaSurfaceObject_t image) {
  surf2Dwrite((int)threadIdx.x, image, (int)threadIdx.x * 4, (int)blockIdx.x, cudaBoundaryModeClamp);
}

__global__ void read(cudaSurfaceObject_t image, int *a) { // expect-clean
  a[blockIdx.x * 128 + threadIdx.x] = surf2Dread<int>(image, (int)threadIdx.x * 4, (int)blockIdx.x);
}

int main() {
  int *a;
  cudaMalloc((void **)&a, 1024 * sizeof(int));
  strange<<<8, 128>>>(a);
  cudaSurfaceObject_t image;
  cudaResourceDesc from = {};
  cudaCreateSurfaceObject(&image, &from);
  drawn<<<8, 128>>>(image);
  read<<<8, 128>>>(image, a);
  return 0;
}
