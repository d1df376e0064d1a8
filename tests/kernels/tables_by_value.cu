// A table in a struct that is passed by value, filled by the host: each block works on the chunk that its entry names (multi-tensor updates of
// optimizers). Chunks are apart where entries are.
//   halves: two blocks are given one chunk. patched: one entry is changed behind the loop. told: an unknown function is given the struct.
//   later: the table is filled behind the launch, so the kernel reads what nobody put there. copied: of a copy, one entry is changed.
//   bytes: the entries have 8 bits, so that of more than 256 some are alike. array: the launch is given an array of addresses.
//@ verdict chunks_ok: race-free
//@ verdict halves_bad: racy
//@ verdict patched_bad: racy
//@ verdict told_bad: racy
//@ verdict later_bad: racy
//@ verdict copied_bad: racy
//@ verdict bytes_ok: race-free
//@ verdict bytes_bad: racy
//@ verdict array_ok: race-free
//@ verdict array_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

struct Meta {
  float *p;
  int n, chunk_of[320];
  unsigned char byte_of[320];
};
extern void tell(Meta *m);

__device__ void update(const Meta &m, int c, int chunk) {
  float *p = m.p + c * chunk;
  int n = m.n - c * chunk;
  for (int i = threadIdx.x; i < n && i < chunk; i += blockDim.x)
    p[i] += 1; // expect-race[chunks]
}
__global__ void chunks_ok(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); } // expect-clean
__global__ void halves_bad(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); }
__global__ void patched_bad(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); }
__global__ void told_bad(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); }
__global__ void later_bad(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); }
__global__ void copied_bad(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); }
__global__ void bytes_ok(Meta m, int chunk) { update(m, m.byte_of[blockIdx.x], chunk); } // expect-clean
__global__ void bytes_bad(Meta m, int chunk) { update(m, m.byte_of[blockIdx.x], chunk); }
__global__ void array_ok(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); } // expect-clean
__global__ void array_bad(Meta m, int chunk) { update(m, m.chunk_of[blockIdx.x], chunk); }

static Meta numbered() {
  Meta m;
  m.n = 1000000;
  cudaMalloc(&m.p, m.n * 4);
  for (int c = 0; c < 98; c++)
    m.chunk_of[c] = c;
  return m;
}

static void launch_bytes() {
  Meta m = numbered();
  for (int c = 0; c < 256; c++)
    m.byte_of[c] = c;
  bytes_ok<<<256, 512>>>(m, 1024);
  for (int c = 0; c < 300; c++)
    m.byte_of[c] = c;
  bytes_bad<<<300, 512>>>(m, 1024);
}

static void launch_array() {
  Meta m = numbered();
  int chunk = 1024;
  void *args[] = {&m, &chunk};
  cudaLaunchKernel((void *)array_ok, dim3(98), dim3(512), args, 0, 0);
  m.chunk_of[7] = 3;
  cudaLaunchKernel((void *)array_bad, dim3(98), dim3(512), args, 0, 0);
}

int main(int argc, char **argv) {
  Meta m, h, l;
  m = numbered();
  chunks_ok<<<98, 512>>>(m, 1024);
  Meta copy = m;
  copy.chunk_of[3] = 4;
  copied_bad<<<98, 512>>>(copy, 1024);
  m.chunk_of[atoi(argv[1])] = 0;
  patched_bad<<<98, 512>>>(m, 1024);
  h.n = 1000000;
  cudaMalloc(&h.p, h.n * 4);
  for (int c = 0; c < 98; c++)
    h.chunk_of[c] = c / 2;
  halves_bad<<<98, 512>>>(h, 1024);
  l.n = 1000000;
  cudaMalloc(&l.p, l.n * 4);
  later_bad<<<98, 512>>>(l, 1024);
  for (int c = 0; c < 98; c++)
    l.chunk_of[c] = c;
  tell(&l);
  told_bad<<<98, 512>>>(l, 1024);
  launch_bytes();
  launch_array();
}
