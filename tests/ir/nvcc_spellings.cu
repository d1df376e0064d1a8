// Spellings that nvcc takes and clang refuses are corrected where clang points at them; their twins need no correction.
struct alignas(16) Four {
  float v[4];
};
typedef float Word;
__global__ void spellings(float *out) {
  __shared__ alignas(16) float tile[32];
  __shared__ alignas(alignof(Four)) float other[32];
  __shared__ alignas(16) Word named[32], next[32];
  alignas(8) __shared__ float twin[32];
  unsigned lane, same, x, y;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));  //= sreg laneid i32
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(same)); //= sreg laneid i32
  asm volatile("mov.u32 %0, %warpid; mov.u32 %1, %smid;" : "=r"(x), "=r"(y)); //= sreg warpid i32 | sreg other i32
  tile[lane] = other[same] = twin[x + y];
  __syncthreads(); //= barrier sync block
  out[lane] = tile[same] + named[lane] + next[lane];
}

// No space between a string and an attribute.
extern "C"__global__ void joined(int *out) {
  out[threadIdx.x] = 1;
}
extern "C" __global__ void apart(int *out) {
  out[threadIdx.x] = 1;
}

// A function that is declared without __device__ and defined with it, as in two files.
int scaled(int value);
template <class T> T doubled(T value);
struct Pair {
  int x, y;
  friend Pair operator+(const Pair &a, const Pair &b);
};
__global__ void declared(int *out, Pair *pairs) {
  out[threadIdx.x] = scaled(doubled(out[threadIdx.x])); //= nothing
  pairs[threadIdx.x] = pairs[0] + pairs[1]; //= nothing
}
template <class T> __device__ T doubled(T value) { return value + value; }
__device__ int scaled(int value) { return 3 * value; }
__device__ Pair operator+(const Pair &a, const Pair &b) { return {a.x + b.x, a.y + b.y}; }

// Operands of assembly without a comma between them, and an array of variable length that begins as zeros.
__global__ void no_comma(unsigned char *flag, unsigned value) {
  asm volatile("st.release.sys.global.u8 [%1], %0;" ::"r"(value) "l"(flag) : "memory"); //= store i8 %flag, %0 release system
}
int host(int n) {
  int zeros[n] = {0};
  char more [n + 1] = { };
  return zeros[n - 1] + more[n];
}

// A member template of what depends on template parameters, without the word and with it (twin).
template <class T> struct Cast {
  template <int n> static __device__ void to(T *out) { out[__syncthreads_count(n)] = n; } //= barrier count i32 3 block | barrier count i32 3 block
};
template <class T, int n> __device__ void cast(T *out) {
  Cast<T>::to<n>(out);
  Cast<T>::template to<n>(out + 1);
}
__global__ void casts(int *out) {
  cast<int, 3>(out); //= nothing
}
