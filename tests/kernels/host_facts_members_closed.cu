// Members that the whole program is seen to write: public ones count, and so does what objects in static memory start
// with. In each `_bad` twin one element of a table, or one function, says something else.
//   tiles: all tiles have 32 elements.
//   warps: the runtime says that a warp has 32 lanes, and of other properties less.
//   rows: rows of an image lie at least as far apart as they are long.
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//   merged: the same behind a merge of what many calls leave; in the twin one way has set the width, and not yet the pitch.
//@ verdict merged_ok: race-free
//@ verdict merged_bad: racy
//   built: as before, where the function has built another object by then; in the twin it is not done with that yet.
//@ verdict built_ok: race-free
//@ verdict built_bad: racy
//   copied: behind a copy to somewhere, and behind a merge of an object that the function makes; in the twins one that
//   the function is not done with.
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict made_ok: race-free
//@ verdict made_bad: racy
//   narrow: private members in a class whose functions are not all seen. Those that only look at an object may be given
//   it; in the twins it is given to one that may write to it, and to a function that may call such a one.
//@ verdict narrow_ok: race-free
//@ verdict narrow_made_ok: race-free
//@ verdict narrow_called: racy
//@ verdict narrow_made_bad: racy
//@ verdict narrow_handed: racy
//   swept: objects are gone through in whole ones, or byte by byte.
//@ verdict swept_ok: race-free
//@ verdict swept_bad: racy
#include <cstdlib>
#include <cstring>

__device__ void tiles(float *a, int tile) {
  a[threadIdx.x / 32 * tile + threadIdx.x % 32] = threadIdx.x; // expect-race {{write}}
}
__global__ void tiles_ok(float *a, int tile) { tiles(a, tile); } // expect-clean
__global__ void tiles_bad(float *a, int tile) { tiles(a, tile); }

struct Tiling {
  int tile, count;
};
struct OtherTiling {
  int tile, count;
};
static Tiling small = {32, 1}, large[] = {{32, 2}, {32, 4}};
static OtherTiling other_small = {32, 1}, other_large[] = {{32, 2}, {30, 4}};
static const Tiling *tilings[8];
static const OtherTiling *others[8];

__device__ void rows(float *a, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) a[y * pitch + x] = x + y; // expect-race {{write}}
}
__global__ void rows_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void rows_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }

__device__ void warps(float *a, int lanes) {
  a[threadIdx.x / lanes * 32 + threadIdx.x % lanes] = threadIdx.x; // expect-race {{write}}
}
__global__ void warps_ok(float *a, int lanes) { warps(a, lanes); } // expect-clean
__global__ void warps_bad(float *a, int lanes) { warps(a, lanes); }

struct Image {
  int width, height, pitch;
  float *data;
};
struct Picture {
  int width, height, pitch;
  float *data;
};

static Image *make_image(int width, int height) {
  Image *image = (Image *)calloc(1, sizeof(Image));
  image->width = width;
  image->height = height;
  image->pitch = (width + 31) / 32 * 32;
  cudaMalloc((void **)&image->data, sizeof(float) * image->pitch * height);
  return image;
}
static Picture *make_picture(int width, int height, bool is_packed) {
  Picture *picture = (Picture *)malloc(sizeof(Picture));
  memset(picture, 0, sizeof *picture);
  picture->width = width;
  picture->height = height;
  picture->pitch = is_packed ? width / 2 : (width + 31) / 32 * 32;
  cudaMalloc((void **)&picture->data, sizeof(float) * picture->pitch * height);
  return picture;
}

__global__ void merged_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void merged_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
__global__ void built_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void built_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
struct Sheet {
  int width, height, pitch;
  float *data;
};
struct Page {
  int width, height, pitch;
  float *data;
};
template <class T> void fit(T *t, int width, int height) {
  t->width = width;
  t->height = height;
  t->pitch = (width + 31) / 32 * 32;
}
extern int ask();
template <class T> void tune(T *t, int how) { // calls itself, and so stays a function
  if (how > 0) tune(t, how - 1);
  if (ask() == how) fit(t, ask(), ask());
}
#define EIGHT_WAYS(object, first)                                                                                      \
  switch (ask()) {                                                                                                     \
  case 0: first; break;                                                                                                \
  case 1: tune(object, 1); break;                                                                                      \
  case 2: tune(object, 2); break;                                                                                      \
  case 3: tune(object, 3); break;                                                                                      \
  case 4: tune(object, 4); break;                                                                                      \
  case 5: tune(object, 5); break;                                                                                      \
  case 6: tune(object, 6); break;                                                                                      \
  default: tune(object, 7); break;                                                                                     \
  }
static Sheet *sheets[4];
static Page *pages[4];
// These call themselves, so that they stay functions of their own.
static void behind_merge(int depth) {
  if (depth > 0) behind_merge(depth - 1);
  Sheet *sheet = sheets[ask() & 3];
  EIGHT_WAYS(sheet, tune(sheet, 0))
  merged_ok<<<dim3(64, 64), dim3(32, 8)>>>(sheet->data, sheet->width, sheet->height, sheet->pitch);
}
static void behind_merge_between(int depth) {
  if (depth > 0) behind_merge_between(depth - 1);
  Page *page = pages[ask() & 3];
  EIGHT_WAYS(page, page->width = ask())
  merged_bad<<<dim3(64, 64), dim3(32, 8)>>>(page->data, page->width, page->height, page->pitch);
  page->pitch = (page->width + 31) / 32 * 32;
}
static void behind_built(int depth) {
  if (depth > 0) behind_built(depth - 1);
  Sheet *made = new Sheet, *sheet = sheets[ask() & 3];
  fit(made, ask(), 8);
  sheets[ask() & 3] = made;
  EIGHT_WAYS(sheet, tune(sheet, 0))
  built_ok<<<dim3(64, 64), dim3(32, 8)>>>(sheet->data, sheet->width, sheet->height, sheet->pitch);
}
static void behind_half_built(int depth) {
  if (depth > 0) behind_half_built(depth - 1);
  Page *made = new Page, *page = pages[ask() & 3];
  fit(made, ask(), 8);
  pages[ask() & 3] = made;
  made->width = ask();
  EIGHT_WAYS(page, tune(page, 0))
  built_bad<<<dim3(64, 64), dim3(32, 8)>>>(page->data, page->width, page->height, page->pitch);
  made->pitch = (made->width + 31) / 32 * 32;
}
__global__ void copied_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void copied_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
__global__ void made_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void made_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
struct Folio {
  int width, height, pitch;
  float *data;
};
struct Leaf {
  int width, height, pitch;
  float *data;
};
static Folio *folios[4];
extern float *somewhere();
static void behind_copy(int depth) {
  if (depth > 0) behind_copy(depth - 1);
  float *to = somewhere();
  Sheet *made = new Sheet, *sheet = sheets[ask() & 3];
  fit(made, ask(), 8);
  sheets[ask() & 3] = made;
  cudaMemcpy(to, sheet->data, 64, cudaMemcpyDeviceToHost);
  copied_ok<<<dim3(64, 64), dim3(32, 8)>>>(sheet->data, sheet->width, sheet->height, sheet->pitch);
}
static void behind_copy_between(int depth) {
  if (depth > 0) behind_copy_between(depth - 1);
  float *to = somewhere();
  int width = ask();
  Folio *made = new Folio;
  fit(made, ask(), 8);
  folios[ask() & 3] = made;
  Folio *folio = folios[ask() & 3];
  made->width = width;
  cudaMemcpy(to, folio->data, 64, cudaMemcpyDeviceToHost);
  copied_bad<<<dim3(64, 64), dim3(32, 8)>>>(folio->data, folio->width, folio->height, folio->pitch);
  made->pitch = (width + 31) / 32 * 32;
}
static void behind_made(float *a) {
  Sheet sheet;
  fit(&sheet, ask(), 8);
  EIGHT_WAYS(&sheet, tune(&sheet, 0))
  made_ok<<<dim3(64, 64), dim3(32, 8)>>>(a, sheet.width, sheet.height, sheet.pitch);
}
static void behind_made_between(float *a) {
  Leaf leaf;
  int width = ask();
  fit(&leaf, ask(), 8);
  EIGHT_WAYS(&leaf, leaf.width = width)
  made_bad<<<dim3(64, 64), dim3(32, 8)>>>(a, leaf.width, leaf.height, leaf.pitch);
  leaf.pitch = (leaf.width + 31) / 32 * 32;
}

__global__ void swept_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void swept_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
struct Swept {
  int width, height, pitch;
  float *data;
};
struct Scrubbed {
  int width, height, pitch;
  float *data;
};
extern Swept *swept[4];
extern Scrubbed *scrubbed[4];
static void sweep(int n) {
  if (n > 9) sweep(n - 1);
  Swept *all = swept[ask() & 3];
  swept_ok<<<dim3(64, 64), dim3(32, 8)>>>(all->data, all->width, all->height, all->pitch);
  tune(&all[ask()], 1);
}
static void scrub(int n) {
  if (n > 9) scrub(n - 1);
  Scrubbed *all = scrubbed[ask() & 3];
  swept_bad<<<dim3(64, 64), dim3(32, 8)>>>(all->data, all->width, all->height, all->pitch);
  tune(&all[ask()], 1);
  ((char *)all)[ask()] = ask();
}

__global__ void narrow_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void narrow_made_ok(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); } // expect-clean
__global__ void narrow_made_bad(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
__global__ void narrow_called(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
__global__ void narrow_handed(float *a, int width, int height, int pitch) { rows(a, width, height, pitch); }
#define NARROW(Class, kernel)                                                                                          \
  class Class {                                                                                                        \
  public:                                                                                                              \
    Class(int width) : width_(width), pitch_(width) {}                                                                 \
    void widen(int width);                                                                                             \
    int look() const;                                                                                                  \
    void run(float *a) { kernel<<<dim3(64, 64), dim3(32, 8)>>>(a, width_, 64, pitch_); }                               \
                                                                                                                       \
  private:                                                                                                             \
    int width_, pitch_;                                                                                                \
  };
NARROW(Looked, narrow_ok)
NARROW(Called, narrow_called)
NARROW(Handed, narrow_handed)
// Of these only a constructor is not seen; it makes objects of its own, which is one of them in the twin.
#define MADE(Class, kernel)                                                                                            \
  class Class {                                                                                                        \
  public:                                                                                                              \
    Class(int width) : width_(width), pitch_(width) {}                                                                 \
    Class(int width, int pitch);                                                                                       \
    void run(float *a) { kernel<<<dim3(64, 64), dim3(32, 8)>>>(a, width_, 64, pitch_); }                               \
                                                                                                                       \
  private:                                                                                                             \
    int width_, pitch_;                                                                                                \
  };
MADE(Made, narrow_made_ok)
MADE(MadeElsewhere, narrow_made_bad)
void hand(Made *object), hand(MadeElsewhere *object);
void hand(Handed *object), show(const Looked *object, int how);
static void narrow(float *a, int n) {
  Looked *looked = new Looked(n);
  show(looked, n);
  if (looked->look()) looked->run(a);
  Made *made = new Made(n);
  hand(made);
  made->run(a);
  MadeElsewhere *elsewhere = new MadeElsewhere(n, n);
  elsewhere->run(a);
  Called *called = new Called(n);
  called->widen(2 * n);
  called->run(a);
  Handed *handed = new Handed(n);
  hand(handed);
  handed->run(a);
}

static Image *images[4];
static Picture *pictures[4];

int main(int argc, char **argv) {
  float *a;
  cudaMalloc((void **)&a, 4096);
  for (int i = 0; i < 8; i++) {
    int n = atoi(argv[i]);
    tilings[i] = n > 1 ? &large[n % 2] : &small;
    others[i] = n > 1 ? &other_large[n % 2] : &other_small;
  }
  tiles_ok<<<1, 256>>>(a, tilings[argc % 8]->tile);
  tiles_bad<<<1, 256>>>(a, others[argc % 8]->tile);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  warps_ok<<<1, 64>>>(a, device.warpSize);
  warps_bad<<<1, 64>>>(a, device.maxThreadsPerBlock);
  for (int i = 0; i < 4; i++) {
    images[i] = make_image(atoi(argv[1]) + i, atoi(argv[2]));
    pictures[i] = make_picture(atoi(argv[1]) + i, atoi(argv[2]), i == 3);
  }
  const Image *image = images[argc % 4];
  const Picture *picture = pictures[argc % 4];
  dim3 block(32, 8), grid(64, 64);
  rows_ok<<<grid, block>>>(image->data, image->width, image->height, image->pitch);
  rows_bad<<<grid, block>>>(picture->data, picture->width, picture->height, picture->pitch);
  for (int i = 0; i < 4; i++) {
    sheets[i] = (Sheet *)calloc(1, sizeof(Sheet));
    pages[i] = (Page *)calloc(1, sizeof(Page));
  }
  for (int i = 0; i < 4; i++)
    folios[i] = (Folio *)calloc(1, sizeof(Folio));
  behind_copy(argc);
  behind_copy_between(argc);
  behind_made(a);
  behind_made_between(a);
  narrow(a, atoi(argv[1]));
  behind_merge(argc);
  behind_merge_between(argc);
  behind_built(argc);
  sweep(argc);
  scrub(argc);
  behind_half_built(argc);
  return cudaDeviceSynchronize() != cudaSuccess;
}
