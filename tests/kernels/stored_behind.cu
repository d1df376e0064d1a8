// Rows are read out of a parameter, at places that are not known and behind so many ways that the walk back gives up: what lies there comes from outside, unless visible
// code can have stored a pointer there before. What is stored afterwards is no such pointer, but in a loop it comes before the next round. Nor is
// it visible code where a visible function only calls one that is not seen (checked); it is where that function stores a pointer itself (marked).
//@ verdict after_ok: race-free
//@ leans after_ok: A2
//@ verdict before_bad: racy
//@ verdict round_bad: racy
//@ verdict checked_ok: race-free
//@ leans checked_ok: A2
//@ verdict marked_bad: racy
void choose(int device);

struct Row {
  float *data;
  int kind;
};
void fail(Row **rows);

__global__ void after_ok(const float *in, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = in[i + 1];
}

__global__ void before_bad(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = in[i + 1]; // expect-race {{possible}}
}

__global__ void round_bad(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = in[i + 1]; // expect-race {{possible}}
}

__global__ void checked_ok(const float *in, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = in[i + 1];
}

__global__ void marked_bad(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = in[i + 1]; // expect-race {{possible}}
}

static int steps(int n) {
  if (n & 1) choose(0);
  if (n & 2) choose(1);
  if (n & 4) choose(2);
  if (n & 8) choose(3);
  if (n & 16) choose(4);
  return n > 5 ? n : 5;
}

static void share(Row **rows, int k) {
  rows[k]->data = rows[k + 1]->data;
}

void run_after(Row **rows, int k, int n) {
  int m = steps(n);
  float *in = rows[k]->data, *out = rows[k + 1]->data;
  share(rows, k);
  after_ok<<<(m + 255) / 256, 256>>>(in, out, m);
}

void run_before(Row **rows, int k, int n) {
  share(rows, k);
  int m = steps(n);
  float *in = rows[k]->data, *out = rows[k + 1]->data;
  before_bad<<<(m + 255) / 256, 256>>>(in, out, m);
}

void run_rounds(Row **rows, int k, int n) {
  for (int round = 0; round < n; round++) {
    int m = steps(n + round);
    float *in = rows[k]->data, *out = rows[k + 1]->data;
    share(rows, k);
    round_bad<<<(m + 255) / 256, 256>>>(in, out, m);
  }
}

static int checked(Row **rows, int n) {
  if (n & 1) fail(rows);
  int bits = 0;
  while (bits < 31 && (1 << bits) < n) bits++;
  return bits;
}

static int marked(Row **rows, int k, int n) {
  if (n & 1) fail(rows);
  int bits = 0;
  while (bits < 31 && (1 << bits) < n) bits++;
  rows[k]->data = rows[k + 1]->data;
  return bits;
}

void run_checked(Row **rows, int k, int n) {
  int bits = checked(rows, n) + checked(rows, n + 1), m = steps(n);
  float *in = rows[k]->data, *out = rows[k + 1]->data;
  checked_ok<<<(m + 255) / 256, 256>>>(in, out, m + bits);
}

void run_marked(Row **rows, int k, int n) {
  int bits = marked(rows, k, n) + marked(rows, k, n + 1), m = steps(n);
  float *in = rows[k]->data, *out = rows[k + 1]->data;
  marked_bad<<<(m + 255) / 256, 256>>>(in, out, m + bits);
}
