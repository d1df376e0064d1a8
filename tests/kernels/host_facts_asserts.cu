// Copies inside and between matrices that are right because the host checks their shapes. Each `_bad` twin is the same
// kernel, launched by the same code without the check.
//   upper_to_lower, lower_to_upper: the mirrored place of (row, col) is in the same matrix only if it is square.
//   from_packed: the threads range over the rows of a packed triangle, the index over the columns of the target.
//   turned: sizes are those given or defaults; a column of the target is as long as one of the source only if they are equal.
//   given: a size counts only where it was given, which the host has asked before; as a twin for any.
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict upper_to_lower_ok: race-free
//@ verdict upper_to_lower_bad: racy
//@ verdict lower_to_upper_ok: race-free
//@ verdict lower_to_upper_bad: racy
//@ verdict from_packed_ok: race-free
//@ verdict from_packed_bad: racy
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define MUST(condition)                                                                                                \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                               \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

__device__ void upper_to_lower(float *a, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= row) return;
  a[row * cols + col] = a[col * cols + row]; // expect-race {{missing=rows == cols weaker=rows <= cols}}
}

__device__ void lower_to_upper(float *a, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= row) return;
  a[col * cols + row] = a[row * cols + col]; // expect-race {{missing=rows == cols weaker=rows <= cols}}
}

__device__ void from_packed(float *a, const float *packed, int size, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= size || col >= size) return;
  float value = row >= col ? packed[row * (row + 1) / 2 + col] : packed[col * (col + 1) / 2 + row];
  a[row * cols + col] = value; // expect-race {{missing=size == cols weaker=size <= cols}}
}

__global__ void upper_to_lower_ok(float *a, int rows, int cols) { // expect-clean
  upper_to_lower(a, rows, cols);
}
__global__ void upper_to_lower_bad(float *a, int rows, int cols) { upper_to_lower(a, rows, cols); }
__global__ void lower_to_upper_ok(float *a, int rows, int cols) { // expect-clean
  lower_to_upper(a, rows, cols);
}
__global__ void lower_to_upper_bad(float *a, int rows, int cols) { lower_to_upper(a, rows, cols); }
__global__ void from_packed_ok(float *a, const float *packed, int size, int cols) { // expect-clean
  from_packed(a, packed, size, cols);
}
__global__ void from_packed_bad(float *a, const float *packed, int size, int cols) {
  from_packed(a, packed, size, cols);
}

class Packed {
public:
  explicit Packed(int size) : size_(size) { cudaMalloc((void **)&data_, size * (size + 1) / 2 * sizeof(float)); }
  int Size() const { return size_; }
  const float *Data() const { return data_; }

private:
  float *data_;
  int size_;
};

class Matrix {
public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols) {
    cudaMalloc((void **)&data_, (size_t)rows * cols * sizeof(float));
  }
  int NumRows() const { return rows_; }
  int NumCols() const { return cols_; }
  void UpperToLower(bool is_checked);
  void LowerToUpper(bool is_checked);
  void CopyFromPacked(const Packed &packed);
  void CopyFromPackedUnchecked(const Packed &packed);

private:
  dim3 Grid(dim3 block) const {
    return dim3((cols_ + block.x - 1) / block.x, (rows_ + block.y - 1) / block.y);
  }
  float *data_;
  int rows_, cols_;
};

void Matrix::UpperToLower(bool is_checked) {
  dim3 block(16, 16);
  if (is_checked) {
    assert(rows_ == cols_);
    upper_to_lower_ok<<<Grid(block), block>>>(data_, NumRows(), NumCols());
  } else {
    upper_to_lower_bad<<<Grid(block), block>>>(data_, NumRows(), NumCols());
  }
}

void Matrix::LowerToUpper(bool is_checked) {
  dim3 block(16, 16);
  if (is_checked) {
    if (rows_ != cols_) throw std::runtime_error("not square");
    lower_to_upper_ok<<<Grid(block), block>>>(data_, NumRows(), NumCols());
  } else {
    lower_to_upper_bad<<<Grid(block), block>>>(data_, NumRows(), NumCols());
  }
}

void Matrix::CopyFromPacked(const Packed &packed) {
  MUST(packed.Size() == rows_ && rows_ == cols_);
  dim3 block(16, 16);
  from_packed_ok<<<Grid(block), block>>>(data_, packed.Data(), packed.Size(), NumCols());
}

void Matrix::CopyFromPackedUnchecked(const Packed &packed) {
  dim3 block(16, 16);
  from_packed_bad<<<Grid(block), block>>>(data_, packed.Data(), packed.Size(), NumCols());
}

__device__ void turned(float *out, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height)
    out[y * height + x] = 1.0f * x + y; // expect-race
}
__global__ void turned_ok(float *out, int width, int height) { turned(out, width, height); } // expect-clean
__global__ void turned_bad(float *out, int width, int height) { turned(out, width, height); }

__device__ void given(float *out, int pitch, int width) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y;
  if (x < width)
    out[y * pitch + x] = 1.0f * x + y; // expect-race
}
__global__ void given_ok(float *out, int pitch, int width) { given(out, pitch, width); } // expect-clean
__global__ void given_bad(float *out, int pitch, int width) { given(out, pitch, width); }

static void with_options(int argc, char **argv) {
  int width = argc > 2 ? std::atoi(argv[2]) : 256, height = argc > 3 ? std::atoi(argv[3]) : 512;
  if (width < 1 || height < 1) return;
  float *out = nullptr;
  cudaMalloc((void **)&out, (size_t)width * height * sizeof(float));
  dim3 grid((width + 15) / 16, (height + 15) / 16), block(16, 16);
  turned_bad<<<grid, block>>>(out, width, height);
  given_bad<<<grid, 16>>>(out, argc > 2 ? width : 1, width);
  if (argc > 2)
    given_ok<<<grid, 16>>>(out, argc > 2 ? width : 1, width);
  if (width != height) return;
  turned_ok<<<grid, block>>>(out, width, height);
}

int main(int argc, char **argv) {
  with_options(argc, argv);
  if (argc != 8) return 2;
  int rows = std::atoi(argv[1]), cols = std::atoi(argv[2]);
  Matrix unchecked(rows, cols);
  Packed packed(std::atoi(argv[3]));
  unchecked.UpperToLower(false);
  unchecked.LowerToUpper(false);
  unchecked.CopyFromPackedUnchecked(packed);
  Matrix upper(std::atoi(argv[4]), std::atoi(argv[5])), lower(std::atoi(argv[6]), std::atoi(argv[7]));
  Matrix target(std::atoi(argv[4]), std::atoi(argv[7]));
  target.CopyFromPacked(packed);
  upper.UpperToLower(true);
  lower.LowerToUpper(true);
  return cudaDeviceSynchronize() != cudaSuccess;
}
