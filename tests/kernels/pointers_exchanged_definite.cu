// Tables of pointers whose elements a host loop exchanges, in a program whose code is all there: told as definite is only a race that some
// round surely comes to. The kernel writes x[i] and reads y[i + 1], so that it races where both are one.
//   turned: three pointers of which two are one, turned round: two rounds are fine (ok), the third one is not (bad: definite).
//   flagged: one takes the other's place if a number says so that the device leaves (possible, as it need not be), or the user gives (given: definite).
//   compared: the buffer that the other is not, found by comparing pointers, which is not followed (fine in fact: possible); the same one (bad: no less).
//   handed: in a table the first row takes the place of the next one after its use, which is not followed (fine in fact: possible); before it
//   (bad: no less).
//   last: two become one behind the last launch (ok), or before it (bad: definite).
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict flagged_possible: racy
//@ verdict flagged_given: racy
//@ verdict compared_ok: race-free
//@ known-false-alarm compared_ok: what comparing pointers says is not followed
//@ verdict compared_bad: racy
//@ verdict handed_ok: race-free
//@ known-false-alarm handed_ok: which round of the loop has stored to a row is not followed
//@ verdict handed_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
//@ verdict set: race-free
#include <cstdlib>
#include <utility>

__device__ int at() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void surely(float *x, float *y) { x[at()] = y[at() + 1]; } // expect-race {{definite}}
__device__ void perhaps(float *x, float *y) { x[at()] = y[at() + 1]; } // expect-race {{possible}}
__global__ void set(int *flag) { *flag = 1; } // expect-clean
__global__ void turned_ok(float *x, float *y) { surely(x, y); } // expect-clean
__global__ void turned_bad(float *x, float *y) { surely(x, y); }
__global__ void flagged_possible(float *x, float *y) { perhaps(x, y); }
__global__ void flagged_given(float *x, float *y) { surely(x, y); }
__global__ void compared_ok(float *x, float *y) { perhaps(x, y); } // expect-clean
__global__ void compared_bad(float *x, float *y) { perhaps(x, y); }
__global__ void handed_ok(float *x, float *y) { perhaps(x, y); } // expect-clean
__global__ void handed_bad(float *x, float *y) { perhaps(x, y); }
__global__ void last_ok(float *x, float *y) { surely(x, y); } // expect-clean
__global__ void last_bad(float *x, float *y) { surely(x, y); }

int main(int argc, char **argv) {
  enum { BLOCKS = 64, THREADS = 256, BYTES = (BLOCKS * THREADS + 1) * 4 };
  float *a, *b;
  int *d, flag;
  cudaMalloc(&a, BYTES);
  cudaMalloc(&b, BYTES);
  cudaMalloc(&d, 4);

  float *fine[] = {a, b, a};
  for (int i = 0; i < 2; i++) {
    turned_ok<<<BLOCKS, THREADS>>>(fine[0], fine[1]);
    float *first = fine[0];
    fine[0] = fine[1], fine[1] = fine[2], fine[2] = first;
  }
  float *same[] = {a, b, a};
  for (int i = 0; i < 3; i++) {
    turned_bad<<<BLOCKS, THREADS>>>(same[0], same[1]);
    float *first = same[0];
    same[0] = same[1], same[1] = same[2], same[2] = first;
  }

  float *flagged[] = {a, b};
  set<<<1, 1>>>(d);
  for (int i = 0; i < argc; i++) {
    flagged_possible<<<BLOCKS, THREADS>>>(flagged[0], flagged[1]);
    cudaMemcpy(&flag, d, sizeof flag, cudaMemcpyDeviceToHost);
    if (flag) flagged[0] = flagged[1];
  }
  float *given[] = {a, b};
  for (int i = 0; i < argc; i++) {
    flagged_given<<<BLOCKS, THREADS>>>(given[0], given[1]);
    if (atoi(argv[i])) given[0] = given[1];
  }

  float *current = a;
  for (int i = 0; i < argc; i++) {
    compared_ok<<<BLOCKS, THREADS>>>(current, current == a ? b : a);
    current = current == a ? b : a;
  }
  current = a;
  for (int i = 0; i < argc; i++) {
    compared_bad<<<BLOCKS, THREADS>>>(current, current == a ? a : b);
    current = current == a ? b : a;
  }

  float **rows = (float **)malloc(argc * sizeof *rows), **others = (float **)malloc(argc * sizeof *rows);
  for (int i = 0; i < argc; i++) {
    cudaMalloc(&rows[i], BYTES);
    cudaMalloc(&others[i], BYTES);
  }
  for (int i = 0; i + 1 < argc; i++) {
    handed_ok<<<BLOCKS, THREADS>>>(rows[i], rows[i + 1]);
    rows[i + 1] = rows[0];
  }
  for (int i = 0; i + 1 < argc; i++) {
    others[i + 1] = others[0];
    handed_bad<<<BLOCKS, THREADS>>>(others[i], others[i + 1]);
  }

  float *ends[] = {a, b};
  for (int i = 0; i < 4; i++) {
    last_ok<<<BLOCKS, THREADS>>>(ends[0], ends[1]);
    if (i == 3) ends[0] = ends[1];
  }
  float *ended[] = {a, b};
  for (int i = 0; i < 4; i++) {
    if (i == 3) ended[0] = ended[1];
    last_bad<<<BLOCKS, THREADS>>>(ended[0], ended[1]);
  }
}
