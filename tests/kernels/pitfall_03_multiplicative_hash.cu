// A multiplicative hash lives from wrapping around: as an integer, t * 2654435769 never collides; modulo 2^32, its upper
// seven bits must collide for 256 threads and 128 slots. (Not within a warp: the multiplier spreads 32 neighbours evenly.)
//@ verdict insert_ok: race-free
//@ verdict insert_bad: racy
__global__ void insert_ok(unsigned *slots) { // expect-clean
  unsigned t = threadIdx.x;
  atomicExch(&slots[(t * 2654435769u) >> 25], t);
}

__global__ void insert_bad(unsigned *slots) {
  unsigned t = threadIdx.x;
  slots[(t * 2654435769u) >> 25] = t; // expect-race {{-Wintra-block-race}}
}

int main() {
  unsigned *slots;
  cudaMalloc((void **)&slots, 128 * sizeof(unsigned));
  insert_ok<<<1, 256>>>(slots);
  insert_bad<<<1, 256>>>(slots);
  return 0;
}
