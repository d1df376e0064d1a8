// A struct by value with two tables of pointers, which the host fills with the same arrays: behind a constant index what is written is seen to
// be what another thread reads. Behind an index that is an argument the tables are taken for different arrays (A8), against what the host says.
//@ verdict fixed_bad: racy
//@ verdict given_bad: racy
//@ known-miss given_bad: which elements of a table in a struct are read is not told apart behind an index that is an argument
struct Tables {
  int *in[2], *out[2];
};
__global__ void fixed_bad(Tables b) {
  int t = threadIdx.x;
  b.out[1][t] = b.in[0][t + 1]; // expect-race
}
__global__ void given_bad(Tables b, int o, int p) {
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
}
