// Fence and scope. vllm-project/vllm #2760: each rank had one byte in a word of eight; a rank set its byte in the others' words by a
// volatile store, and waited until all bytes of its own word were set by volatile loads of the whole word.
// In small: the ranks are the blocks of one launch, two of them, and the bytes two of a short. Accesses of different size are not
// morally strong in the PTX model, volatile or not: the store of a byte races with the load of both [byte]. Fixed: each rank has a word
// of its own. The data have fences on both sides, in both; as the bytes tell of nothing, they race as well before [part].
//@ pairs: exact
//@ verdict exchange: racy
//@ verdict exchange_fixed: race-free
//@ known-undecided exchange: what the bytes of a word tell, once they race themselves

__global__ void exchange(const float *in, float *parts, float *out, unsigned short *signals) {
  int rank = blockIdx.x, other = 1 - rank, t = threadIdx.x;
  parts[rank * 128 + t] = 2 * in[rank * 128 + t]; // expect-race[part](inter-block)
  __threadfence();
  __syncthreads();
  if (t == 0) {
    *((volatile unsigned char *)&signals[other] + rank) = 1; // expect-race[byte](inter-block)
    *((volatile unsigned char *)&signals[rank] + rank) = 1;
    while (*(volatile unsigned short *)&signals[rank] != 0x0101) // expect-race[byte](inter-block)
      ;
    __threadfence();
  }
  __syncthreads();
  out[rank * 128 + t] = parts[rank * 128 + t] + parts[other * 128 + t]; // expect-race[part](inter-block)
}

__global__ void exchange_fixed(const float *in, float *parts, float *out, unsigned *signals) { // expect-clean
  int rank = blockIdx.x, other = 1 - rank, t = threadIdx.x;
  parts[rank * 128 + t] = 2 * in[rank * 128 + t];
  __threadfence();
  __syncthreads();
  if (t == 0) {
    *(volatile unsigned *)&signals[other] = 1;
    while (*(volatile unsigned *)&signals[rank] != 1)
      ;
    __threadfence();
  }
  __syncthreads();
  out[rank * 128 + t] = parts[rank * 128 + t] + parts[other * 128 + t];
}

int main() {
  float *in, *parts, *out;
  unsigned *signals;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&parts, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMalloc(&signals, 2 * sizeof(unsigned));
  cudaMemset(signals, 0, 2 * sizeof(unsigned));
  exchange<<<2, 128>>>(in, parts, out, (unsigned short *)signals);
  cudaMemset(signals, 0, 2 * sizeof(unsigned));
  exchange_fixed<<<2, 128>>>(in, parts, out, signals);
}
