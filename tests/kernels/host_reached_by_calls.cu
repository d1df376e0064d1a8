// What a call of the host can write: all of the array that it is given a pointer into, and what memory that it is given points to.
// end: code that is not seen is given the end of the array that the stride is in (bad), or of another one (ok).
// member: it is given a member behind the stride in the same struct, and does not reach the stride (ok); or a member in front of it (bad).
// backward: the library copies zeros (bad) or ones (ok) to where the vector ends.
// assigned: a vector is assigned to: zeros (bad), ones (ok).
// held: code that is not seen is given a struct with the address of the stride (bad), or of another number (ok).
// bound: the function that sets what is bound to it to zero is bound to the stride (bad), or to another number (ok).
// jumped: the stride is stored before a jump back to setjmp (bad), or behind setjmp in each case (ok). back: likewise a pointer, in a
// variable of the program (bad) or of the function (own, bad).
//@ verdict end_ok: race-free
//@ verdict end_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict backward_ok: race-free
//@ verdict backward_bad: racy
//@ verdict assigned_ok: race-free
//@ verdict assigned_bad: racy
//@ verdict held_ok: race-free
//@ verdict held_bad: racy
//@ verdict bound_ok: race-free
//@ verdict bound_bad: racy
//@ verdict jumped_ok: race-free
//@ verdict jumped_bad: racy
//@ verdict back_ok: race-free
//@ verdict back_bad: racy
//@ verdict back_own_bad: racy
#include <algorithm>
#include <csetjmp>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

__device__ void spread(int *a, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * stride] = i; // expect-race[spread]
}
__global__ void end_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void end_bad(int *a, int s) { spread(a, s); }
__global__ void member_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void member_bad(int *a, int s) { spread(a, s); }
__global__ void backward_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void backward_bad(int *a, int s) { spread(a, s); }
__global__ void assigned_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void assigned_bad(int *a, int s) { spread(a, s); }
__global__ void held_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void held_bad(int *a, int s) { spread(a, s); }
__global__ void bound_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void bound_bad(int *a, int s) { spread(a, s); }

__global__ void jumped_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void jumped_bad(int *a, int s) { spread(a, s); }

__device__ void shift(int *a, const int *b) {
  a[threadIdx.x] = b[threadIdx.x + 1]; // expect-race[shift]
}
__global__ void back_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void back_bad(int *a, const int *b) { shift(a, b); }
__global__ void back_own_bad(int *a, const int *b) { shift(a, b); }

struct Sizes {
  int first, stride, last;
};
struct Holder {
  int *number;
};
void fill_down_from(int *end);
void look_up(int *number);
void read_into(Holder *holder);
void set_to_zero(int &number) { number = 0; }

static jmp_buf place;
static void jump(int *a) {
  volatile int stride = 1, next = 1;
  if (setjmp(place) == 0) {
    stride = 0;
    longjmp(place, 1);
  }
  next = 2;
  jumped_ok<<<8, 64>>>(a, next);
  jumped_bad<<<8, 64>>>(a, stride);
}

static int *first, *second, *third;
static void jump_with_pointers() {
  int *volatile own;
  cudaMalloc(&first, 4096);
  cudaMalloc(&second, 4096);
  own = second;
  if (setjmp(place) == 0) {
    own = second = first;
    longjmp(place, 1);
  }
  cudaMalloc(&third, 4096);
  back_ok<<<1, 64>>>(first, third);
  back_bad<<<1, 64>>>(first, second);
  back_own_bad<<<1, 64>>>(first, own);
}

int main() {
  jump_with_pointers();
  int *a;
  cudaMalloc(&a, 1 << 20);

  {
    int strides[3] = {1, 1, 1}, others[3];
    fill_down_from(others + 3);
    end_ok<<<8, 64>>>(a, strides[0]);
  }
  {
    int strides[3] = {1, 1, 1};
    fill_down_from(strides + 3);
    end_bad<<<8, 64>>>(a, strides[0]);
  }
  {
    Sizes sizes = {1, 1, 1};
    look_up(&sizes.last);
    member_ok<<<8, 64>>>(a, sizes.stride);
  }
  {
    Sizes sizes = {1, 1, 1};
    look_up(&sizes.first);
    member_bad<<<8, 64>>>(a, sizes.stride);
  }

  const std::vector<int> zeros(3, 0), ones(3, 1);
  {
    std::vector<int> strides(3, 1);
    std::copy_backward(ones.begin(), ones.end(), strides.end());
    backward_ok<<<8, 64>>>(a, strides[0]);
  }
  {
    std::vector<int> strides(3, 1);
    std::copy_backward(zeros.begin(), zeros.end(), strides.end());
    backward_bad<<<8, 64>>>(a, strides[0]);
  }
  {
    std::vector<int> strides(3, 1);
    strides.assign(3, 1);
    assigned_ok<<<8, 64>>>(a, strides[0]);
  }
  {
    std::vector<int> strides(3, 1);
    strides.assign(3, 0);
    assigned_bad<<<8, 64>>>(a, strides[0]);
  }

  {
    int stride = 1, other = 1;
    Holder holder = {&other};
    read_into(&holder);
    held_ok<<<8, 64>>>(a, stride);
  }
  {
    int stride = 1;
    Holder holder = {&stride};
    read_into(&holder);
    held_bad<<<8, 64>>>(a, stride);
  }
  {
    int stride = 1, other = 1;
    auto set = std::bind(set_to_zero, std::ref(other));
    set();
    bound_ok<<<8, 64>>>(a, stride);
  }
  {
    int stride = 1;
    auto set = std::bind(set_to_zero, std::ref(stride));
    set();
    bound_bad<<<8, 64>>>(a, stride);
  }
  jump(a);
  cudaDeviceSynchronize();
}
