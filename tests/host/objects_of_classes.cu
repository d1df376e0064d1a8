// Objects with fields on the way from main to the launch: constructors, references, new, members in members.
#include <cassert>
#include <cstdlib>

struct Dim {
  int rows, cols, stride;
};
__global__ void upp_to_low(float *A, Dim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > i && j < d.rows) A[j * d.stride + i] = A[i * d.stride + j];
}
__global__ void plain(float *a, int n) { a[n] = 0; }

class Matrix {
public:
  Matrix(int rows, int cols) : data_(nullptr), rows_(0), cols_(0), stride_(0) { Resize(rows, cols); }
  ~Matrix() { cudaFree(data_); }
  void Resize(int rows, int cols) {
    if (rows_ == rows && cols_ == cols) return;
    size_t pitch;
    cudaMallocPitch((void **)&data_, &pitch, cols * sizeof(float), rows);
    rows_ = rows;
    cols_ = cols;
    stride_ = pitch / sizeof(float);
  }
  int NumRows() const { return rows_; }
  void CopyUppToLow() {
    assert(rows_ == cols_);
    dim3 block(16, 16), grid((rows_ + 15) / 16, (rows_ + 15) / 16);
    upp_to_low<<<grid, block>>>(data_, Dim{rows_, cols_, stride_});
  }
  float *data() const { return data_; }

private:
  float *data_;
  int rows_, cols_, stride_;
};

struct Layer {
  Matrix weights;
  int batch;
  Layer(int n, int b) : weights(n, n), batch(b) {}
  void forward() const { plain<<<batch, 64>>>(weights.data(), weights.NumRows()); }
};

static void use(const Matrix &m, int times) {
  for (int t = 0; t < times; t++) plain<<<t + 1, 32>>>(m.data(), m.NumRows());
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  Matrix m(n, n);
  m.CopyUppToLow();
  use(m, 4);
  Matrix *heap = new Matrix(n, 2 * n);
  plain<<<1, 128>>>(heap->data(), heap->NumRows());
  Layer layer(n, 8);
  layer.forward();
  m.Resize(2 * n, 3 * n);
  plain<<<2, 128>>>(m.data(), m.NumRows());
  delete heap;
  return 0;
}

//@ launch: upp_to_low<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(n == 0 ? null : m, {0: n, 8: m.stride_})
//@ has: value   m.stride_ = n == 0 ? 0 : pitch / 4
//@ has: [allocation] n * 4 <= pitch
//@ lacks: undecided:
//@ launch: plain<<<8, 64>>>(n == 0 ? null : layer, n)
//@ launch: plain<<<t + 1, 32>>>(n == 0 ? null : m, n)
//@ has: [loop] t < 4
//@ launch: plain<<<1, 128>>>(n == 0 ? null : 
//@ lacks: unknown pointer
//@ launch: plain<<<2, 128>>>
//@ lacks: unknown pointer
