// A counter that each way through a round moves on by the same amount: in both branches of an if, or of a switch. It is one step of the loop,
// whichever branch is taken. Where the amounts differ the counter may be the same for two threads (bad).
// row: each thread has a row of its own, as long as the counter can get. nested: else-if. strided: the amount is the launch's. pointer: a pointer
// that is moved on.
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
//@ verdict nested_ok: race-free
//@ verdict nested_bad: racy
//@ verdict strided_ok: race-free
//@ verdict strided_bad: racy
//@ verdict pointer_ok: race-free
//@ verdict pointer_bad: racy
__global__ void row_ok(float *out, int flag) { // expect-clean
  int t = threadIdx.x, i = 0;
  for (int r = 0; r < 64; r += 8)
    for (int j = 0; j < 8; j++) {
      if (flag)
        out[t * 64 + i++] = 1;
      else
        out[t * 64 + i++] = 2;
    }
}
__global__ void row_bad(float *out, int flag) {
  int t = threadIdx.x, i = 0;
  for (int r = 0; r < 64; r += 8)
    for (int j = 0; j < 8; j++) {
      if (flag)
        out[t * 63 + i++] = t; // expect-race[row]
      else
        out[t * 64 + i++] = 2;
    }
}

__global__ void nested_ok(float *out, const int *kind) { // expect-clean
  int t = threadIdx.x, i = 0;
  for (int r = 0; r < 64; r++) {
    if (kind[r] == 0) {
      out[t * 64 + i] = 1;
      i++;
    } else if (kind[r] == 1) {
      i++;
    } else {
      out[t * 64 + i] = 2;
      i++;
    }
  }
}
__global__ void nested_bad(float *out, const int *kind) {
  int t = threadIdx.x, i = 0;
  for (int r = 0; r < 64; r++) {
    if (kind[r] == 0) {
      out[t * 64 + i] = t; // expect-race[nested]
      i++;
    } else if (kind[r] == 1) {
      i += 2;
    } else {
      i++;
    }
  }
}

__global__ void strided_ok(float *out, const int *kind, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < n; r++) {
    if (kind[r]) {
      out[i] = 1;
      i += gridDim.x * blockDim.x;
    } else {
      i += gridDim.x * blockDim.x;
    }
  }
}
__global__ void strided_bad(float *out, const int *kind, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < n; r++) {
    if (kind[r]) {
      out[i] = r; // expect-race[strided]
      i += blockDim.x;
    } else {
      i += blockDim.x;
    }
  }
}

__global__ void pointer_ok(float *out, const int *kind) { // expect-clean
  float *to = out + threadIdx.x;
  for (int r = 0; r < 9; r++) {
    if (kind[r] > 3) {
      *to = r;
      to += 128;
    } else {
      to += 128;
    }
  }
}
__global__ void pointer_bad(float *out, const int *kind) {
  float *to = out + threadIdx.x;
  for (int r = 0; r < 9; r++) {
    if (kind[r] > 3) {
      *to = r; // expect-race[pointer]
      to += 127;
    } else {
      to += 127;
    }
  }
}

void host(float *out, const int *kind, int flag, int n) {
  row_ok<<<1, 128>>>(out, flag);
  row_bad<<<1, 128>>>(out, flag);
  nested_ok<<<1, 128>>>(out, kind);
  nested_bad<<<1, 128>>>(out, kind);
  strided_ok<<<4, 128>>>(out, kind, n);
  strided_bad<<<4, 128>>>(out, kind, n);
  pointer_ok<<<1, 128>>>(out, kind);
  pointer_bad<<<1, 128>>>(out, kind);
}
