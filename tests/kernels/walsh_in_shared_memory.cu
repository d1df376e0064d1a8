// A Walsh transform of 512 elements by 256 threads: in each stage a thread owns the two elements that differ in one bit of their number, so
// one barrier for each stage is enough (ok). Between stages elements change their owners: without the barrier (bad) every access meets
// those of another stage. In the stages of bits 0 and 1, elements 1 and 2 change between threads 0 and 1; in that of bit 8 and the
// one of bit 0 element x has owners x mod 256 and x / 2, which are of two warps.
//@ verdict walsh_ok: race-free
//@ verdict walsh_bad: racy

__global__ void walsh_ok(float *data) { // expect-clean
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 512 + t];
  s[t + 256] = data[blockIdx.x * 512 + t + 256];
  __syncthreads();
  for (int half = 1; half < 512; half *= 2) {
    int first = t / half * 2 * half + t % half;
    float u = s[first];
    float v = s[first + half];
    s[first] = u + v;
    s[first + half] = u - v;
    __syncthreads();
  }
  data[blockIdx.x * 512 + t] = s[t];
  data[blockIdx.x * 512 + t + 256] = s[t + 256];
}

__global__ void walsh_bad(float *data) {
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 512 + t];
  s[t + 256] = data[blockIdx.x * 512 + t + 256];
  __syncthreads();
  for (int half = 1; half < 512; half *= 2) {
    int first = t / half * 2 * half + t % half;
    float u = s[first]; // expect-race[stage](intra-block,intra-warp)
    float v = s[first + half]; // expect-race[stage](intra-block,intra-warp)
    s[first] = u + v; // expect-race[stage](intra-block,intra-warp)
    s[first + half] = u - v; // expect-race[stage](intra-block,intra-warp)
  }
  __syncthreads();
  data[blockIdx.x * 512 + t] = s[t];
  data[blockIdx.x * 512 + t + 256] = s[t + 256];
}

int main() {
  float *data;
  cudaMalloc((void **)&data, 64 * 512 * sizeof(float));
  walsh_ok<<<64, 256>>>(data);
  walsh_bad<<<64, 256>>>(data);
  return 0;
}
