// What is not understood says so; what is only unknown does not.
#include <cstdlib>

__global__ void a(float *d, int n) { d[n] = 0; }
__global__ void b(float *d, int n) { d[n] = 1; }

typedef void (*Kernel)(float *, int);
static Kernel table[2] = {a, b};

extern int choose();
void through_table(float *d) { table[choose()]<<<1, 32>>>(d, 7); }
void fixed(float *d, int n) { a<<<n, 64>>>(d, choose()); }

//@ launch: a<<<1, 32>>>(d, 7)
//@ has: undecided: the kernel of this launch is a pointer of unknown value
//@ launch: b<<<1, 32>>>(d, 7)
//@ has: undecided
//@ launch: a<<<n, 64>>>
//@ lacks: undecided:
