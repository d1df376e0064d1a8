// A table that is read in a loop, beside a call that leaves it alone (in_turn), or may write it (widened).
#include <cstdio>
__global__ void shaped(float *a) { a[threadIdx.x] = 1; }
dim3 shapes[2];
void largest(double &sum, double &most, const float *a) { // too large to stand in its caller
  sum = most = 0;
  for (int k = 0; k < 64; k++)
    for (int j = 0; j < 64; j++)
      for (int i = 0; i < 64; i++) {
        float one = a[(k * 64 + j) * 64 + i];
        sum += one * one;
        if (one > most) most = one;
      }
  sum = sum / 64;
}
void widen(double &sum, float *a, unsigned *width) {
  for (int k = 0; k < 64; k++)
    for (int i = 0; i < 64; i++)
      if (a[i] > sum) *width = k;
}
void in_turn(float *d, const float *h) {
  double sum, most;
  for (int i = 0; i < 2; i++) {
    shaped<<<shapes[i], 32>>>(d);
    largest(sum, most, h);
    printf("%f %f", sum, most);
  }
}
void widened(float *d, float *h) {
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    shaped<<<shapes[i], 64>>>(d);
    widen(sum, h, &shapes[1].x);
  }
}
int main() {
  float *d, *h = new float[64 * 64 * 64];
  cudaMalloc(&d, 4096);
  shapes[0] = dim3(4);
  shapes[1] = dim3(5);
  in_turn(d, h);
  widened(d, h);
}

//@ launch: shaped<<<i == 1 ? 5 : i == 0 ? 4 : 1, 32>>>(d)
//@ count: 1
//@ launch: shaped<<<shapes[i], 64>>>(d)
//@ count: 1
