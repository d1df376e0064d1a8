// Class 4: loops of the host bound the arguments (luDecomposition, needlemanWunsch), and their other shapes.
#include <cstdlib>

__global__ void lud_internal(float *m, int dim, int offset) { m[offset] = 0; }
__global__ void needle(int *items, int cols, int i, int block_width) { items[i] = 0; }
__global__ void halve(float *d, int s) { d[s] = 0; }
__global__ void twice(float *d, int s) { d[s] = 0; }
__global__ void downwards(float *d, int s) { d[s] = 0; }
__global__ void unsigned_steps(float *d, unsigned s) { d[s] = 0; }
__global__ void nested(float *d, int k, int j) { d[k ^ j] = 0; }
__global__ void after(float *d, int p) { d[p] = 0; }
__global__ void shrinks(float *d, int left) { d[left] = 0; }
__global__ void finds(float *d, int i) { d[i] = 0; }

void lud(float *m, int hMatrixDim) {
  int hOffset;
  for (hOffset = 0; hOffset < hMatrixDim - 16; hOffset += 16) {
    int blocks = (hMatrixDim - hOffset) / 16 - 1;
    lud_internal<<<dim3(blocks, blocks), dim3(16, 16)>>>(m, hMatrixDim, hOffset);
  }
}

void nw(int *items, int max_cols) {
  int block_width = (max_cols - 1) / 16;
  for (int i = 1; i <= block_width; i++) needle<<<i, 16>>>(items, max_cols, i, block_width);
  for (int i = block_width - 1; i >= 1; i--) needle<<<i, 16>>>(items, max_cols, i, block_width);
}

void shapes(float *d, int n, unsigned u, const int *table) {
  for (int s = 512; s > 0; s >>= 1) halve<<<1, s>>>(d, s);
  for (int s = 1; s < n; s *= 2) twice<<<1, 256>>>(d, s);
  for (int s = n - 1; s >= 0; --s) downwards<<<1, 256>>>(d, s);
  for (unsigned s = 0; s < u; s += 4) unsigned_steps<<<1, 256>>>(d, s);
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) nested<<<1, 256>>>(d, k, j);
  int p = 1;
  while (p < n) p <<= 1;
  after<<<1, 256>>>(d, p);
  for (int left = n; left > 1; left = (left + 255) / 256) shrinks<<<left, 256>>>(d, left);
  int i = 0;
  for (; i < n; i++)
    if (table[i] == 7) break;
  finds<<<1, 256>>>(d, i);
}

//@ launch: lud_internal<<<
//@ has: arg 2   hOffset
//@ has: value   hOffset = iteration(hOffset) * 16 (loop_bounds.cu:17)
//@ launch: needle<<<
//@ count: 2
//@ launch: loop_bounds.cu:25
//@ has: <= (max_cols - 1) / 16 (loop_bounds.cu:25)
//@ launch: loop_bounds.cu:26
//@ has: [loop] 1 <= i (loop_bounds.cu:26)
//@ has: value   i = (max_cols - 1) / 16 - 1 - iteration(i)
//@ launch: halve<<<
//@ has: value   s = 512 >> 
//@ launch: twice<<<
//@ has: value   s = 1 << 
//@ launch: downwards<<<
//@ has: value   s = n - 1 - 
//@ launch: unsigned_steps<<<
//@ has: [loop]
//@ launch: nested<<<
//@ has: value   k = 2 << 
//@ launch: after<<<
//@ has: value   p = 1 << iteration(p) (loop_bounds.cu:37)
//@ has: [loop] n <= p
//@ lacks: iteration(k)
//@ launch: shrinks<<<
//@ has: arg 1   left
//@ has: [loop] 1 < left
//@ launch: finds<<<
//@ has: arg 1   i
