// Two numbers of the host that begin alike and change alike are one: equal before the loop and, if they were at its start, at the
// end of each round. A grid of nx * ny cells with rows of ny is indexed without collisions where nx == ny.
//   option: one option sets both (the loop over the arguments of many programs); an option for one of them (option_bad) does not.
//   doubled: both are doubled until they are large enough; started apart (doubled_bad) they stay apart.
//@ verdict option_ok: race-free
//@ verdict option_bad: racy
//@ verdict doubled_ok: race-free
//@ verdict doubled_bad: racy
#include <cstdlib>
#include <cstring>

__device__ void cell(float *v, int nx, int ny) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx && j < nx) v[i * ny + j] += 1.f; // expect-race
}
__global__ void option_ok(float *v, int nx, int ny) { cell(v, nx, ny); } // expect-clean
__global__ void option_bad(float *v, int nx, int ny) { cell(v, nx, ny); }
__global__ void doubled_ok(float *v, int nx, int ny) { cell(v, nx, ny); } // expect-clean
__global__ void doubled_bad(float *v, int nx, int ny) { cell(v, nx, ny); }

static float *cells(int nx, int ny) {
  float *v;
  cudaMalloc(&v, sizeof(float) * nx * ny);
  return v;
}

int main(int argc, char **argv) {
  dim3 block(16, 16);
  int nx = 100, ny = 100;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--grid") == 0) {
      nx = atoi(argv[++i]);
      ny = nx;
    }
  option_ok<<<dim3((nx + 15) / 16, (nx + 15) / 16), block>>>(cells(nx, ny), nx, ny);

  int mx = 100, my = 100;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--grid") == 0) {
      mx = atoi(argv[++i]);
      my = atoi(argv[i + 1]);
    }
  option_bad<<<dim3((mx + 15) / 16, (mx + 15) / 16), block>>>(cells(mx, my), mx, my);

  int wanted = atoi(argv[1]), px = 16, py = 16, qx = 16, qy = 8;
  for (; px < wanted; py += py)
    px += px;
  doubled_ok<<<dim3((px + 15) / 16, (px + 15) / 16), block>>>(cells(px, py), px, py);
  for (; qx < wanted; qy += qy)
    qx += qx;
  doubled_bad<<<dim3((qx + 15) / 16, (qx + 15) / 16), block>>>(cells(qx, qy), qx, qy);
}
