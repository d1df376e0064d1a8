// Spellings that nvcc takes and clang refuses are corrected where clang points at them; their twins need no correction.
struct alignas(16) Four {
  float v[4];
};
__global__ void spellings(float *out) {
  __shared__ alignas(16) float tile[32];
  __shared__ alignas(alignof(Four)) float other[32];
  alignas(8) __shared__ float twin[32];
  unsigned lane, same, x, y;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));  //= sreg laneid i32
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(same)); //= sreg laneid i32
  asm volatile("mov.u32 %0, %warpid; mov.u32 %1, %smid;" : "=r"(x), "=r"(y)); //= sreg warpid i32 | sreg other i32
  tile[lane] = other[same] = twin[x + y];
  __syncthreads(); //= barrier sync block
  out[lane] = tile[same];
}
