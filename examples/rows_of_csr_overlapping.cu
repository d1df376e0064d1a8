// Each thread fills one row of a sparse matrix: the elements from start[row] up to start[row + 1]. That is right if the
// rows do not overlap, which is what the host makes of the lengths: here a length may come out as -1, so that a row
// begins before the one before it ends.
//@ verdict fill_rows: racy
#include <cstdlib>

__global__ void fill_rows(const int *start, int *row_of, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int k = start[row]; k < start[row + 1]; k++)
      row_of[k] = row; // expect-race {{-Winter-block-race}} expect-race {{-Wintra}}
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 1000;
  int *start = (int *)std::malloc((rows + 1) * sizeof(int));
  start[0] = 0;
  for (int row = 0; row < rows; row++)
    start[row + 1] = start[row] + std::rand() % 20 - 1;
  int *d_start, *d_row_of;
  cudaMalloc((void **)&d_start, (rows + 1) * sizeof(int));
  cudaMalloc((void **)&d_row_of, (size_t)rows * 20 * sizeof(int));
  cudaMemcpy(d_start, start, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
  fill_rows<<<(rows + 127) / 128, 128>>>(d_start, d_row_of, rows);
  cudaDeviceSynchronize();
  cudaFree(d_start);
  cudaFree(d_row_of);
  std::free(start);
  return 0;
}
