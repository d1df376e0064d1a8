// Two threads are apart by the low bits of their places, in a kernel whose conditions fill pages: which part a block packs
// follows from divisions by a width that is read from memory. The conditions that are long themselves are left out at first.
//   pack: each thread has a word of each part; in the twin parts of the block overlap by half.
//@ verdict pack_ok: race-free
//@ verdict pack_bad: racy
#include <cstdlib>

__device__ int cut(size_t value, int most) {
  return (int)(value < (size_t)most ? value : (size_t)most);
}

__host__ __device__ size_t parts(size_t value, size_t part) {
  return value / part + (value % part > 0);
}

__global__ void pack_ok(const unsigned char *width, unsigned *out, const unsigned char *in, const size_t *count) {
  // expect-clean
  __shared__ unsigned char part[256];
  const size_t n = *count;
  const int bits = *width;
  const int blocks = (int)parts(n, 256);
  for (int b = blockIdx.x; b < blocks; b += gridDim.x) {
    const int place = threadIdx.x + b * 256;
    const size_t from_bit = place * 32ul, to_bit = from_bit + 32;
    const int from = cut(from_bit / bits, n), to = cut(parts(to_bit, bits), n);
    const size_t block_from = b * 256 * 32ul, block_to = (b + 1) * 256 * 32ul;
    const int first = cut(block_from / bits / 256 * 256, n);
    const int last = cut(parts(parts(block_to, bits), 256) * 256, n);
    unsigned word = 0;
    for (int start = first; start < last; start += 256) {
      __syncthreads();
      if (start + threadIdx.x < n) part[threadIdx.x] = in[start + threadIdx.x];
      __syncthreads();
      const int lo = max(from, start), hi = min(to, start + 256);
      for (int i = lo; i < hi; i++)
        word |= (unsigned)part[i - start] << (i * bits - from_bit);
    }
    if (from < n) out[place] = word;
  }
}

__global__ void pack_bad(const unsigned char *width, unsigned *out, const unsigned char *in, const size_t *count) {
  __shared__ unsigned char part[256];
  const size_t n = *count;
  const int bits = *width;
  const int blocks = (int)parts(n, 256);
  for (int b = blockIdx.x; b < blocks; b += gridDim.x) {
    const int place = threadIdx.x + b * 128;
    const size_t from_bit = place * 32ul, to_bit = from_bit + 32;
    const int from = cut(from_bit / bits, n), to = cut(parts(to_bit, bits), n);
    const size_t block_from = b * 256 * 32ul, block_to = (b + 1) * 256 * 32ul;
    const int first = cut(block_from / bits / 256 * 256, n);
    const int last = cut(parts(parts(block_to, bits), 256) * 256, n);
    unsigned word = 0;
    for (int start = first; start < last; start += 256) {
      __syncthreads();
      if (start + threadIdx.x < n) part[threadIdx.x] = in[start + threadIdx.x];
      __syncthreads();
      const int lo = max(from, start), hi = min(to, start + 256);
      for (int i = lo; i < hi; i++)
        word |= (unsigned)part[i - start] << (i * bits - from_bit);
    }
    if (from < n) out[place] = word; // expect-race
  }
}

void pack(const unsigned char *width, unsigned *out, const unsigned char *in, const size_t *count, size_t most) {
  int blocks = parts(most, 256) < 4096 ? (int)parts(most, 256) : 4096;
  pack_ok<<<blocks, 256>>>(width, out, in, count);
  pack_bad<<<blocks, 256>>>(width, out, in, count);
}
