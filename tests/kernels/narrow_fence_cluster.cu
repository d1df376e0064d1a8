// One block of a cluster tells the others of a word by a flag of cluster scope. A fence of the cluster stands before it (ok), one of the block
// (narrow: it is there, but does not reach the other blocks), none (none).
//@ args: --arch=sm_90
//@ verdict cluster_ok: race-free
//@ verdict cluster_narrow_bad: racy
//@ verdict cluster_none_bad: racy
template <int kind> __device__ void tell(int *flags, int *data, int *out) {
  unsigned base = blockIdx.x / 4 * 4;
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == base) {
    data[base] = 1; // expect-race {{cause=insufficient-scope-fence}} expect-race {{cause=missing-fence}}
    if (kind == 0)
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
    if (kind == 1)
      asm volatile("fence.acq_rel.cta;" ::: "memory");
    asm volatile("st.relaxed.cluster.b32 [%0], %1;" ::"l"(&flags[base]), "r"(1) : "memory");
  } else {
    int value;
    do {
      asm volatile("ld.relaxed.cluster.b32 %0, [%1];" : "=r"(value) : "l"(&flags[base]) : "memory");
    } while (!value);
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    out[blockIdx.x] = data[base]; // expect-race {{cause=insufficient-scope-fence}} expect-race {{cause=missing-fence}}
  }
}
__cluster_dims__(4) __global__ void cluster_ok(int *flags, int *data, int *out) { tell<0>(flags, data, out); } // expect-clean
__cluster_dims__(4) __global__ void cluster_narrow_bad(int *flags, int *data, int *out) { tell<1>(flags, data, out); }
__cluster_dims__(4) __global__ void cluster_none_bad(int *flags, int *data, int *out) { tell<2>(flags, data, out); }

int main() {
  int *flags, *data, *out;
  cudaMalloc((void **)&flags, 1024);
  cudaMemset(flags, 0, 1024);
  cudaMalloc((void **)&data, 256);
  cudaMalloc((void **)&out, 256);
  cluster_ok<<<64, 32>>>(flags, data, out);
  cluster_narrow_bad<<<64, 32>>>(flags + 64, data, out);
  cluster_none_bad<<<64, 32>>>(flags + 128, data, out);
}
