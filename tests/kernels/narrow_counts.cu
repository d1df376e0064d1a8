// A count of 8 or 16 bits that data decides: C adds in 32 bits and keeps what fits, so that it is as often above the largest number with a sign, and
// goes round without an overflow. *_ok: the other thread's place is one that it cannot hold.
//@ verdict bytes_ok: race-free
//@ verdict bytes_bad: racy
//@ verdict shorts_ok: race-free
//@ verdict shorts_bad: racy
__device__ void bytes(int *out, const int *in, int place) {
  unsigned char count = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 200; i++)
      if (in[i]) count++;
    out[count] = 1; // expect-race[bytes]
  }
  if (threadIdx.x == 1) out[place] = 2; // expect-race[bytes]
}
__global__ void bytes_ok(int *out, const int *in) { bytes(out, in, 256); } // expect-clean
__global__ void bytes_bad(int *out, const int *in) { bytes(out, in, 150); }

__device__ void shorts(int *out, const int *in, int place) {
  unsigned short count = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 100000; i++)
      if (in[i]) count++;
    out[count] = 1; // expect-race[shorts]
  }
  if (threadIdx.x == 1) out[place] = 2; // expect-race[shorts]
}
__global__ void shorts_ok(int *out, const int *in) { shorts(out, in, 65536); } // expect-clean
__global__ void shorts_bad(int *out, const int *in) { shorts(out, in, 40000); }

void narrow_counts(int *out, const int *in) {
  bytes_ok<<<1, 64>>>(out, in);
  bytes_bad<<<1, 64>>>(out, in);
  shorts_ok<<<1, 64>>>(out, in);
  shorts_bad<<<1, 64>>>(out, in);
}
