// Functions of the program that the C++ library calls, though nothing at the call says so: a stream's own buffer, a stream's
// callback, what `new` calls when memory is short, what destroys an exception. And memory that a file was given as its buffer. What
// is changed there is not seen.
//@ verdict buffer: racy
//@ verdict callback: racy
//@ verdict handler: racy
//@ verdict destroyed: racy
//@ verdict buffered: racy
//@ known-miss buffer: what is printed through a buffer of the program's own runs its functions
//@ known-miss callback: a stream calls what was registered with it
//@ known-miss handler: an allocation calls the handler that was set
//@ known-miss destroyed: the end of a handler destroys what was thrown
//@ known-miss buffered: what is printed goes through memory of the program
#include <cstdio>
#include <cuda_runtime.h>
#include <locale>
#include <new>
#include <ostream>
#include <sstream>

__device__ void spread(int *a, int stride) { a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }
__global__ void buffer(int *a, int s) { spread(a, s); }
__global__ void callback(int *a, int s) { spread(a, s); }
__global__ void handler(int *a, int s) { spread(a, s); }

__global__ void destroyed(int *a, int s) { spread(a, s); }
__global__ void buffered(int *a, int s) { spread(a, s); }

struct Sink : std::streambuf {
  int *to;
  int overflow(int c) override {
    *to = c;
    return c;
  }
};

static int of_callback = 64, of_handler = 64;
static int of_thrown = 64;
struct Thrown {
  Thrown() {}
  Thrown(const Thrown &) {}
  ~Thrown() { of_thrown = 32; }
};
static void changed(std::ios_base::event, std::ios_base &, int) { of_callback = 32; }
static void is_short() {
  of_handler = 32;
  throw std::bad_alloc();
}

int main() {
  int *a, of_buffer = 64;
  cudaMalloc(&a, 1 << 20);
  Sink sink;
  sink.to = &of_buffer;
  std::ostream out(&sink);
  out << ' ';
  buffer<<<10, 64>>>(a, of_buffer);
  std::ostringstream text;
  text.register_callback(changed, 0);
  text.imbue(std::locale());
  callback<<<10, 64>>>(a, of_callback);
  std::set_new_handler(is_short);
  try {
    delete[] new char[1ull << 60];
  } catch (std::bad_alloc &) {
  }
  handler<<<10, 64>>>(a, of_handler);
  try {
    throw Thrown();
  } catch (Thrown &) {
    of_thrown = 64;
  }
  destroyed<<<10, 64>>>(a, of_thrown);
  int kept[1024];
  setvbuf(stdout, (char *)kept, _IOFBF, sizeof kept);
  kept[0] = 64;
  printf("%d", 7);
  buffered<<<10, 64>>>(a, kept[0]);
  return (int)cudaDeviceSynchronize();
}
