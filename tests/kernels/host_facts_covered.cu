// A launch that covers a product of numbers has at least one block, so the product is positive, and its factors are taken to be (A6):
// `step` is not zero, and threads that go by it do not meet.
//   rounded: as many blocks as make (n * step) threads; one block too many is launched where the product is zero.
//   capped: the smaller of that and a limit; the larger of that and one says nothing of the product.
//   symbolic: the size of the block is a number of the host's; one more block says nothing.
//   digits: an index is taken apart by sizes and put together with a further digit of a loop; there is no room for one more of those.
//@ verdict rounded_ok: race-free
//@ leans rounded_ok: A6
//@ verdict rounded_bad: racy
//@ verdict capped_ok: race-free
//@ leans capped_ok: A6
//@ verdict capped_bad: racy
//@ verdict symbolic_ok: race-free
//@ verdict symbolic_bad: racy
//@ verdict digits_ok: race-free
//@ leans digits_ok: A6
//@ verdict digits_bad: racy
#include <algorithm>

__device__ void put(int *out, int n, int step) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t * step] = t; // expect-race[put]
}
__global__ void rounded_ok(int *out, int n, int step) { put(out, n, step); } // expect-clean
__global__ void rounded_bad(int *out, int n, int step) { put(out, n, step); }
__global__ void capped_ok(int *out, int n, int step) { put(out, n, step); } // expect-clean
__global__ void capped_bad(int *out, int n, int step) { put(out, n, step); }
__global__ void symbolic_ok(int *out, int n, int step) { put(out, n, step); } // expect-clean
__global__ void symbolic_bad(int *out, int n, int step) { put(out, n, step); }

__device__ void digits(int *out, int n, int height, int width, int rounds, int last) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  int x = t % width, y = t / width % height, channel = t / width / height;
  for (int i = 0; i < last; i++)
    out[((channel * rounds + i) * height + y) * width + x] = t; // expect-race[digits]
}
__global__ void digits_ok(int *out, int n, int height, int width, int rounds) { // expect-clean
  digits(out, n, height, width, rounds, rounds);
}
__global__ void digits_bad(int *out, int n, int height, int width, int rounds) {
  digits(out, n, height, width, rounds, rounds + 1);
}

void run(int *out, int n, int m, int step, int threads, int height, int width, int rounds) {
  rounded_ok<<<(m * step + 255) / 256, 256>>>(out, n, step);
  rounded_bad<<<(m * step + 256) / 256, 256>>>(out, n, step);
  capped_ok<<<std::min((m * step + 255) / 256, 65535), 256>>>(out, n, step);
  capped_bad<<<std::max((m * step + 255) / 256, 1), 256>>>(out, n, step);
  symbolic_ok<<<(m * step + threads - 1) / threads, threads>>>(out, n, step);
  symbolic_bad<<<(m * step + threads) / threads, threads>>>(out, n, step);
  int count = m * height * width;
  digits_ok<<<(count + 255) / 256, 256>>>(out, count, height, width, rounds);
  digits_bad<<<(count + 255) / 256, 256>>>(out, count, height, width, rounds);
}
