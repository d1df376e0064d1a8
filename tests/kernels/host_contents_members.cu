// Cells of a grid, each with a list of its neighbours. The host numbers them in nested loops; a block writes the 100
// elements from its cell's `first` on, which is right because cell n begins at n * 100. The many other writes are to
// other members: a place in the list is less than its declared length (A7).
//   filled: as told; in the twins cells begin at n * 99 (short), a cell begins anew where a neighbour is found (reset), and
//     the list is written through a pointer that knows no length, so that it may overwrite `first` (flat).
//@ verdict filled_ok: race-free
//@ verdict filled_short_bad: racy
//@ verdict filled_reset_bad: racy
//@ verdict filled_flat_bad: racy
#include <cstdlib>

struct Neighbour {
  int x, y;
  int number;
  long first;
};

struct Cell {
  int x, y;
  int number;
  long first;
  int count;
  Neighbour neighbours[8];
};

__device__ void fill(const Cell *cells, float *out) {
  long first = cells[blockIdx.x].first;
  for (int k = threadIdx.x; k < 100; k += blockDim.x)
    out[first + k] = blockIdx.x; // expect-race
}

__global__ void filled_ok(const Cell *cells, float *out) { // expect-clean
  int first = cells[blockIdx.x].first;
  for (int k = threadIdx.x; k < 100; k += blockDim.x)
    out[first + k] = blockIdx.x;
}
__global__ void filled_short_bad(const Cell *cells, float *out) { fill(cells, out); }
__global__ void filled_reset_bad(const Cell *cells, float *out) { fill(cells, out); }
__global__ void filled_flat_bad(const Cell *cells, float *out) { fill(cells, out); }

enum Way { PLAIN, SHORT, RESET, FLAT };

template <int way> static Cell *cells_of(int side, int start) {
  Cell *cells = (Cell *)malloc(side * side * sizeof(Cell));
  int n = 0;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      cells[n].x = x;
      cells[n].y = y;
      cells[n].number = n;
      cells[n].first = n * (way == SHORT ? 99 : 100);
      cells[n].count = 0;
      for (int dy = -1; dy < 2; dy++)
        for (int dx = -1; dx < 2; dx++)
          if (y + dy >= 0 && x + dx >= 0 && y + dy < side && x + dx < side && !(dx == 0 && dy == 0)) {
            if (way == FLAT) {
              ((int *)&cells[n])[start + cells[n].count] = 0;
            } else {
              cells[n].neighbours[cells[n].count].x = x + dx;
              cells[n].neighbours[cells[n].count].y = y + dy;
              cells[n].neighbours[cells[n].count].number = (y + dy) * side + x + dx;
              cells[n].neighbours[cells[n].count].first = ((y + dy) * side + x + dx) * 100l;
            }
            if (way == RESET) cells[n].first = (x + dx) * 100;
            cells[n].count++;
          }
      n++;
    }
  return cells;
}

template <int way> static void run(int side, int start) {
  if (side < 2) return;
  Cell *cells = cells_of<way>(side, start), *there;
  float *out;
  cudaMalloc(&there, side * side * sizeof(Cell));
  cudaMalloc(&out, side * side * 100 * sizeof(float));
  cudaMemcpy(there, cells, side * side * sizeof(Cell), cudaMemcpyHostToDevice);
  if (way == PLAIN) filled_ok<<<side * side, 64>>>(there, out);
  if (way == SHORT) filled_short_bad<<<side * side, 64>>>(there, out);
  if (way == RESET) filled_reset_bad<<<side * side, 64>>>(there, out);
  if (way == FLAT) filled_flat_bad<<<side * side, 64>>>(there, out);
}

int main(int argc, char **argv) {
  int side = atoi(argv[1]), start = atoi(argv[2]);
  run<PLAIN>(side, start);
  run<SHORT>(side, start);
  run<RESET>(side, start);
  run<FLAT>(side, start);
}
