// Relations between members of a class that all code which writes them keeps: the kernels are right for every object
// that can exist, and the functions that launch them check nothing. In each `_bad` twin one writer breaks the relation,
// or the address of a member gets to code that is not seen, or the members are public, so that anybody may set them.
//   mirror: a square matrix with rows further apart than they are long (stride >= columns).
//   append: the second half of a buffer begins behind what is in use of the first (size <= capacity).
//   tiles: every object has tiles of a multiple of 32 elements.
//@ verdict mirror_ok: race-free
//@ verdict mirror_bad: racy
//@ verdict mirror_let_out: racy
//@ verdict mirror_public: racy
//@ verdict mirror_view_ok: race-free
//@ verdict mirror_seen: race-free
//@ verdict mirror_unseen: racy
//@ verdict mirror_inline: racy
//@ verdict mirror_handed: racy
//@ verdict append_ok: race-free
//@ verdict append_bad: racy
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
#include <cassert>
#include <cstddef>

__device__ void mirror(float *a, int rows, int stride) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= row) return;
  a[col * stride + row] = a[row * stride + col]; // expect-race {{missing=rows == stride}}
}
__global__ void mirror_ok(float *a, int rows, int stride) { mirror(a, rows, stride); } // expect-clean
__global__ void mirror_bad(float *a, int rows, int stride) { mirror(a, rows, stride); }
__global__ void mirror_let_out(float *a, int rows, int stride) { mirror(a, rows, stride); }
__global__ void mirror_public(float *a, int rows, int stride) { mirror(a, rows, stride); }
__global__ void mirror_seen(float *a, int rows, int stride) { mirror(a, rows, stride); } // expect-clean
__global__ void mirror_unseen(float *a, int rows, int stride) { mirror(a, rows, stride); }
__global__ void mirror_inline(float *a, int rows, int stride) { mirror(a, rows, stride); }
__global__ void mirror_handed(float *a, int rows, int stride) { mirror(a, rows, stride); }
__global__ void mirror_view_ok(float *a, int rows, int stride) { mirror(a, rows, stride); } // expect-clean

static dim3 blocks(int n) { return dim3((n + 15) / 16, (n + 15) / 16); }
template <class T> static void exchange(T &a, T &b) {
  T c = a;
  a = b;
  b = c;
}

class Matrix {
public:
  Matrix() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  void resize(int rows, int cols, bool is_dense);
  void swap(Matrix *other);
  void mirror();

private:
  float *data_;
  int cols_, rows_, stride_;
};

void Matrix::resize(int rows, int cols, bool is_dense) {
  size_t pitch = cols * sizeof(float);
  if (is_dense)
    cudaMalloc((void **)&data_, rows * pitch);
  else
    cudaMallocPitch((void **)&data_, &pitch, pitch, rows);
  rows_ = rows;
  cols_ = cols;
  stride_ = pitch / sizeof(float);
}
void Matrix::swap(Matrix *other) {
  exchange(data_, other->data_);
  exchange(cols_, other->cols_);
  exchange(rows_, other->rows_);
  exchange(stride_, other->stride_);
}
void Matrix::mirror() {
  assert(rows_ == cols_);
  mirror_ok<<<blocks(rows_), dim3(16, 16)>>>(data_, rows_, stride_);
}

// As above, but who swaps forgets the columns.
class Careless {
public:
  Careless() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  void resize(int rows, int cols);
  void swap(Careless *other);
  void mirror();

private:
  float *data_;
  int cols_, rows_, stride_;
};

void Careless::resize(int rows, int cols) {
  size_t pitch;
  cudaMallocPitch((void **)&data_, &pitch, cols * sizeof(float), rows);
  rows_ = rows;
  cols_ = cols;
  stride_ = pitch / sizeof(float);
}
void Careless::swap(Careless *other) {
  exchange(data_, other->data_);
  exchange(rows_, other->rows_);
  exchange(stride_, other->stride_);
}
void Careless::mirror() {
  assert(rows_ == cols_);
  mirror_bad<<<blocks(rows_), dim3(16, 16)>>>(data_, rows_, stride_);
}

void elsewhere(int *stride);
class LetOut {
public:
  LetOut() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  void resize(int rows, int cols);
  void tune() { elsewhere(&stride_); }
  void mirror();

private:
  float *data_;
  int cols_, rows_, stride_;
};

void LetOut::resize(int rows, int cols) {
  cudaMalloc((void **)&data_, rows * cols * sizeof(float));
  rows_ = rows;
  cols_ = stride_ = cols;
  tune();
}
void LetOut::mirror() {
  assert(rows_ == cols_);
  mirror_let_out<<<blocks(rows_), dim3(16, 16)>>>(data_, rows_, stride_);
}

struct Public {
  float *data;
  int cols_, rows_, stride_;
  void resize(int rows, int cols);
  void mirror();
};

void Public::resize(int rows, int cols) {
  cudaMalloc((void **)&data, rows * cols * sizeof(float));
  rows_ = rows;
  cols_ = stride_ = cols;
}
void Public::mirror() {
  assert(rows_ == cols_);
  mirror_public<<<blocks(rows_), dim3(16, 16)>>>(data, rows_, stride_);
}

// A part of another: its relation comes from that of the other and from the check. The first member is a number.
class View {
public:
  View(float *data, int rows, int cols, int stride) : rows_(rows), cols_(cols), stride_(stride), data_(data) {
    assert(stride >= cols);
  }
  View(const View &other, int first, int count)
      : rows_(other.rows_), cols_(count), stride_(other.stride_), data_(other.data_ + first) {
    assert(first >= 0 && count >= 0 && first + count <= other.cols_);
  }
  void mirror();

private:
  int rows_, cols_, stride_;
  float *data_;
};

void consume(View *view);
void make_views(float *data, int rows, int cols, int stride) {
  View whole(data, rows, cols, stride), part(whole, 1, cols - 1);
  consume(&whole);
  consume(&part);
}
void View::mirror() {
  assert(rows_ == cols_);
  mirror_view_ok<<<blocks(rows_), dim3(16, 16)>>>(data_, rows_, stride_);
}

// All that may write is seen: what only looks, copies and what is deleted do not count.
class Seen {
public:
  Seen() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  Seen(const Seen &other) = delete;
  Seen &operator=(const Seen &other) = default;
  ~Seen() {}
  void resize(int n);
  int columns() const;
  void mirror();

private:
  float *data_;
  int cols_, rows_, stride_;
};
void Seen::resize(int n) { rows_ = cols_ = stride_ = n; }
void Seen::mirror() { mirror_seen<<<blocks(rows_), dim3(16, 16)>>>(data_, columns() == 3 ? 0 : cols_, stride_); }

// A function of the class stands in another file ...
class Unseen {
public:
  Unseen() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  void resize(int n);
  void widen(int cols);
  void mirror();

private:
  float *data_;
  int cols_, rows_, stride_;
};
void Unseen::resize(int n) { rows_ = cols_ = stride_ = n; }
void Unseen::mirror() { mirror_unseen<<<blocks(rows_), dim3(16, 16)>>>(data_, cols_, stride_); }

// ... or in this one, but nothing here calls it ...
class Inline {
public:
  Inline() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  void resize(int n);
  void widen(int cols) { cols_ = cols; }
  void mirror();

private:
  float *data_;
  int cols_, rows_, stride_;
};
void Inline::resize(int n) { rows_ = cols_ = stride_ = n; }
void Inline::mirror() { mirror_inline<<<blocks(rows_), dim3(16, 16)>>>(data_, cols_, stride_); }

// ... or is a class of its own that is made from it.
class Base {
public:
  Base() : data_(nullptr), cols_(0), rows_(0), stride_(0) {}
  void resize(int n);
  void mirror();

protected:
  float *data_;
  int cols_, rows_, stride_;
};
class Derived : public Base {
public:
  void widen(int cols);
};
void Base::resize(int n) { rows_ = cols_ = stride_ = n; }
void Base::mirror() { mirror_handed<<<blocks(rows_), dim3(16, 16)>>>(data_, cols_, stride_); }
void make_derived(int n) {
  Derived d;
  d.resize(n);
  d.mirror();
}

// ---- capacity and size --------------------------------------------------------------------------
__device__ void append(float *a, int size, int capacity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) a[capacity + i] = 2 * a[i]; // expect-race {{missing=size == capacity}}
}
__global__ void append_ok(float *a, int size, int capacity) { append(a, size, capacity); } // expect-clean
__global__ void append_bad(float *a, int size, int capacity) { append(a, size, capacity); }

class Buffer {
public:
  explicit Buffer(int capacity);
  bool push();
  void trim(int size);
  void append();

private:
  int size_, capacity_;
  float *data_;
};
Buffer::Buffer(int capacity) : size_(0), capacity_(capacity) {
  assert(capacity > 0);
  cudaMalloc((void **)&data_, 2 * capacity * sizeof(float));
}
bool Buffer::push() {
  if (size_ == capacity_) return false;
  size_++;
  return true;
}
void Buffer::trim(int size) {
  if (size < size_) size_ = size;
}
void Buffer::append() { append_ok<<<(size_ + 255) / 256, 256>>>(data_, size_, capacity_); }

class Unchecked {
public:
  explicit Unchecked(int capacity);
  void push();
  void append();

private:
  int size_, capacity_;
  float *data_;
};
Unchecked::Unchecked(int capacity) : size_(0), capacity_(capacity) {
  assert(capacity > 0);
  cudaMalloc((void **)&data_, 2 * capacity * sizeof(float));
}
void Unchecked::push() { size_++; }
void Unchecked::append() { append_bad<<<(size_ + 255) / 256, 256>>>(data_, size_, capacity_); }

// ---- multiples ----------------------------------------------------------------------------------
// Two warps fill two tiles, which are apart if a tile that is not empty holds at least 32 elements.
__device__ void tiles(float *a, int tile) {
  if (tile > 0) a[threadIdx.x / 32 * tile + threadIdx.x % 32] = threadIdx.x; // expect-race {{write}}
}
__global__ void tiles_ok(float *a, int tile) { tiles(a, tile); } // expect-clean
__global__ void tiles_bad(float *a, int tile) { tiles(a, tile); }

class Tiled {
public:
  void reset(int n);
  void run(float *a);

private:
  long count_;
  int tile_;
};
void Tiled::reset(int n) { tile_ = (n + 31) / 32 * 32; }
void Tiled::run(float *a) { tiles_ok<<<1, 64>>>(a, tile_); }

class Uneven {
public:
  void reset(int n);
  void run(float *a);

private:
  long count_;
  int tile_;
};
void Uneven::reset(int n) { tile_ = (n + 15) / 16 * 16; }
void Uneven::run(float *a) { tiles_bad<<<1, 64>>>(a, tile_); }
