// Many threads may raise one flag: all store the same value, which is a note by itself. Storing who raised it is a race.
//@ verdict found_ok: race-free
//@ verdict found_bad: racy
__global__ void found_ok(const int *a, int n, int wanted, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] == wanted)
    *flag = 1; // expect-same-value
}

__global__ void found_bad(const int *a, int n, int wanted, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] == wanted)
    *flag = i; // expect-race
}

int main(int argc, char **) {
  int n = argc;
  int *a, *flag;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMalloc((void **)&flag, sizeof(int));
  found_ok<<<(n + 127) / 128, 128>>>(a, n, 7, flag);
  found_bad<<<(n + 127) / 128, 128>>>(a, n, 7, flag);
  return 0;
}
