// A volume in three dimensions. The bad one steps from slice to slice by `width` instead of `width * height`, so that
// row 1 of slice 0 is row 0 of slice 1. (A warp has threads of one slice only, and these keep apart.)
//@ verdict scale_ok: race-free
//@ verdict scale_bad: racy
__global__ void scale_ok(float *v, int width, int height, int depth) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth)
    v[(z * height + y) * width + x] *= 2;
}

__global__ void scale_bad(float *v, int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth)
    v[(z + y) * width + x] *= 2; // expect-race {{-Winter-block-race}} expect-race {{-Wintra-block-race}}
}

int main(int argc, char **argv) {
  int width = argc, height = argv[0][0], depth = argv[0][1];
  float *v;
  cudaMalloc((void **)&v, (size_t)width * height * depth * sizeof(float));
  dim3 block(8, 8, 4), grid((width + 7) / 8, (height + 7) / 8, (depth + 3) / 4);
  scale_ok<<<grid, block>>>(v, width, height, depth);
  scale_bad<<<grid, block>>>(v, width, height, depth);
  return 0;
}
