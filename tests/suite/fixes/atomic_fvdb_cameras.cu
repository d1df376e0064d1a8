// Atomic. openvdb/fvdb-core #434: the gradient of the colours' coefficients is computed for each camera and each Gaussian, and stored by
// Gaussian: with more than one camera the last to store wins.
// The same Gaussian seen by two cameras is two threads, a multiple of the number of Gaussians apart, which may be any number
// [one][y][z][x]. Fixed: atomicAdd.
//@ pairs: exact
//@ verdict harmonics_backward: racy
//@ verdict harmonics_backward_fixed: race-free
#include <cstdlib>

__global__ void harmonics_backward(const float *color_grad, const float3 *direction, float *grad, int cameras, int gaussians) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cameras * gaussians)
    return;
  int g = i % gaussians;
  float3 d = direction[i];
  float c = color_grad[i];
  grad[g * 4] = 0.2820948f * c;            // expect-race[one](every)
  grad[g * 4 + 1] = -0.4886025f * d.y * c; // expect-race[y](every)
  grad[g * 4 + 2] = 0.4886025f * d.z * c;  // expect-race[z](every)
  grad[g * 4 + 3] = -0.4886025f * d.x * c; // expect-race[x](every)
}

__global__ void harmonics_backward_fixed(const float *color_grad, const float3 *direction, float *grad, int cameras, int gaussians) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cameras * gaussians)
    return;
  int g = i % gaussians;
  float3 d = direction[i];
  float c = color_grad[i];
  atomicAdd(&grad[g * 4], 0.2820948f * c);
  atomicAdd(&grad[g * 4 + 1], -0.4886025f * d.y * c);
  atomicAdd(&grad[g * 4 + 2], 0.4886025f * d.z * c);
  atomicAdd(&grad[g * 4 + 3], -0.4886025f * d.x * c);
}

int main(int argc, char **argv) {
  int cameras = atoi(argv[1]), gaussians = atoi(argv[2]), all = cameras * gaussians;
  if (cameras < 1 || gaussians < 1 || cameras > 64 || gaussians > 1 << 24)
    return 1;
  float *color_grad, *grad;
  float3 *direction;
  cudaMalloc(&color_grad, all * sizeof(float));
  cudaMalloc(&direction, all * sizeof(float3));
  cudaMalloc(&grad, gaussians * 4 * sizeof(float));
  cudaMemset(grad, 0, gaussians * 4 * sizeof(float));
  harmonics_backward<<<(all + 255) / 256, 256>>>(color_grad, direction, grad, cameras, gaussians);
  harmonics_backward_fixed<<<(all + 255) / 256, 256>>>(color_grad, direction, grad, cameras, gaussians);
}
