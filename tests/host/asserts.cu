// Class 1 of the facts: asserts of the host (copyUppToLow, copyLowToUpp, copyFromTp of Kaldi's matrix library).
#include <cassert>
#include <cstdio>
#include <cstdlib>

struct Dim {
  int rows, cols, stride;
};

__global__ void copy_upp_to_low(float *A, Dim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > i && j < d.rows) A[j * d.stride + i] = A[i * d.stride + j];
}
__global__ void copy_from_tp(float *A, const float *B, Dim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < d.cols && j < d.rows) A[i + j * d.stride] = B[j * (j + 1) / 2 + i];
}

class Matrix {
public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), stride_(cols) {
    cudaMalloc((void **)&data_, sizeof(float) * rows * cols);
  }
  int NumRows() const { return rows_; }
  int NumCols() const { return cols_; }
  Dim dim() const { return {rows_, cols_, stride_}; }
  void CopyUppToLow();
  void CopyFromTp(const Matrix &other);

private:
  float *data_;
  int rows_, cols_, stride_;
};

static int blocks(int n, int size) { return (n + size - 1) / size; }

void Matrix::CopyUppToLow() {
  assert(rows_ == cols_);
  if (rows_ == 0) return;
  dim3 block(16, 16), grid(blocks(rows_, 16), blocks(rows_, 16));
  copy_upp_to_low<<<grid, block>>>(data_, dim());
}

void Matrix::CopyFromTp(const Matrix &other) {
  assert(NumRows() == other.NumRows());
  assert(NumCols() == NumRows());
  dim3 block(16, 16), grid(blocks(NumCols(), 16), blocks(NumRows(), 16));
  copy_from_tp<<<grid, block>>>(data_, other.data_, dim());
}

//@ launch: copy_upp_to_low<<<
//@ count: 1
//@ has: <<<dim3((this->rows_ + 15) / 16, (this->rows_ + 15) / 16), dim3(16, 16)>>>
//@ has: [assert] this->rows_ == this->cols_ (asserts.cu:38)
//@ has: [assert] this->rows_ != 0 (asserts.cu:39)
//@ lacks: undecided:
//@ launch: copy_from_tp<<<
//@ has: [assert] this->rows_ == other->rows_ (asserts.cu:45)
//@ has: [assert] this->rows_ == this->cols_ (asserts.cu:46)
//@ lacks: undecided:
