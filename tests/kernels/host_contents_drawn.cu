// What a kernel before has stored at places that it drew: at which, is not known; that each thread stored once, is.
// list: each thread's number (ok), half of it (bad). strided: likewise in a grid-stride loop (ok), with a second place for each number (bad).
// plane: the number in a plane of threads (ok), its column (bad). again: by two launches (bad).
// both: by two stores of each thread (bad). layers: in a grid of several layers that do the same (bad).
// rounds: by a loop of the host that draws further on (bad). inner: from a loop of the thread (bad).
//@ args: --kernel=_(ok|bad)$
//@ verdict list_ok: race-free
//@ verdict list_bad: racy
//@ verdict strided_ok: race-free
//@ verdict strided_bad: racy
//@ verdict plane_ok: race-free
//@ verdict plane_bad: racy
//@ verdict again_bad: racy
//@ verdict both_bad: racy
//@ verdict layers_bad: racy
//@ verdict rounds_bad: racy
//@ verdict inner_bad: racy
__global__ void take(int *list, int *count, const int *start, const int *kind, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) list[start[kind[i]] + atomicAdd(&count[kind[i]], 1)] = i;
}
__global__ void take_halves(int *list, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) list[atomicAdd(count, 1)] = i / 2;
}
__global__ void take_strided(int *list, int *count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) list[atomicAdd(count, 1)] = i;
}
__global__ void take_twice(int *list, int *count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = 0; k < 2; k++)
      list[atomicAdd(count, 1)] = i;
}
__global__ void take_plane(int *list, int *count, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) list[atomicAdd(count, 1)] = y * width + x;
}
__global__ void take_columns(int *list, int *count, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) list[atomicAdd(count, 1)] = x;
}
__global__ void take_inner(int *list, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; k++)
    if (i < n) list[atomicAdd(count, 1)] = i;
}
__global__ void take_both(int *list, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  list[atomicAdd(count, 1)] = i;
  list[atomicAdd(count, 1)] = i;
}

__device__ void put(float *out, const int *list, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[list[i]] = in[i]; // expect-race[put]
}
__global__ void list_ok(float *out, const int *list, const float *in, int n) { put(out, list, in, n); } // expect-clean
__global__ void list_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void strided_ok(float *out, const int *list, const float *in, int n) { put(out, list, in, n); } // expect-clean
__global__ void strided_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void plane_ok(float *out, const int *list, const float *in, int n) { put(out, list, in, n); } // expect-clean
__global__ void plane_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void again_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void both_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void layers_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void rounds_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }
__global__ void inner_bad(float *out, const int *list, const float *in, int n) { put(out, list, in, n); }

// Room of its own for each list: what is not written behind the last number that was drawn is not read (A12).
static int *room(int n) {
  int *list;
  cudaMalloc(&list, n * sizeof(int));
  return list;
}

int main(int argc, char **argv) {
  const int n = 1000 + argc, width = 40, height = 30, blocks = (n + 255) / 256;
  int *count, *start, *kind;
  float *in, *out;
  cudaMalloc(&count, 64 * sizeof(int));
  cudaMalloc(&start, 64 * sizeof(int));
  cudaMalloc(&kind, n * sizeof(int));
  cudaMalloc(&in, 8 * n * sizeof(float));
  cudaMalloc(&out, 8 * n * sizeof(float));
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  int *lists[] = {room(n), room(n), room(n), room(2 * n), room(width * height), room(width * height), room(2 * n), room(8 * n), room(3 * n), room(2 * n), room(2 * n)};
  cudaMemset(count, 0, 64 * sizeof(int));

  take<<<blocks, 256>>>(lists[0], count, start, kind, n);
  list_ok<<<blocks, 256>>>(out, lists[0], in, n);
  take_halves<<<blocks, 256>>>(lists[1], count, n);
  list_bad<<<blocks, 256>>>(out, lists[1], in, n);
  take_strided<<<4, 128>>>(lists[2], count, n);
  strided_ok<<<blocks, 256>>>(out, lists[2], in, n);
  take_twice<<<4, 128>>>(lists[3], count, n);
  strided_bad<<<2 * blocks, 256>>>(out, lists[3], in, 2 * n);
  take_plane<<<grid, block>>>(lists[4], count, width, height);
  plane_ok<<<(width * height + 255) / 256, 256>>>(out, lists[4], in, width * height);
  take_columns<<<grid, block>>>(lists[5], count, width, height);
  plane_bad<<<(width * height + 255) / 256, 256>>>(out, lists[5], in, width * height);
  take<<<blocks, 256>>>(lists[6], count, start, kind, n);
  take<<<blocks, 256>>>(lists[6], count, start, kind, n);
  again_bad<<<2 * blocks, 256>>>(out, lists[6], in, 2 * n);
  for (int r = 0; r < 8; r++)
    take<<<blocks, 256>>>(lists[7], count, start, kind, n);
  rounds_bad<<<8 * blocks, 256>>>(out, lists[7], in, 8 * n);
  take_inner<<<blocks, 256>>>(lists[8], count, n);
  inner_bad<<<3 * blocks, 256>>>(out, lists[8], in, 3 * n);
  take_both<<<blocks, 256>>>(lists[9], count, n);
  both_bad<<<2 * blocks, 256>>>(out, lists[9], in, 2 * n);
  take<<<dim3(blocks, 2), 256>>>(lists[10], count, start, kind, n);
  layers_bad<<<2 * blocks, 256>>>(out, lists[10], in, 2 * n);
  cudaDeviceSynchronize();
}
