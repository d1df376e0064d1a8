// Updates of a table at random places. The table is updated atomically; each thread keeps the state of its random numbers in `state`,
// at its number within the block: enough for one block, which is what the host launches. Broken: with more blocks,
// threads of the same number share a state, which they read and write [rw], [ww].
//@ pairs: exact
//@ verdict randomAccess: race-free
//@ verdict randomAccess_broken: racy
#include <cstdlib>

typedef unsigned long long Word;

__global__ void randomAccess(Word *table, Word *state, Word mask, int updates) { // expect-clean
  for (int i = 0; i < updates; i++) {
    Word ran = state[threadIdx.x];
    ran = (ran << 1) ^ ((long long)ran < 0 ? 7 : 0);
    state[threadIdx.x] = ran;
    atomicXor(&table[ran & mask], ran);
  }
}

__global__ void randomAccess_broken(Word *table, Word *state, Word mask, int updates) {
  for (int i = 0; i < updates; i++) {
    Word ran = state[threadIdx.x]; // expect-race[rw](inter-block)
    ran = (ran << 1) ^ ((long long)ran < 0 ? 7 : 0);
    state[threadIdx.x] = ran; // expect-race[rw](inter-block) expect-race[ww](inter-block)
    atomicXor(&table[ran & mask], ran);
  }
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]), updates = atoi(argv[2]);
  Word size = 1 << 20, *table, *state;
  cudaMalloc((void **)&table, size * sizeof(Word));
  cudaMalloc((void **)&state, 128 * sizeof(Word));
  randomAccess<<<1, 128>>>(table, state, size - 1, updates);
  randomAccess_broken<<<blocks, 128>>>(table, state, size - 1, updates);
  return 0;
}
