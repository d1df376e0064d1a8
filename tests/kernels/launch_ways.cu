// Which kernel a launch starts, and with what: through tables of pointers, wrappers, objects, functions that
// are called through pointers, loops. Each kernel runs with 32 threads and is right if `n` is at least 32:
// the twins are launched with 31 (or, in a loop, down to 16). Where nothing says which kernel it is, none is
// called race-free or racy for it.
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict local_ok: race-free
//@ verdict local_bad: racy
//@ verdict entry_ok: race-free
//@ verdict entry_bad: racy
//@ verdict wrapped_ok: race-free
//@ verdict wrapped_bad: racy
//@ verdict packed_ok: race-free
//@ verdict packed_bad: racy
//@ verdict method_ok: race-free
//@ verdict method_bad: racy
//@ verdict virtual_ok: race-free
//@ verdict virtual_bad: racy
//@ verdict direct_ok: race-free
//@ verdict direct_bad: racy
//@ verdict global_ok: race-free
//@ verdict global_bad: racy
//@ verdict lambda_ok: race-free
//@ verdict lambda_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict callback_ok: race-free
//@ verdict callback_bad: racy
//@ verdict loop_ok: race-free
//@ verdict loop_bad: racy
//@ verdict config_ok: race-free
//@ verdict config_bad: racy
//@ verdict cooperative_ok: race-free
//@ verdict cooperative_bad: racy
//@ verdict sized_ok<32>: race-free
//@ verdict sized_bad<31>: racy
//@ verdict guess: undecided
//@ verdict never: race-free
#include <cstdlib>

typedef void (*Kernel)(int *, int);
#define SPREAD(a, n) a[threadIdx.x % n] = threadIdx.x

__global__ void table_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void table_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
static Kernel const good_table[] = {table_ok, table_ok};
static Kernel table[2] = {table_bad, table_ok}; // nothing writes it
static void through_table(int *a, int i) {
  good_table[i]<<<1, 32>>>(a, 32);
  if (i == 0) table[i]<<<1, 32>>>(a, 31);
}

__global__ void local_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void local_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
static void through_local_table(int *a) {
  Kernel kernels[2] = {local_ok, local_bad};
  for (int i = 0; i < 2; i++)
    kernels[i]<<<1, 32>>>(a, 32 - i);
}

__global__ void entry_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void entry_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
struct Entry { // the kernel and its size
  const char *name;
  Kernel kernel;
  int size;
};
static const Entry entries[] = {{"ok", entry_ok, 32}, {"bad", entry_bad, 31}};
static void through_entries(int *a) {
  for (const Entry &entry : entries)
    entry.kernel<<<1, 32>>>(a, entry.size);
}

__global__ void wrapped_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void wrapped_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
__attribute__((noinline)) static void wrapper(Kernel kernel, int *a, int n) {
  kernel<<<1, 32>>>(a, n);
}

__global__ void packed_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void packed_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
template <class... Args> void launch(void (*kernel)(Args...), dim3 grid, dim3 block, Args... args) {
  void *list[] = {(void *)&args...};
  cudaLaunchKernel((const void *)kernel, grid, block, list, 0, 0);
}

__global__ void method_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void method_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
class Job {
public:
  Job(int *data, int size) : data_(data), size_(size) {}
  void run_ok() { method_ok<<<1, 32>>>(data_, size_); }
  void run_bad() { method_bad<<<1, 32>>>(data_, size_ - 1); }

private:
  int *data_;
  int size_;
};

__global__ void virtual_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void virtual_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
struct Shape {
  int *data;
  int size;
  virtual void run() = 0;
  virtual ~Shape() {}
};
struct Good : Shape {
  void run() override { virtual_ok<<<1, 32>>>(data, size); }
};
struct Bad : Shape {
  void run() override { virtual_bad<<<1, 32>>>(data, size); }
};
__attribute__((noinline)) static void draw(Shape *shape) {
  shape->run();
}

__global__ void direct_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void direct_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
// Called by its name with 32, and by whoever else has such an object.
struct Ok {
  virtual void run(int *a, int n) {
    if (n >= 32) direct_ok<<<1, 32>>>(a, n);
  }
};
struct Direct {
  virtual void run(int *a, int n) { direct_bad<<<1, 32>>>(a, n); }
};
extern Ok *some_ok();
extern Direct *some_direct();

__global__ void global_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void global_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
static Kernel chosen;

__global__ void lambda_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void lambda_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}

__global__ void member_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void member_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
struct Holder {
  Kernel kernel;
  int n;
  void go(int *a) const { kernel<<<1, 32>>>(a, n); }
};

__global__ void callback_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void callback_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
static void call_ok(int *a, int n) {
  callback_ok<<<1, 32>>>(a, n);
}
static void call_bad(int *a, int n) {
  callback_bad<<<1, 32>>>(a, n);
}
__attribute__((noinline)) static void apply(void (*f)(int *, int), int *a, int n) {
  f(a, n);
}

__global__ void loop_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void loop_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}

__global__ void config_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void config_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
static void with_config(int *a, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  cudaLaunchKernelEx(&config, config_ok, a, n + 1);
  cudaLaunchKernelEx(&config, config_bad, a, n);
}

__global__ void cooperative_ok(int *a, int n) { // expect-clean
  SPREAD(a, n);
}
__global__ void cooperative_bad(int *a, int n) {
  SPREAD(a, n); // expect-race
}
static void cooperative(const void *kernel, int *a, int n) {
  void *args[] = {&a, &n};
  cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(32), args, 0, 0);
}

template <int N> __global__ void sized_ok(int *a) { // expect-clean
  SPREAD(a, N);
}
template <int N> __global__ void sized_bad(int *a) {
  SPREAD(a, N); // expect-race
}
typedef void (*Other)(int *, long);
__global__ void guess(int *a, long n) {
  SPREAD(a, n);
}
__global__ void never(int *a, int n) { // expect-clean
  a[threadIdx.x] = n;
}
extern Other from_elsewhere(Other hint);

int main(int argc, char **argv) {
  int *a, i = atoi(argv[1]);
  cudaMalloc(&a, 32 * sizeof(int));
  through_table(a, i);
  through_local_table(a);
  through_entries(a);
  wrapper(wrapped_ok, a, 32);
  wrapper(wrapped_bad, a, 31);
  launch(packed_ok, dim3(1), dim3(32), a, 32);
  launch(packed_bad, dim3(1), dim3(32), a, 31);
  sized_ok<32><<<1, 32>>>(a);
  sized_bad<31><<<1, 32>>>(a);
  Job(a, 32).run_ok();
  Job(a, 32).run_bad();
  Good good;
  good.data = a, good.size = 32;
  Bad bad;
  bad.data = a, bad.size = 31;
  Shape *shapes[] = {&good, &bad};
  for (Shape *shape : shapes)
    draw(shape);
  Ok().Ok::run(a, 32);
  some_ok()->run(a, i);
  Direct().Direct::run(a, 32);
  some_direct()->run(a, i);
  chosen = global_ok;
  chosen<<<1, 32>>>(a, 32);
  chosen = global_bad;
  chosen<<<1, 32>>>(a, 31);
  auto go = [&](Kernel kernel, int n) { kernel<<<1, 32>>>(a, n); };
  go(lambda_ok, 32);
  go(lambda_bad, 31);
  Holder{member_ok, 32}.go(a);
  Holder{member_bad, 31}.go(a);
  apply(call_ok, a, 32);
  apply(call_bad, a, 31);
  for (int n = 64; n >= 32; n /= 2)
    loop_ok<<<1, 32>>>(a, n);
  for (int n = 64; n >= 16; n /= 2)
    loop_bad<<<1, 32>>>(a, n);
  with_config(a, 31);
  cooperative((const void *)cooperative_ok, a, 32);
  cooperative((const void *)cooperative_bad, a, 31);
  from_elsewhere(guess)<<<1, 32>>>(a, 31L);
  never<<<1, 32>>>(a, 1);
  return 0;
}
