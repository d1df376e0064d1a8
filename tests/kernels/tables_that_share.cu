// A struct by value with two tables of pointers, which the host fills with the same arrays: behind a constant index what is written is seen to
// be what another thread reads, and so it is behind an index that is an argument (bad), or is another array (ok).
//@ verdict fixed_bad: racy
//@ verdict given_bad: racy
//@ verdict given_ok: race-free
//@ leans given_ok: !A2 !A8
struct Tables {
  int *in[2], *out[2];
};
__global__ void fixed_bad(Tables b) {
  int t = threadIdx.x;
  b.out[1][t] = b.in[0][t + 1]; // expect-race
}
__global__ void given_bad(Tables b, int o, int p) {
  int t = threadIdx.x;
  b.out[o][t] = b.in[p][t + 1]; // expect-race
}
__global__ void given_ok(Tables b, int o, int p) { // expect-clean
  int t = threadIdx.x;
  b.out[o][t] = b.in[p][t + 1];
}

int main() {
  Tables b;
  for (int i = 0; i < 2; i++)
    cudaMalloc(&b.in[i], 4000);
  b.out[0] = b.in[1];
  b.out[1] = b.in[0];
  fixed_bad<<<1, 64>>>(b);
  given_bad<<<1, 64>>>(b, 1, 0);
  given_ok<<<1, 64>>>(b, 0, 0);
}
