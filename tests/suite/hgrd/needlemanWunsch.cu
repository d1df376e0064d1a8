// Alignment of sequences in tiles of 16 along anti-diagonals: launch i works on the tiles with x + y = i - 1, one block each. A tile reads
// the row above it and the column left of it, which belong to tiles of earlier launches, and writes its own 16 x 16 elements; the host's
// loop keeps i, and so the tile's column, within the matrix. Broken: all blocks take tiles of one row (y = i - 1); then the
// column left of a tile is the last one of a tile of the same launch [rw]. (The row above belongs to an earlier one.)
//@ pairs: exact
//@ verdict needlemanWunsch: race-free
//@ verdict needlemanWunsch_broken: racy
#include <cstdlib>

__global__ void needlemanWunsch(const int *reference, int *items, int cols, int penalty, int i) { // expect-clean
  __shared__ int temp[17][17];
  int tx = threadIdx.x, tile_x = blockIdx.x, tile_y = i - 1 - blockIdx.x;
  int corner = cols * 16 * tile_y + 16 * tile_x;
  if (tx == 0)
    temp[0][0] = items[corner];
  temp[tx + 1][0] = items[corner + (tx + 1) * cols];
  temp[0][tx + 1] = items[corner + tx + 1];
  __syncthreads();
  for (int m = 0; m < 16; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      int match = temp[y - 1][x - 1] + reference[corner + y * cols + x];
      temp[y][x] = max(match, max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int m = 14; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + 16 - m, y = 16 - tx;
      int match = temp[y - 1][x - 1] + reference[corner + y * cols + x];
      temp[y][x] = max(match, max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int y = 1; y <= 16; y++)
    items[corner + y * cols + tx + 1] = temp[y][tx + 1];
}

__global__ void needlemanWunsch_broken(const int *reference, int *items, int cols, int penalty, int i) {
  __shared__ int temp[17][17];
  int tx = threadIdx.x, tile_x = blockIdx.x, tile_y = i - 1;
  int corner = cols * 16 * tile_y + 16 * tile_x;
  if (tx == 0)
    temp[0][0] = items[corner];
  temp[tx + 1][0] = items[corner + (tx + 1) * cols]; // expect-race[rw](inter-block)
  temp[0][tx + 1] = items[corner + tx + 1];
  __syncthreads();
  for (int m = 0; m < 16; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      int match = temp[y - 1][x - 1] + reference[corner + y * cols + x];
      temp[y][x] = max(match, max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int m = 14; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + 16 - m, y = 16 - tx;
      int match = temp[y - 1][x - 1] + reference[corner + y * cols + x];
      temp[y][x] = max(match, max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int y = 1; y <= 16; y++)
    items[corner + y * cols + tx + 1] = temp[y][tx + 1]; // expect-race[rw](inter-block)
}

int main(int argc, char **argv) {
  int cols = atoi(argv[1]) * 16 + 1, blocks = (cols - 1) / 16;
  int *reference, *items;
  cudaMalloc((void **)&reference, cols * cols * sizeof(int));
  cudaMalloc((void **)&items, cols * cols * sizeof(int));
  for (int i = 1; i <= blocks; i++) {
    needlemanWunsch<<<i, 16>>>(reference, items, cols, 10, i);
    needlemanWunsch_broken<<<i, 16>>>(reference, items, cols, 10, i);
  }
  return 0;
}
