// Bytes are written, words are read: word i / 4 takes in four bytes of four threads. Behind a barrier (ok), without (bad).
// records: memcpy of a length that only the host knows, to places as far apart (ok), or with one byte more (bad).
// copy: memcpy of 16 bytes to places 16 apart (ok), or 12 apart (bad).
// packed: a member of a packed struct need not be aligned: structs 4 bytes apart (ok), 2 apart (bad).
//@ verdict packed_ok: race-free
//@ verdict packed_bad: racy
//@ verdict pack_ok: race-free
//@ verdict pack_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_bad: racy
//@ verdict records_ok: race-free
//@ verdict records_bad: racy
#include <cstring>

__global__ void pack_ok(const unsigned char *in, unsigned *out) { // expect-clean
  __shared__ __align__(4) unsigned char s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 32)
    out[blockIdx.x * 32 + t] = ((unsigned *)s)[t];
}

__global__ void pack_bad(const unsigned char *in, unsigned *out) {
  __shared__ __align__(4) unsigned char s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t]; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  if (t < 32)
    out[blockIdx.x * 32 + t] = ((unsigned *)s)[t]; // expect-race
}

struct __attribute__((packed)) Tagged {
  char tag;
  int value;
};

__global__ void packed_ok(char *to) { // expect-clean
  ((Tagged *)(to + 4 * threadIdx.x))->value = threadIdx.x;
}

__global__ void packed_bad(char *to) {
  ((Tagged *)(to + 2 * threadIdx.x))->value = threadIdx.x; // expect-race
}

__global__ void copy_ok(char *to, const char *from) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  memcpy(to + 16 * i, from + 16 * i, 16);
}

__global__ void copy_bad(char *to, const char *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  memcpy(to + 12 * i, from + 16 * i, 16); // expect-race
}

__global__ void records_ok(char *to, const char *from, int length) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (length > 0)
    memcpy(to + (long long)i * length, from + (long long)i * length, length);
}

__global__ void records_bad(char *to, const char *from, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (length > 0)
    memcpy(to + (long long)i * length, from + (long long)i * (length + 1), length + 1); // expect-race
}

int main(int argc, char **argv) {
  int length = argc;
  unsigned char *in;
  unsigned *out;
  char *a, *b;
  cudaMalloc((void **)&in, 8 * 128);
  cudaMalloc((void **)&out, 8 * 128);
  cudaMalloc((void **)&a, 16 * 1024);
  cudaMalloc((void **)&b, 16 * 1024);
  packed_ok<<<1, 64>>>(a);
  packed_bad<<<1, 64>>>(a);
  pack_ok<<<8, 128>>>(in, out);
  pack_bad<<<8, 128>>>(in, out);
  copy_ok<<<8, 128>>>(a, b);
  copy_bad<<<8, 128>>>(a, b);
  records_ok<<<8, 128>>>(a, b, length);
  records_bad<<<8, 128>>>(a, b, length);
  return 0;
}
