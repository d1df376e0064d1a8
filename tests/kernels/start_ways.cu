// Which launch is the last one to write a flag before the kernel, on each way through the host code? One block stores and raises
// the flag, the others wait for it; where it is up when the kernel starts they read what is stored at the same time. All *_bad race on
// some way. Most are undecided, for the way may be one that the program never takes.
// branch: another kernel takes the flag down between two launches, in any case (ok), or only where there are arguments (bad).
// both: both launches, the second behind the other kernel, hang on the same condition (ok), or the other kernel alone (bad).
// round: it is taken down in each round of a loop (ok), or not where the round is left by `continue` (bad).
// callee: a function takes it down (ok), or may return before (bad).
// inner: of two loops it is taken down in the inner one (ok), or only in the outer one (bad).
// fixed: a loop of three rounds takes it down (ok), one of as many as there are arguments (bad), which may be none.
// stream: it is taken down in the kernel's own stream (ok), or in another one, that nothing orders (bad).
// waits: in another stream, and the host waits for it (ok), or only for the kernel (bad).
// event: in another stream, and the kernel's stream waits for an event behind it (ok), or in front of it (bad).
// failed: where the launch fails the host goes on (ok), or where there are arguments (bad).
// spoils: a launch that is not always made leaves the flag down (ok), or up (bad).
// spread: of two branches each takes the flag down (ok), or only one (bad).
//@ verdict branch_ok: race-free
//@ leans branch_ok: A15
//@ verdict branch_bad: undecided
//@ verdict both_ok: race-free
//@ leans both_ok: A15
//@ verdict both_bad: undecided
//@ verdict round_ok: race-free
//@ verdict round_bad: undecided
//@ verdict callee_ok: race-free
//@ verdict callee_bad: undecided
//@ verdict inner_ok: race-free
//@ verdict inner_bad: undecided
//@ verdict fixed_ok: race-free
//@ verdict fixed_bad: undecided
//@ verdict stream_ok: race-free
//@ verdict stream_bad: undecided
//@ verdict waits_ok: race-free
//@ verdict waits_bad: undecided
//@ verdict event_ok: race-free
//@ verdict event_bad: undecided
//@ verdict failed_ok: race-free
//@ verdict failed_bad: undecided
//@ verdict spoils_ok: race-free
//@ verdict spoils_bad: racy
//@ verdict spread_ok: race-free
//@ verdict spread_bad: racy
//@ args: --kernel=_(ok|bad)
#include <cuda_runtime.h>

template <class Of> __device__ int flag_of;
template <class Of> __device__ int data_of;
template <class Of> __device__ void handed_over(int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data_of<Of> = 42; // expect-race[any]
    __threadfence();
    atomicExch(&flag_of<Of>, 1);
  } else {
    while (atomicAdd(&flag_of<Of>, 0) == 0) {}
    __threadfence();
    out[blockIdx.x] = data_of<Of>; // expect-race[any]
  }
}
template <class Of> __global__ void down() { flag_of<Of> = 0; }
template <class Of> __global__ void up() { flag_of<Of> = 1; }

struct branch_a {};
struct branch_b {};
__global__ void branch_ok(int *out) { handed_over<branch_a>(out); } // expect-clean
__global__ void branch_bad(int *out) { handed_over<branch_b>(out); }
struct both_a {};
struct both_b {};
__global__ void both_ok(int *out) { handed_over<both_a>(out); } // expect-clean
__global__ void both_bad(int *out) { handed_over<both_b>(out); }
struct round_a {};
struct round_b {};
__global__ void round_ok(int *out) { handed_over<round_a>(out); } // expect-clean
__global__ void round_bad(int *out) { handed_over<round_b>(out); }
struct callee_a {};
struct callee_b {};
__global__ void callee_ok(int *out) { handed_over<callee_a>(out); } // expect-clean
__global__ void callee_bad(int *out) { handed_over<callee_b>(out); }
struct inner_a {};
struct inner_b {};
__global__ void inner_ok(int *out) { handed_over<inner_a>(out); } // expect-clean
__global__ void inner_bad(int *out) { handed_over<inner_b>(out); }
struct fixed_a {};
struct fixed_b {};
__global__ void fixed_ok(int *out) { handed_over<fixed_a>(out); } // expect-clean
__global__ void fixed_bad(int *out) { handed_over<fixed_b>(out); }
struct stream_a {};
struct stream_b {};
__global__ void stream_ok(int *out) { handed_over<stream_a>(out); } // expect-clean
__global__ void stream_bad(int *out) { handed_over<stream_b>(out); }
struct waits_a {};
struct waits_b {};
__global__ void waits_ok(int *out) { handed_over<waits_a>(out); } // expect-clean
__global__ void waits_bad(int *out) { handed_over<waits_b>(out); }
struct event_a {};
struct event_b {};
__global__ void event_ok(int *out) { handed_over<event_a>(out); } // expect-clean
__global__ void event_bad(int *out) { handed_over<event_b>(out); }
struct failed_a {};
struct failed_b {};
__global__ void failed_ok(int *out) { handed_over<failed_a>(out); } // expect-clean
__global__ void failed_bad(int *out) { handed_over<failed_b>(out); }
struct spoils_a {};
struct spoils_b {};
__global__ void spoils_ok(int *out) { handed_over<spoils_a>(out); } // expect-clean
__global__ void spoils_bad(int *out) { handed_over<spoils_b>(out); }
struct spread_a {};
struct spread_b {};
__global__ void spread_ok(int *out) { handed_over<spread_a>(out); } // expect-clean
__global__ void spread_bad(int *out) { handed_over<spread_b>(out); }

template <class Of, bool RETURNS> static void take_down(bool really) {
  if (RETURNS && !really) return;
  down<Of><<<1, 1>>>();
}

int main(int argc, char **) {
  int *out;
  cudaStream_t one, two;
  cudaEvent_t event;
  cudaMalloc(&out, 64);
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEventCreate(&event);

  branch_ok<<<8, 32>>>(out);
  down<branch_a><<<1, 1>>>();
  branch_ok<<<8, 32>>>(out);
  branch_bad<<<8, 32>>>(out);
  if (argc > 1) down<branch_b><<<1, 1>>>();
  branch_bad<<<8, 32>>>(out);

  both_ok<<<8, 32>>>(out);
  if (argc > 1) {
    down<both_a><<<1, 1>>>();
    both_ok<<<8, 32>>>(out);
  }
  both_bad<<<8, 32>>>(out);
  if (argc > 1) down<both_b><<<1, 1>>>();
  both_bad<<<8, 32>>>(out);

  for (int r = 1; r < 4; r++) {
    round_ok<<<8, 32>>>(out);
    down<round_a><<<1, 1>>>();
    round_bad<<<8, 32>>>(out);
    if (r == argc) continue;
    down<round_b><<<1, 1>>>();
  }

  for (int r = 0; r < 3; r++) {
    callee_ok<<<8, 32>>>(out);
    take_down<callee_a, false>(argc > 2);
    callee_bad<<<8, 32>>>(out);
    take_down<callee_b, true>(argc > 2);
  }

  for (int r = 0; r < 3; r++) {
    for (int q = 0; q < argc; q++) {
      inner_ok<<<8, 32>>>(out);
      down<inner_a><<<1, 1>>>();
    }
    for (int q = 0; q < argc; q++) inner_bad<<<8, 32>>>(out);
    down<inner_b><<<1, 1>>>();
  }

  for (int r = 0; r < 3; r++) {
    fixed_ok<<<8, 32>>>(out);
    for (int q = 0; q < 3; q++) down<fixed_a><<<1, 1>>>();
    fixed_bad<<<8, 32>>>(out);
    for (int q = 0; q < argc; q++) down<fixed_b><<<1, 1>>>();
  }

  for (int r = 0; r < 3; r++) {
    stream_ok<<<8, 32, 0, one>>>(out);
    down<stream_a><<<1, 1, 0, one>>>();
    stream_bad<<<8, 32, 0, one>>>(out);
    down<stream_b><<<1, 1, 0, two>>>();
  }

  for (int r = 0; r < 3; r++) {
    waits_ok<<<8, 32, 0, one>>>(out);
    cudaStreamSynchronize(one);
    down<waits_a><<<1, 1, 0, two>>>();
    cudaStreamSynchronize(two);
  }
  for (int r = 0; r < 3; r++) {
    waits_bad<<<8, 32, 0, one>>>(out);
    cudaStreamSynchronize(one);
    down<waits_b><<<1, 1, 0, two>>>();
    cudaStreamSynchronize(one);
  }

  for (int r = 0; r < 3; r++) {
    event_ok<<<8, 32, 0, one>>>(out);
    cudaStreamSynchronize(one);
    down<event_a><<<1, 1, 0, two>>>();
    cudaEventRecord(event, two);
    cudaStreamWaitEvent(one, event, 0);
  }
  for (int r = 0; r < 3; r++) {
    event_bad<<<8, 32, 0, one>>>(out);
    cudaStreamSynchronize(one);
    cudaEventRecord(event, two);
    down<event_b><<<1, 1, 0, two>>>();
    cudaStreamWaitEvent(one, event, 0);
  }

  for (int r = 0; r < 3; r++) {
    failed_ok<<<8, 32>>>(out);
    if (cudaGetLastError() != cudaSuccess) continue;
    down<failed_a><<<1, 1>>>();
  }
  for (int r = 0; r < 3; r++) {
    failed_bad<<<8, 32>>>(out);
    if (argc != 1) continue;
    down<failed_b><<<1, 1>>>();
  }

  if (argc > 1) down<spoils_a><<<1, 1>>>();
  spoils_ok<<<8, 32>>>(out);
  if (argc > 1) up<spoils_b><<<1, 1>>>();
  spoils_bad<<<8, 32>>>(out);

  for (int r = 0; r < 3; r++) {
    spread_ok<<<8, 32>>>(out);
    if (argc > 1)
      down<spread_a><<<1, 1>>>();
    else
      take_down<spread_a, false>(true);
    spread_bad<<<8, 32>>>(out);
    if (argc > 1)
      down<spread_b><<<1, 1>>>();
    else
      up<spread_b><<<1, 1>>>();
  }
  cudaDeviceSynchronize();
}
