// The arrays of the device are members of an object that comes from elsewhere; each is filled by a call of the allocator
// of its own, and copies go through them. Nothing else is put there: they are apart. So they are where a member is put into the
// same one of another object, not where one is put where another one lies, or one allocation is put into two.
//@ verdict apart<0>: race-free
//@ verdict mark<1>: racy
//@ verdict mark<2>: racy
//@ verdict apart<1>: race-free
//@ verdict mark<3>: racy
template <int which> __global__ void apart(int *over, const int *limit, const int *values, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) over[i] = values[i + 1] > limit[0];
}
template <int which> __global__ void mark(int *over, const int *limit, const int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) over[i] = values[i + 1] > limit[0]; // expect-race
}
#define TABLE(NAME, KERNEL, VALUES, LATER)                                                                              \
  class NAME {                                                                                                         \
    int *values, *over, *limit;                                                                                        \
    int numbers[64], limits[64];                                                                                       \
                                                                                                                       \
  public:                                                                                                              \
    void make(const int *from) {                                                                                       \
      cudaMalloc((void **)&over, 4096);                                                                                \
      cudaMalloc((void **)&limit, 4096);                                                                               \
      VALUES;                                                                                                          \
      cudaMemcpy(values, from, 4096, cudaMemcpyHostToDevice);                                                          \
    }                                                                                                                  \
    void change(NAME *other) {                                                                                         \
      LATER;                                                                                                           \
    }                                                                                                                  \
    void run(int n) {                                                                                                  \
      for (int round = 0; round < 8; round++) {                                                                        \
        cudaMemcpy(limit, limits, n * sizeof(int), cudaMemcpyHostToDevice);                                            \
        KERNEL<<<(n + 31) / 32, 32>>>(over, limit, values, n);                                                    \
        cudaMemcpy(numbers, over, n * sizeof(int), cudaMemcpyDeviceToHost);                                            \
      }                                                                                                                \
    }                                                                                                                  \
  };
TABLE(Filled, apart<0>, cudaMalloc((void **)&values, 4096), (void)other)
TABLE(Shared, mark<1>, cudaMalloc((void **)&values, 4096), over = values)
TABLE(Lent, mark<2>, cudaMalloc((void **)&values, 4096), over = other->values)
TABLE(Exchanged, apart<1>, cudaMalloc((void **)&values, 4096), over = other->over)
TABLE(Once, mark<3>, int *one; cudaMalloc((void **)&one, 4096); values = one; if (from[0]) over = one, (void)other)
void *elsewhere();
template <class Table> void go(const int *from, int n) {
  Table *table = (Table *)elsewhere(), *other = (Table *)elsewhere();
  if (n > 64) table->make(from);
  if (n > 65) table->change(other);
  table->run(n);
}
int main(int argc, char **argv) {
  int numbers[1024] = {0};
  go<Filled>(numbers, argc);
  go<Shared>(numbers, argc);
  go<Lent>(numbers, argc);
  go<Exchanged>(numbers, argc);
  go<Once>(numbers, argc);
}
