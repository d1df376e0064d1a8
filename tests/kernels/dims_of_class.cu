// Dimensions that lie in members of a class, in a file without main: only functions of the class set them, and who calls those is not seen.
// Parts of a private member (a dim3) are members as well, and a member is one constant, or the zero of an object that no constructor here
// has made, which is no dimension. fixed_ok: all writers agree. Twins: one that sets another depth (wider), code that is not seen and is
// given the dim3 (handed), or the member before the part within a struct (in_struct), a step through the struct (stepped), a public dim3
// (open, definite: anybody may set it). What a caller gives the constructor is no choice of who launches (given); lanes that share an
// element do so whatever the class leaves (halves). What is copied into a member, or may be chosen in its place, is none (copied, chosen).
//@ verdict fixed_ok: race-free
//@ verdict wider: racy
//@ verdict handed: racy
//@ verdict in_struct: racy
//@ verdict in_struct_ok: race-free
//@ verdict stepped: racy
//@ verdict open: racy
//@ verdict given: racy
//@ verdict halves: racy
//@ verdict copied: racy
//@ verdict chosen: racy
//@ verdict whole_warps: race-free
//@ verdict any_threads: racy
__device__ void add(int *p, int w, int h) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < h && col < w) p[row * w + col] += 1; // expect-race
}
__global__ void fixed_ok(int *p, int w, int h) { add(p, w, h); } // expect-clean
__global__ void wider(int *p, int w, int h) { add(p, w, h); }
__global__ void handed(int *p, int w, int h) { add(p, w, h); }

class Fixed {
public:
  Fixed(int w, int h);
  void run(int *p);

private:
  void set_up();
  int w_, h_;
  dim3 block_, grid_;
};
Fixed::Fixed(int w, int h) : w_(w), h_(h) { set_up(); }
void Fixed::set_up() {
  block_.x = 32, block_.y = 16, block_.z = 1;
  grid_.x = (w_ - 1) / 32 + 1, grid_.y = (h_ - 1) / 16 + 1, grid_.z = 1;
}
void Fixed::run(int *p) { fixed_ok<<<grid_, block_>>>(p, w_, h_); }

class Wider {
public:
  Wider(int w, int h);
  void run(int *p);

private:
  void set_up();
  int w_, h_;
  dim3 block_, grid_;
};
Wider::Wider(int w, int h) : w_(w), h_(h) { set_up(); }
void Wider::set_up() {
  block_.x = 32, block_.y = 16, block_.z = 1;
  grid_.x = (w_ - 1) / 32 + 1, grid_.y = (h_ - 1) / 16 + 1, grid_.z = 2;
}
void Wider::run(int *p) { wider<<<grid_, block_>>>(p, w_, h_); }

void tune(dim3 *block); // elsewhere
class Handed {
public:
  Handed(int w, int h);
  void run(int *p);

private:
  int w_, h_;
  dim3 block_, grid_;
};
Handed::Handed(int w, int h) : w_(w), h_(h) {
  block_.x = 32, block_.y = 16, block_.z = 1;
  grid_.x = (w_ - 1) / 32 + 1, grid_.y = (h_ - 1) / 16 + 1, grid_.z = 1;
  tune(&grid_);
}
void Handed::run(int *p) { handed<<<grid_, block_>>>(p, w_, h_); }

// ---- one dimension
__device__ void add_row(int *p) { p[blockIdx.x * 32 + threadIdx.x] += 1; } // expect-race
__global__ void in_struct_ok(int *p) { add_row(p); } // expect-clean
__global__ void in_struct(int *p) { add_row(p); }
__global__ void stepped(int *p) { add_row(p); }
__global__ void copied(int *p) { add_row(p); }
__global__ void chosen(int *p) { add_row(p); }
struct Shape {
  int blocks, threads;
};
void tune(Shape *shape);

class InStructOk {
public:
  InStructOk(int blocks);
  void run(int *p);

private:
  int *data_;
  Shape shape_;
};
InStructOk::InStructOk(int blocks) : data_(nullptr) { shape_.blocks = blocks, shape_.threads = 32; }
void InStructOk::run(int *p) { in_struct_ok<<<shape_.blocks, shape_.threads>>>(p); }

class InStruct {
public:
  InStruct(int blocks);
  void run(int *p);

private:
  int *data_;
  Shape shape_;
};
InStruct::InStruct(int blocks) : data_(nullptr) {
  shape_.blocks = blocks, shape_.threads = 32;
  tune(&shape_);
}
void InStruct::run(int *p) { in_struct<<<shape_.blocks, shape_.threads>>>(p); }

class Stepped {
public:
  Stepped(int blocks, int which, int what);
  void run(int *p);

private:
  int *data_;
  Shape shape_;
};
Stepped::Stepped(int blocks, int which, int what) : data_(nullptr) {
  shape_.blocks = blocks, shape_.threads = 32;
  (&shape_.blocks)[which] = what;
}
void Stepped::run(int *p) { stepped<<<shape_.blocks, shape_.threads>>>(p); }

class Copied {
public:
  Copied(int blocks);
  void set(const Shape *shape);
  void run(int *p);

private:
  int *data_;
  Shape shape_;
};
Copied::Copied(int blocks) : data_(nullptr) { shape_.blocks = blocks, shape_.threads = 32; }
void Copied::set(const Shape *shape) { shape_ = *shape; }
void Copied::run(int *p) { copied<<<shape_.blocks, shape_.threads>>>(p); }

class Chosen {
public:
  Chosen(int blocks);
  void run(int *p, Shape *other, bool is_other);

private:
  int *data_;
  Shape shape_;
};
Chosen::Chosen(int blocks) : data_(nullptr) { shape_.blocks = blocks, shape_.threads = 32; }
void Chosen::run(int *p, Shape *other, bool is_other) {
  Shape *shape = is_other ? other : &shape_;
  chosen<<<shape->blocks, shape->threads>>>(p);
}

__global__ void open(int *p) { p[blockIdx.x * 32 + threadIdx.x] += 1; } // expect-race {{definite}}
class Open {
public:
  Open(int blocks);
  void run(int *p);
  dim3 grid, block;
};
Open::Open(int blocks) : grid(blocks), block(32) {}
void Open::run(int *p) { open<<<grid, block>>>(p); }

__global__ void given(int *p) { p[blockIdx.x * 32 + threadIdx.x] += 1; } // expect-race {{possible}}
__global__ void halves(int *p) { p[blockIdx.x * 32 + threadIdx.x / 2] += 1; } // expect-race {{definite}}
class Plan {
public:
  Plan(int tile);
  void run(int *p);

private:
  int tile_, fixed_;
};
Plan::Plan(int tile) : tile_(tile), fixed_(32) {}
void Plan::run(int *p) {
  given<<<8, tile_>>>(p);
  halves<<<8, fixed_>>>(p);
}

// A member, and what may be another number in its place.
__device__ void add_rest(int *p) {
  if (blockDim.x % 32 != 0) p[0] += 1; // expect-race
}
__global__ void whole_warps(int *p) { add_rest(p); } // expect-clean
__global__ void any_threads(int *p) { add_rest(p); }
class Warps {
public:
  Warps();
  void run(int *p, int *other, bool is_other);

private:
  int *data_;
  int threads_;
};
Warps::Warps() : data_(nullptr), threads_(64) {}
void Warps::run(int *p, int *other, bool is_other) {
  whole_warps<<<1, threads_>>>(p);
  int *threads = is_other ? other : &threads_;
  any_threads<<<1, *threads>>>(p);
}
