// Many fields behind each other in one array, each as long as the grid: field k of a point is p[k * points + i]. No constant tells the
// places of two fields apart, only the factor of a length that is not known; they are asked about together. Fields one element too
// short (short_bad) meet, and so do those as long as a number that the grid is rounded up from (rounded_bad); one access to the place
// of the next thread (next_bad), one to a field of another length (other_bad), and a field before the first that reaches back
// (back_bad) are found among the others.
//@ pairs: exact
//@ verdict fields_ok: race-free
//@ verdict short_bad: racy
//@ verdict rounded_ok: race-free
//@ verdict rounded_bad: racy
//@ verdict next_bad: racy
//@ verdict other_bad: racy
//@ verdict back_ok: race-free
//@ verdict back_bad: racy
#include <cstdlib>

#define POINTS (gridDim.x * blockDim.x)
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)
#define FIELD(k) p[(k) * POINTS + HERE]

__global__ void fields_ok(float *p) { // expect-clean
  float sum = FIELD(0) + FIELD(3) + FIELD(5) + FIELD(7) + FIELD(11) + FIELD(13);
  FIELD(1) = sum * FIELD(2);
  FIELD(4) = FIELD(1) + FIELD(6);
  FIELD(8) = FIELD(9) - FIELD(10);
  FIELD(12) = FIELD(12) * sum;
}

#define SHORT(k) p[(k) * (POINTS - 1) + HERE]
__global__ void short_bad(float *p) {
  float sum = SHORT(0) + SHORT(3) + SHORT(5);
  SHORT(7) = sum;     // expect-race[first](inter-block,intra-block)
  SHORT(8) = sum * 2; // expect-race[first](inter-block,intra-block)
  SHORT(11) = SHORT(2);
}

#define OF(k) p[(k) * n + i]
__global__ void rounded_ok(float *p, int n) { // expect-clean
  int i = HERE;
  if (i >= n)
    return;
  float sum = OF(0) + OF(2) + OF(6) + OF(9);
  OF(1) = sum;
  OF(3) = sum + OF(4);
  OF(7) = OF(8);
}

__global__ void rounded_bad(float *p, int n) {
  int i = HERE;
  float sum = OF(0) + OF(2) + OF(6) + OF(9); // expect-race[far](intra-block,intra-warp) expect-race[farther](intra-block,intra-warp)
  OF(4) = sum; // expect-race[far](intra-block,intra-warp) expect-race[both](intra-block,intra-warp) expect-race[end](inter-block,intra-block,intra-warp)
  OF(11) = OF(5); // expect-race[farther](intra-block,intra-warp) expect-race[both](intra-block,intra-warp) expect-race[end](inter-block,intra-block,intra-warp) expect-race[self](intra-block,intra-warp)
}

__global__ void next_bad(float *p, int n) {
  int i = HERE;
  if (i + 1 >= n)
    return;
  float sum = OF(0) + OF(2) + OF(6) + p[9 * n + i + 1]; // expect-race[next](inter-block,intra-block,intra-warp)
  OF(1) = sum;
  OF(9) = sum; // expect-race[next](inter-block,intra-block,intra-warp)
  OF(4) = sum;
}

__global__ void other_bad(float *p, int n, int m) {
  int i = HERE;
  if (i >= n)
    return;
  float sum = OF(0) + OF(2) + OF(6) + p[3 * m + i]; // expect-race[other](inter-block,intra-block,intra-warp)
  OF(3) = sum; // expect-race[other](inter-block,intra-block,intra-warp)
}

__global__ void back_ok(float *p, int n) { // expect-clean
  int i = HERE;
  p += 12 * n;
  if (i >= n)
    return;
  float sum = OF(-1) + OF(-2) + OF(-6) + OF(9);
  OF(-3) = sum;
  OF(4) = sum;
}

__global__ void back_bad(float *p, int n) {
  int i = HERE;
  p += 12 * n;
  if (i >= n)
    return;
  float sum = OF(-1) + OF(-2) + OF(-6) + p[-3 * n + (n - 1 - i)]; // expect-race[back](inter-block,intra-block,intra-warp)
  OF(-3) = sum; // expect-race[back](inter-block,intra-block,intra-warp)
  OF(4) = sum;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  if (n < 1 || n > 1000000 || m < 1 || m > n)
    return 1;
  float *p;
  cudaMalloc((void **)&p, 40ul * (n + 256) * sizeof(float));
  int blocks = (n + 255) / 256;
  fields_ok<<<blocks, 256>>>(p);
  short_bad<<<blocks, 256>>>(p);
  rounded_ok<<<blocks, 256>>>(p, n);
  rounded_bad<<<blocks, 256>>>(p, n);
  next_bad<<<blocks, 256>>>(p, n);
  other_bad<<<blocks, 256>>>(p, n, m);
  back_ok<<<blocks, 256>>>(p, n);
  back_bad<<<blocks, 256>>>(p, n);
  return 0;
}
