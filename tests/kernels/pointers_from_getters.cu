// Calls that give the address of memory that the program has already. Whose it is, is not said: code that is not seen may give back whatever
// pointer it is handed, and a race that needs it names that (possible). A pointer of unknown origin does not overlap what that code was not
// handed (A2, told beside the verdict). attributes: what an allocation is, asked of a pointer to it (bad) or to another one (ok). range: where the
// allocation begins that a pointer leads into. aligned, part: functions without a text here, one returns the pointer, one leaves it in a variable.
// both: two pointers from such code, which is handed one allocation for either (bad), or one for each (ok). table: it fills a table, and is handed
// an allocation (bad) or none (ok).
// asked: a const member function without a text is asked twice for one object (bad), for two (ok). view: it gives the pointer in a struct. views: in a larger
// one, which has two (bad: one of them twice; ends: both, ok).
// piece: for one object and one number (bad), two numbers (ok). helped: behind a function of the program's own. made: a function that is not
// const may make something new each time (ok).
// mapped: one handle mapped at two addresses (bad), two handles (ok): the handles are no pointers.
//@ verdict attributes_ok: race-free
//@ leans attributes_ok: A2
//@ verdict attributes_bad: racy
//@ verdict range_ok: race-free
//@ leans range_ok: A2
//@ verdict range_bad: racy
//@ verdict aligned_ok: race-free
//@ leans aligned_ok: A2
//@ verdict aligned_bad: racy
//@ verdict part_ok: race-free
//@ leans part_ok: A2
//@ verdict part_bad: racy
//@ verdict both_ok: race-free
//@ leans both_ok: A2
//@ verdict both_bad: racy
//@ verdict table_ok: race-free
//@ leans table_ok: A2
//@ verdict table_bad: racy
//@ verdict asked_ok: race-free
//@ leans asked_ok: A2
//@ verdict asked_bad: racy
//@ verdict view_ok: race-free
//@ leans view_ok: A2
//@ verdict view_bad: racy
//@ verdict views_ok: race-free
//@ leans views_ok: A2
//@ verdict views_bad: racy
//@ verdict ends_ok: race-free
//@ leans ends_ok: A2
//@ verdict piece_ok: race-free
//@ leans piece_ok: A2
//@ verdict piece_bad: racy
//@ verdict helped_ok: race-free
//@ leans helped_ok: A2
//@ verdict helped_bad: racy
//@ verdict made_ok: race-free
//@ leans made_ok: A2
//@ verdict mapped_ok: race-free
//@ leans mapped_ok: A2
//@ verdict mapped_bad: racy
//@ known-miss mapped_bad: that two addresses are mapped to one piece of memory is not followed
#include <cuda.h>
#include <cuda_runtime.h>

__device__ void shift(int *a, const int *b) {
  a[threadIdx.x] = b[(threadIdx.x + 1) % 64]; // expect-race[shift]
}
__global__ void attributes_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void attributes_bad(int *a, const int *b) { shift(a, b); }
__global__ void range_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void range_bad(int *a, const int *b) { shift(a, b); }
__global__ void aligned_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void aligned_bad(int *a, const int *b) { shift(a, b); }
__global__ void part_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void part_bad(int *a, const int *b) { shift(a, b); }
__global__ void both_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void both_bad(int *a, const int *b) { shift(a, b); }
__global__ void table_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void table_bad(int *a, const int *b) { shift(a, b); }
__global__ void asked_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void asked_bad(int *a, const int *b) { shift(a, b); }
struct View {
  int *at;
  long length;
};
struct Views { // too large for registers
  int *at, *end;
  long length;
};
__global__ void view_ok(View a, View b) { shift(a.at, b.at); } // expect-clean
__global__ void view_bad(View a, View b) { shift(a.at, b.at); }
__global__ void views_ok(Views a, Views b) { shift(a.at, b.at); } // expect-clean
__global__ void views_bad(Views a, Views b) { shift(a.at, b.at); }
__global__ void ends_ok(Views a, Views b) { shift(a.at, b.end); } // expect-clean
__global__ void piece_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void piece_bad(int *a, const int *b) { shift(a, b); }
__global__ void helped_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void helped_bad(int *a, const int *b) { shift(a, b); }
__global__ void made_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void mapped_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void mapped_bad(int *a, const int *b) { shift(a, b); }

void attributes(int *a, int *other) {
  cudaPointerAttributes own, others;
  cudaPointerGetAttributes(&own, a);
  cudaPointerGetAttributes(&others, other);
  attributes_ok<<<1, 64>>>(a, (const int *)others.devicePointer);
  attributes_bad<<<1, 64>>>(a, (const int *)own.devicePointer);
}

void range(int *a, int *other) {
  CUdeviceptr own, others;
  size_t bytes;
  cuMemGetAddressRange(&own, &bytes, (CUdeviceptr)(a + 10));
  cuMemGetAddressRange(&others, &bytes, (CUdeviceptr)(other + 10));
  range_ok<<<1, 64>>>(a, (const int *)others);
  range_bad<<<1, 64>>>(a, (const int *)own);
}

int *aligned_up(int *memory, size_t bytes);
void aligned(int *a, int *other) {
  aligned_ok<<<1, 64>>>(a, aligned_up(other, 256));
  aligned_bad<<<1, 64>>>(a, aligned_up(a, 256));
}

void take_part(int *whole, int **part, int from);
void part(int *a, int *other) {
  int *own, *others;
  take_part(a, &own, 0);
  take_part(other, &others, 0);
  part_ok<<<1, 64>>>(a, others);
  part_bad<<<1, 64>>>(a, own);
}

void both(int *a, int *other) {
  int *one, *two, *others;
  take_part(a, &one, 0);
  take_part(a, &two, 0);
  take_part(other, &others, 0);
  both_ok<<<1, 64>>>(one, others);
  both_bad<<<1, 64>>>(one, two);
}

void fill(int **table, int *whole);
void table(int *a) {
  int *own[2], *others[2];
  fill(others, nullptr);
  table_ok<<<1, 64>>>(others[0], others[1]);
  fill(own, a);
  table_bad<<<1, 64>>>(own[0], own[1]);
}

class Tensor {
public:
  Tensor(int length);
  int *data() const;
  View view() const;
  Views views() const;
  int *piece(int number) const;
  int *room(int length);

private:
  void *kept;
};
static int *data_of(const Tensor &tensor) { return tensor.data(); }
void tensors() {
  Tensor x(4096), y(4096);
  asked_ok<<<1, 64>>>(x.data(), y.data());
  asked_bad<<<1, 64>>>(x.data(), x.data());
  view_ok<<<1, 64>>>(x.view(), y.view());
  view_bad<<<1, 64>>>(x.view(), x.view());
  views_ok<<<1, 64>>>(x.views(), y.views());
  views_bad<<<1, 64>>>(x.views(), x.views());
  ends_ok<<<1, 64>>>(x.views(), x.views());
  piece_ok<<<1, 64>>>(x.piece(0), x.piece(1));
  piece_bad<<<1, 64>>>(x.piece(0), x.piece(0));
  helped_ok<<<1, 64>>>(data_of(x), data_of(y));
  helped_bad<<<1, 64>>>(data_of(x), data_of(x));
  made_ok<<<1, 64>>>(x.room(64), x.room(64));
}

void mapped() {
  CUdeviceptr one, two, three;
  size_t bytes = 2 << 20;
  CUmemGenericAllocationHandle handle, other;
  CUmemAllocationProp properties = {};
  cuMemCreate(&handle, bytes, &properties, 0);
  cuMemCreate(&other, bytes, &properties, 0);
  cuMemAddressReserve(&one, bytes, 0, 0, 0);
  cuMemAddressReserve(&two, bytes, 0, 0, 0);
  cuMemAddressReserve(&three, bytes, 0, 0, 0);
  cuMemMap(one, bytes, 0, handle, 0);
  cuMemMap(two, bytes, 0, handle, 0);
  cuMemMap(three, bytes, 0, other, 0);
  mapped_ok<<<1, 64>>>((int *)one, (const int *)three);
  mapped_bad<<<1, 64>>>((int *)one, (const int *)two);
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  attributes(a, b);
  range(a, b);
  aligned(a, b);
  part(a, b);
  both(a, b);
  table(a);
  tensors();
  mapped();
  cudaDeviceSynchronize();
}
