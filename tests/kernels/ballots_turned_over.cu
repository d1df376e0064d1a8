// Places by ballots from both ends of a tile: those who say yes from the front, those who say no from the back, each by its rank among its own.
// turned: the ranks of the others are counted in the ballot turned over (ok), from one place too far ahead (ahead), in front of the others (front_ok), one of them is counted with
// itself (itself). asked: the others make a ballot of their own (ok), of another question (question), of one that is not quite the contrary (almost).
// above: ranks count from above (ok), both from above on the same side (side).
// parity: two kinds of numbers, told apart by a bit (ok), by two bits (bad).
//@ verdict turned_ok: race-free
//@ verdict turned_ahead_bad: racy
//@ verdict turned_front_ok: race-free
//@ verdict turned_itself_bad: racy
//@ verdict asked_ok: race-free
//@ verdict asked_unsigned_ok: race-free
//@ verdict asked_question_bad: racy
//@ verdict asked_almost_bad: racy
//@ verdict above_ok: race-free
//@ verdict above_side_bad: racy
//@ verdict parity_ok: race-free
//@ verdict parity_bad: racy
enum Mistake { OK, AHEAD, FRONT, ITSELF, QUESTION, ALMOST, SIDE };

__device__ unsigned below() { return (1u << (threadIdx.x & 31)) - 1; }

template <Mistake mistake> __device__ void turned(const int *in, int *out) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) & ~31, lane = threadIdx.x & 31, v = in[first + lane];
  unsigned less = __ballot_sync(0xffffffffu, v < 0);
  int others = __popc(~less & (mistake == ITSELF ? below() | 1 : below()));
  if (v < 0)
    out[first + __popc(less & below())] = v; // expect-race
  else
    out[first + (mistake == FRONT ? __popc(less) + others : (mistake == AHEAD ? 30 : 31) - others)] = v; // expect-race
}

__global__ void turned_ok(const int *in, int *out) { turned<OK>(in, out); } // expect-clean
__global__ void turned_ahead_bad(const int *in, int *out) { turned<AHEAD>(in, out); }
__global__ void turned_front_ok(const int *in, int *out) { turned<FRONT>(in, out); } // expect-clean
__global__ void turned_itself_bad(const int *in, int *out) { turned<ITSELF>(in, out); }

template <Mistake mistake, class T> __device__ void asked(const T *in, T *out, T bound) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) & ~31, lane = threadIdx.x & 31;
  T v = in[first + lane];
  unsigned less = __ballot_sync(0xffffffffu, v < 100);
  unsigned more = __ballot_sync(0xffffffffu, mistake == QUESTION ? v >= bound : mistake == ALMOST ? v > 100 : v >= 100);
  if (v < 100)
    out[first + __popc(less & below())] = v; // expect-race
  else
    out[first + 31 - __popc(more & below())] = v; // expect-race
}

__global__ void asked_ok(const int *in, int *out, int bound) { asked<OK>(in, out, bound); } // expect-clean
__global__ void asked_unsigned_ok(const unsigned *in, unsigned *out, unsigned bound) { asked<OK>(in, out, bound); } // expect-clean
__global__ void asked_question_bad(const int *in, int *out, int bound) { asked<QUESTION>(in, out, bound); }
__global__ void asked_almost_bad(const int *in, int *out, int bound) { asked<ALMOST>(in, out, bound); }

template <Mistake mistake> __device__ void above(const int *in, int *out) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) & ~31, lane = threadIdx.x & 31, v = in[first + lane];
  unsigned less = __ballot_sync(0xffffffffu, v < 0);
  int own = __popc(less >> lane) - 1, others = __popc(~less >> lane) - 1;
  if (v < 0)
    out[first + own] = v; // expect-race
  else
    out[first + (mistake == SIDE ? others : 31 - others)] = v; // expect-race
}

__global__ void above_ok(const int *in, int *out) { above<OK>(in, out); } // expect-clean
__global__ void above_side_bad(const int *in, int *out) { above<SIDE>(in, out); }

template <int bits> __device__ void parity(const int *in, int *out) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) & ~31, lane = threadIdx.x & 31, v = in[first + lane];
  unsigned odd = __ballot_sync(0xffffffffu, v & bits), even = __ballot_sync(0xffffffffu, (v & 1) == 0);
  if (v & 1)
    out[first + 31 - __popc(odd & below())] = v; // expect-race
  else
    out[first + __popc(even & below())] = v; // expect-race
}

__global__ void parity_ok(const int *in, int *out) { parity<1>(in, out); } // expect-clean
__global__ void parity_bad(const int *in, int *out) { parity<2>(in, out); }

int main(int argc, char **argv) {
  int n = argc * 256, *in, *out;
  unsigned *from, *to;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&from, n * sizeof(int));
  cudaMalloc(&to, n * sizeof(int));
  cudaMemcpy(in, argv[1], n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(from, argv[1], n * sizeof(int), cudaMemcpyHostToDevice);
  turned_ok<<<argc, 256>>>(in, out);
  turned_ahead_bad<<<argc, 256>>>(in, out);
  turned_front_ok<<<argc, 256>>>(in, out);
  turned_itself_bad<<<argc, 256>>>(in, out);
  asked_ok<<<argc, 256>>>(in, out, n);
  asked_unsigned_ok<<<argc, 256>>>(from, to, n);
  asked_question_bad<<<argc, 256>>>(in, out, n);
  asked_almost_bad<<<argc, 256>>>(in, out, n);
  above_ok<<<argc, 256>>>(in, out);
  above_side_bad<<<argc, 256>>>(in, out);
  parity_ok<<<argc, 256>>>(in, out);
  parity_bad<<<argc, 256>>>(in, out);
}
