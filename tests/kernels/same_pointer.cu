// Pointers that many threads store at one place are one value if they lead to one place: all tell the block where its
// part begins (ok); a part for each thread is not one (bad).
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
//   chosen: one of two, by what is the same for all (ok), or by what is not (bad).
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//   put: the shared memory of one block is one place for its threads (ok), but not for two blocks (bad).
//@ verdict put_ok: race-free
//@ verdict put_bad: racy
//   own: an array of the thread's own is another one for each, whatever its number says.
//@ verdict own_bad: racy
//   told: thread 0 tells its block one of two arrays; that they are read behind a barrier (ok), or not (bad).
//@ verdict told_ok: race-free
//@ verdict told_bad: racy
//   turned: the other array than the one that is told is written meanwhile (ok), or that one itself (bad).
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy

__global__ void parts_ok(const int *in, int *out) {
  __shared__ const int *part;
  part = in + 64 * blockIdx.x; // expect-same-value
  __syncthreads();
  out[64 * blockIdx.x + threadIdx.x] = part[63 - threadIdx.x];
}

__global__ void parts_bad(const int *in, int *out) {
  __shared__ const int *part;
  part = in + 64 * threadIdx.x; // expect-race
  __syncthreads();
  out[64 * blockIdx.x + threadIdx.x] = blockIdx.x;
}

__global__ void chosen_ok(const int *in, const int *other, const int **which, int side) {
  which[blockIdx.x] = side ? in : other + 4; // expect-same-value
}

__global__ void chosen_bad(const int *in, const int *other, const int **which, int side) {
  which[blockIdx.x] = (side ^ threadIdx.x) & 1 ? in : other + 4; // expect-race
}

__global__ void put_ok(int **slots) {
  __shared__ int buffer[64];
  buffer[threadIdx.x] = 0;
  slots[blockIdx.x] = buffer; // expect-same-value
}

__global__ void put_bad(int **slots) {
  __shared__ int buffer[64];
  buffer[threadIdx.x] = 0;
  slots[blockIdx.x / 2] = buffer; // expect-race
}

__global__ void own_bad(int **slots) {
  int own[2] = {(int)threadIdx.x, 1};
  slots[blockIdx.x] = own; // expect-race
}

__global__ void told_ok(int *out, int side) { // expect-clean
  __shared__ int one[64], two[64];
  __shared__ int *room;
  if (threadIdx.x == 0) room = side ? one : two;
  __syncthreads();
  room[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[64 * blockIdx.x + threadIdx.x] = room[63 - threadIdx.x];
}

__global__ void told_bad(int *out, int side) {
  __shared__ int one[64], two[64];
  __shared__ int *room;
  if (threadIdx.x == 0) room = side ? one : two;
  __syncthreads();
  room[threadIdx.x] = threadIdx.x; // expect-race[told]
  out[64 * blockIdx.x + threadIdx.x] = room[63 - threadIdx.x]; // expect-race[told]
}

__global__ void turned_ok(int *out, int side) { // expect-clean
  __shared__ int one[64], two[64];
  __shared__ int *room;
  if (threadIdx.x == 0) room = side ? one : two;
  one[threadIdx.x] = two[threadIdx.x] = 0;
  __syncthreads();
  int *beside = side ? two : one;
  beside[threadIdx.x] = room[63 - threadIdx.x];
}

__global__ void turned_bad(int *out, int side) {
  __shared__ int one[64], two[64];
  __shared__ int *room;
  if (threadIdx.x == 0) room = side ? one : two;
  one[threadIdx.x] = two[threadIdx.x] = 0;
  __syncthreads();
  int *beside = side ? one : two;
  beside[threadIdx.x] = room[63 - threadIdx.x]; // expect-race
}

int main(int argc, char **) {
  int *in, *out, *other, **slots;
  const int **which;
  cudaMalloc((void **)&in, 16 * 64 * sizeof(int));
  cudaMalloc((void **)&out, 16 * 64 * sizeof(int));
  cudaMalloc((void **)&other, 64 * sizeof(int));
  cudaMalloc((void **)&which, 16 * sizeof(int *));
  cudaMalloc((void **)&slots, 16 * sizeof(int *));
  parts_ok<<<16, 64>>>(in, out);
  parts_bad<<<16, 64>>>(in, out);
  chosen_ok<<<16, 64>>>(in, other, which, argc);
  chosen_bad<<<16, 64>>>(in, other, which, argc);
  put_ok<<<16, 64>>>(slots);
  put_bad<<<16, 64>>>(slots);
  own_bad<<<16, 64>>>(slots);
  told_ok<<<16, 64>>>(out, argc);
  told_bad<<<16, 64>>>(out, argc);
  turned_ok<<<16, 64>>>(out, argc);
  turned_bad<<<16, 64>>>(out, argc);
}
