// Neighbouring lanes exchange values through memory as if a warp ran in lock step. From sm_70 on it does not: a lane may read
// before its neighbour has written [before], or after the neighbour has written again [after]. Only lanes of one warp
// meet: i ^ 1 is in the warp of i. Mended: __syncwarp() in both places.
//@ pairs: exact
//@ verdict warpCommunicate: racy
//@ verdict warpCommunicate_fixed: race-free
__global__ void warpCommunicate(const int *in, int *data) {
  int i = blockIdx.x * 128 + threadIdx.x;
  int mine = in[i];
  data[i] = mine;         // expect-race[before](intra-warp)
  int other = data[i ^ 1]; // expect-race[before](intra-warp) expect-race[after](intra-warp)
  data[i] = mine + other; // expect-race[after](intra-warp)
}

__global__ void warpCommunicate_fixed(const int *in, int *data) { // expect-clean
  int i = blockIdx.x * 128 + threadIdx.x;
  int mine = in[i];
  data[i] = mine;
  __syncwarp();
  int other = data[i ^ 1];
  __syncwarp();
  data[i] = mine + other;
}

int main() {
  int *in, *data;
  cudaMalloc((void **)&in, 1280 * sizeof(int));
  cudaMalloc((void **)&data, 1280 * sizeof(int));
  warpCommunicate<<<10, 128>>>(in, data);
  warpCommunicate_fixed<<<10, 128>>>(in, data);
  return 0;
}
