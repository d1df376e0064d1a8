// The index of an array that is a member stays in it (A7), but not that of a row of a matrix, of an array at the end of its class, which
// often has more room than it says, nor one behind which the access goes on.
//   rows: index 4 of row 0 is index 0 of row 1.
//   behind: from the place before the array one step on is in it.
//   last: an array at the end.
//   inner: an array with a member behind it; no index of it is that member (ok). The index that the host gives is that of the member: what speaks
//     against the assumption leaves the kernel undecided (bad).
//@ verdict rows_bad: racy
//@ verdict rows_ok: race-free
//@ verdict behind_bad: racy
//@ verdict last_bad: racy
//@ verdict inner_ok: race-free
//@ verdict inner_bad: undecided
struct Matrix {
  float m[4][4];
  int n;
};
template <int COLUMN> __device__ void rows(Matrix *l, int i) {
  if (threadIdx.x == 0) l->m[0][i] = 1;       // expect-race[rows]
  if (threadIdx.x == 40) l->m[1][COLUMN] = 2; // expect-race[rows]
}
__global__ void rows_bad(Matrix *l, int i) { rows<0>(l, i); }
__global__ void rows_ok(Matrix *l, int i) { rows<3>(l, i); } // expect-clean

struct Window {
  int n, a[4], end;
};
__global__ void behind_bad(Window *l, int i, int j) {
  if (threadIdx.x == 0) (&l->a[i])[1] = 1; // expect-race
  if (threadIdx.x == 40) l->a[j] = 2;      // expect-race
}
struct List {
  int n, items[2];
};
__global__ void last_bad(List *l, int i, int j) {
  if (threadIdx.x == 0) l->items[i] = 1;  // expect-race
  if (threadIdx.x == 40) l->items[j] = 2; // expect-race
}
__global__ void inner_ok(Window *l, int i) { // expect-clean
  if (threadIdx.x == 0) l->a[i] = 1;
  if (threadIdx.x == 40) l->end = 2;
}
__global__ void inner_bad(Window *l, int i) {
  if (threadIdx.x == 0) l->a[i] = 1;
  if (threadIdx.x == 40) l->end = 2;
}

int main() {
  Matrix *m;
  Window *w;
  List *l;
  cudaMalloc(&m, sizeof(Matrix));
  cudaMalloc(&w, sizeof(Window));
  cudaMalloc(&l, sizeof(List) + 4000);
  rows_bad<<<1, 64>>>(m, 4);
  rows_ok<<<1, 64>>>(m, 4);
  behind_bad<<<1, 64>>>(w, -1, 0);
  last_bad<<<1, 64>>>(l, 5, 5);
  inner_ok<<<1, 64>>>(w, 2);
  inner_bad<<<1, 64>>>(w, 4);
}
