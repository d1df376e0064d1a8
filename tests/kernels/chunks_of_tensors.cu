// One launch for many arrays: a struct by value has their pointers and, for each block, the array and the part of it that is the block's. The twin
// gives each part to two blocks.
//@ verdict each_once: race-free
//@ known-undecided each_once: pointers that loops have put into an array of a struct given by value are not followed
//@ verdict each_twice: racy
//@ known-undecided each_twice: pointers that loops have put into an array of a struct given by value are not followed
struct Chunks {
  float *data[2][8];
  int size[8];
  unsigned char array[64];
  int part[64];
};

static __device__ void add(const Chunks &all, int length) {
  int array = all.array[blockIdx.x], first = all.part[blockIdx.x] * length;
  float *to = all.data[0][array], *from = all.data[1][array];
  for (int i = threadIdx.x; i < length && first + i < all.size[array]; i += blockDim.x)
    to[first + i] += from[first + i];
}

__global__ void each_once(Chunks all, int length) { add(all, length); } // expect-clean
__global__ void each_twice(Chunks all, int length) { add(all, length); }

int main() {
  Chunks once, twice;
  int blocks = 0;
  for (int k = 0; k < 4; k++) {
    once.size[k] = twice.size[k] = 1000;
    for (int j = 0; j < 2; j++) {
      cudaMalloc(&once.data[j][k], 4000);
      twice.data[j][k] = once.data[j][k];
    }
    for (int part = 0; part < 4; part++, blocks++) {
      once.array[blocks] = twice.array[blocks] = k;
      once.part[blocks] = part;
      twice.part[blocks] = part / 2;
    }
  }
  each_once<<<blocks, 128>>>(once, 256);
  each_twice<<<blocks, 128>>>(twice, 256);
}
