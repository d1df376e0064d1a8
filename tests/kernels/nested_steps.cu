// Variables that loops inside of loops move on: by the end of a round of the outer loop they have gone as far as the inner one takes them.
//   rows: each thread fills its own part, `*p++` in two loops; the twin goes one number further in each row.
//   planes: one part for each (channel, i, j), a plane on in each round; the twin's parts are one too close together.
//   three: three loops, and a step behind the innermost; the twin has parts for rows without that step.
//   down: the inner loop counts down, by threes, and the place is a number; the twin's part is too short.
//   tested_last: the inner loop is tested at its end; the twin's part does not have room for the round that is made anyway.
//   unsigned_count: the inner loop counts without a sign; in the twin the part is a number short.
//   changing: the inner loop is longer in each round, so its steps are no one number; parts that would do for two numbers a round are not enough.
//   left: the inner loop is left early by some threads: no one number either.
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict planes_ok: race-free
//@ leans planes_ok: A6
//@ verdict planes_bad: racy
//@ verdict three_ok: race-free
//@ verdict three_bad: racy
//@ verdict down_ok: race-free
//@ verdict down_bad: racy
//@ verdict tested_last_ok: race-free
//@ verdict tested_last_bad: racy
//@ verdict unsigned_count_ok: race-free
//@ verdict unsigned_count_bad: racy
//@ verdict changing_bad: racy
//@ known-undecided changing_bad: how far the inner loop goes is no one number
//@ verdict left_bad: racy
//@ known-undecided left_bad: how far the inner loop goes is no one number
__device__ int number() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ void rows(float *out, int n, int a, int b, int last) {
  int t = number();
  if (t >= n) return;
  float *p = out + t * a * b;
  for (int i = 0; i < a; i++)
    for (int j = 0; j < last; j++)
      *p++ = t + i; // expect-race[rows]
}
__global__ void rows_ok(float *out, int n, int a, int b) { rows(out, n, a, b, b); } // expect-clean
__global__ void rows_bad(float *out, int n, int a, int b) { rows(out, n, a, b, b + 1); }

__device__ void planes(const float *in, float *out, int n, int kh, int kw, int height, int width, int apart) {
  for (int index = number(); index < n; index += blockDim.x * gridDim.x) {
    int x = index % width, y = index / width % height, channel = index / width / height;
    float *p = out + (channel * apart * height + y) * width + x;
    for (int i = 0; i < kh; ++i)
      for (int j = 0; j < kw; ++j) {
        *p = in[index] * i * j; // expect-race[planes]
        p += height * width;
      }
  }
}
__global__ void planes_ok(const float *in, float *out, int n, int kh, int kw, int height, int width) { // expect-clean
  planes(in, out, n, kh, kw, height, width, kh * kw);
}
__global__ void planes_bad(const float *in, float *out, int n, int height, int width) {
  planes(in, out, n, 3, 3, height, width, 8);
}

__device__ void three(float *out, int n, int a, int b, int c, int part) {
  int t = number();
  if (t >= n) return;
  float *p = out + t * part;
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++) {
      for (int k = 0; k < c; k++)
        *p++ = t; // expect-race[three]
      p++;
    }
}
__global__ void three_ok(float *out, int n, int a, int b, int c) { three(out, n, a, b, c, a * b * (c + 1)); } // expect-clean
__global__ void three_bad(float *out, int n) { three(out, n, 2, 3, 4, 24); }

__device__ void down(float *out, int n, int part) {
  int t = number(), at = 0;
  if (t >= n) return;
  for (int i = 0; i < 5; i++)
    for (int j = 10; j >= 0; j -= 3)
      out[t * part + at++] = t + j; // expect-race[down]
}
__global__ void down_ok(float *out, int n) { down(out, n, 20); } // expect-clean
__global__ void down_bad(float *out, int n) { down(out, n, 19); }

__device__ void tested_last(float *out, int n, int b, int part) {
  int t = number();
  if (t >= n) return;
  float *p = out + t * part;
  for (int i = 0; i < 4; i++) {
    int j = 0;
    do
      *p++ = t; // expect-race[last]
    while (++j < b);
  }
}
__global__ void tested_last_ok(float *out, int n, int b) { tested_last(out, n, b, b > 0 ? 4 * b : 4); } // expect-clean
__global__ void tested_last_bad(float *out, int n, int b) { tested_last(out, n, b, 4 * b); }

__device__ void unsigned_count(float *out, int n, unsigned b, unsigned part) {
  int t = number();
  if (t >= n) return;
  float *p = out + (size_t)t * part;
  for (int i = 0; i < 4; i++)
    for (unsigned j = 0; j < b; j++)
      *p++ = t; // expect-race[unsigned]
}
__global__ void unsigned_count_ok(float *out, int n, unsigned b) { unsigned_count(out, n, b, 4 * b); } // expect-clean
__global__ void unsigned_count_bad(float *out, int n, unsigned b) { unsigned_count(out, n, b, 4 * b - 1); }

__global__ void changing_bad(float *out, int n) {
  int t = number();
  if (t >= n) return;
  float *p = out + t * 5;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i + 1; j++)
      *p++ = t; // expect-race
}

__global__ void left_bad(float *out, int n) {
  int t = number();
  if (t >= n) return;
  float *p = out + t * 5;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++) {
      if (t % 3 == j && i == 1) break;
      *p++ = t; // expect-race
    }
}

void run(const float *in, float *out, int n, int channels, int kh, int kw, int height, int width) {
  rows_ok<<<(n + 255) / 256, 256>>>(out, n, kh, kw);
  rows_bad<<<(n + 255) / 256, 256>>>(out, n, kh, kw);
  int count = channels * height * width;
  planes_ok<<<(count + 255) / 256, 256>>>(in, out, count, kh, kw, height, width);
  planes_bad<<<(count + 255) / 256, 256>>>(in, out, count, height, width);
  three_ok<<<(n + 255) / 256, 256>>>(out, n, channels, kh, kw);
  three_bad<<<(n + 255) / 256, 256>>>(out, n);
  down_ok<<<(n + 255) / 256, 256>>>(out, n);
  down_bad<<<(n + 255) / 256, 256>>>(out, n);
  tested_last_ok<<<(n + 255) / 256, 256>>>(out, n, kw);
  tested_last_bad<<<(n + 255) / 256, 256>>>(out, n, kw);
  unsigned_count_ok<<<(n + 255) / 256, 256>>>(out, n, kw);
  unsigned_count_bad<<<(n + 255) / 256, 256>>>(out, n, kw);
  changing_bad<<<(n + 255) / 256, 256>>>(out, n);
  left_bad<<<(n + 255) / 256, 256>>>(out, n);
}
