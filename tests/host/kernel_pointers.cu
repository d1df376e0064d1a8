// Kernels through pointers: chosen by a switch in a loop, kept from the iteration before, handed to a function. What the
// pointer can be is what flows into it; one from elsewhere may be any kernel, and the launch is undecided.
#include <cstdio>

typedef void (*Kernel)(float *, int);
__global__ void zero(float *d, int n) { d[n] = 0; }
__global__ void one(float *d, int n) { d[n] = 1; }
__global__ void two(float *d, int n) { d[n] = 2; }
__global__ void three(float *d, int n) { d[n] = 3; }
__global__ void four(float *d, int n) { d[n] = 4; }
__global__ void five(float *d, int n) { d[n] = 5; }
__global__ void six(float *d, int n) { d[n] = 6; }
__global__ void never(float *d, int n) { d[n] = 7; }
extern Kernel from_elsewhere();
extern void say(const char *name);

void in_a_loop(float *d, int n) {
  Kernel kernel = nullptr;
  const char *name = "";
  for (int k = 0; k < 7; k++) {
    switch (k) {
    case 0: kernel = &zero, name = "zero"; break;
    case 1: kernel = &one, name = "one"; break;
    case 2: kernel = &two, name = "two"; break;
    case 3: kernel = &three, name = "three"; break;
    case 4: kernel = &four, name = "four"; break;
    case 5: kernel = &five, name = "five"; break;
    case 6: kernel = &six, name = "six"; break;
    }
    say(name);
    for (int repeat = 0; repeat < 3; repeat++)
      kernel<<<1, 32>>>(d, n);
  }
}
static void run(Kernel kernel, float *d, int n) { kernel<<<2, 32>>>(d, n); }
void handed_on(float *d, int n, bool first) {
  run(first ? one : two, d, n);
}
void kept(float *d, int n) {
  Kernel kernel = one;
  for (int i = 0; i < n; i++) {
    if (i % 5 == 3) kernel = kernel == one ? two : one;
    kernel<<<3, 32>>>(d, n);
  }
}
void elsewhere(float *d, int n) {
  Kernel kernel = one;
  for (int i = 0; i < n; i++) {
    kernel<<<4, 32>>>(d, n);
    kernel = from_elsewhere();
  }
}

//@ launch: zero<<<1, 32>>>
//@ lacks: undecided
//@ count: 1
//@ launch: three<<<1, 32>>>
//@ lacks: undecided
//@ launch: six<<<1, 32>>>
//@ lacks: undecided
//@ launch: one<<<2, 32>>>
//@ has: [assert] first
//@ lacks: undecided
//@ launch: two<<<2, 32>>>
//@ lacks: undecided
//@ launch: one<<<3, 32>>>
//@ lacks: undecided
//@ launch: two<<<3, 32>>>
//@ lacks: undecided
//@ launch: never<<<4, 32>>>
//@ has: undecided
