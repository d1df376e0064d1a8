// LDetector's backprop: the weights of the bias are changed by the first row of threads of every block, in place of one block only. So
// blocks meet at the weights, by read [w_rw] and write [w_ww], and at the steps kept for the next time [o_rw], [o_ww]. Within a block the
// 16 threads of a row have an element each. Twin: only blocks with blockIdx.y == 0, of which there is one.
//@ pairs: exact
//@ verdict backprop: racy
//@ verdict backprop_fixed: race-free
__global__ void backprop(const float *delta, const float *units, float *w, float *old) {
  int x = threadIdx.x + 1, i = (blockIdx.y * 16 + threadIdx.y + 1) * 17 + x;
  w[i] += 0.3f * delta[x] * units[blockIdx.y * 16 + threadIdx.y + 1];
  __syncthreads();
  if (threadIdx.y == 0) {
    float step = 0.3f * delta[x] + 0.3f * old[x]; // expect-race[o_rw](inter-block)
    float weight = w[x];                          // expect-race[w_rw](inter-block)
    w[x] = weight + step;                         // expect-race[w_rw](inter-block) expect-race[w_ww](inter-block)
    old[x] = step;                                // expect-race[o_rw](inter-block) expect-race[o_ww](inter-block)
  }
}

__global__ void backprop_fixed(const float *delta, const float *units, float *w, float *old) { // expect-clean
  int x = threadIdx.x + 1, i = (blockIdx.y * 16 + threadIdx.y + 1) * 17 + x;
  w[i] += 0.3f * delta[x] * units[blockIdx.y * 16 + threadIdx.y + 1];
  __syncthreads();
  if (threadIdx.y == 0 && blockIdx.y == 0) {
    float step = 0.3f * delta[x] + 0.3f * old[x];
    float weight = w[x];
    w[x] = weight + step;
    old[x] = step;
  }
}

int main(int argc, char **) {
  int rows = 16 * argc;
  float *delta, *units, *w, *old;
  cudaMalloc((void **)&delta, 17 * sizeof(float));
  cudaMalloc((void **)&units, (rows + 1) * sizeof(float));
  cudaMalloc((void **)&w, (rows + 1) * 17 * sizeof(float));
  cudaMalloc((void **)&old, 17 * sizeof(float));
  backprop<<<dim3(1, argc), dim3(16, 16)>>>(delta, units, w, old);
  backprop_fixed<<<dim3(1, argc), dim3(16, 16)>>>(delta, units, w, old);
  return 0;
}
