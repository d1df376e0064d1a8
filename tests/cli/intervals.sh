# Between which barriers both accesses of a race stand: in the text with -v, in JSON, as lanes in the HTML page. Each kernel
# has a twin that differs by one barrier and stands between others.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >lanes.cu <<'CU'
#include <cuda_pipeline.h>
__global__ void plain(int *out) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  __syncthreads();
}
__global__ void behind(int *out) {
  __shared__ int s[256];
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  __syncthreads();
}
__global__ void warp_between(int *out) {
  __shared__ int s[256];
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  __syncthreads();
}
__global__ void between_blocks(int *out) {
  __syncthreads();
  out[threadIdx.x] = blockIdx.x;
}
__global__ void round_a_loop(int *out) {
  __shared__ int s[256];
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    s[threadIdx.x] = k;
    __syncthreads();
    sum += s[255 - threadIdx.x];
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void copied(int *out, const int *in) {
  __shared__ int s[256];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
void run(int *a, const int *b) {
  plain<<<4, 256>>>(a);
  behind<<<4, 256>>>(a);
  warp_between<<<4, 256>>>(a);
  between_blocks<<<4, 256>>>(a);
  round_a_loop<<<4, 256>>>(a);
  copied<<<4, 256>>>(a, b);
}
CU
run "$HGRD_CHECK" -v --format=text -o text --format=json -o report.json --format=html -o page.html lanes.cu
status_is 1
intervals() { sed -nE 's/^lanes.cu:[0-9]+:[0-9]+: note: witness: (.* between the .*)/\1/p' text; }
end="the kernel's end" start="the kernel's start" other='that does not hold the other'
cat >expected <<TEXT
both access it between $start and the block barrier at line 6
both access it between the block barrier at line 10 and the block barrier at line 13
first thread between the block barrier at line 17 and the block barrier at line 21, before a warp barrier at line 19 $other; second thread between the block barrier at line 17 and the block barrier at line 21, behind a warp barrier at line 19 $other
both access it between $start and $end, behind a block barrier at line 24 $other
both access it between the block barrier at line 32 and the block barrier at line 32
first thread between $start and the block barrier at line 41, and goes on behind 1 barrier; second thread between the block barrier at line 41 and $end
TEXT
intervals >got
same expected got || diff expected got

# Without -v the text is silent.
run "$HGRD_CHECK" lanes.cu
has_not out 'witness: .* between the '

# The same in JSON: what was passed, the barriers around, whom they wait for.
of() { # of KERNEL: its report on one line
  run "$HGRD_CHECK" --kernel="^$1\$" --format=json lanes.cu
  status_is 1
  tr -d ' \n' <out >"$1"
}
barrier() { echo "\\{\"file\":\"lanes.cu\",\"line\":$1,\"column\":3,\"scope\":\"$2\",\"holdsBoth\":$3\\}"; }
of plain
has plain "\"passed\":0,\"goesOnFor\":0,\"before\":\[\],\"after\":\[$(barrier 6 block true)\],\"whole\":true"
of behind
has behind "\"passed\":1,\"goesOnFor\":0,\"before\":\[$(barrier 10 block true)\],\"after\":\[$(barrier 13 block true)\]"
of warp_between
has warp_between "\"before\":\[$(barrier 17 block true),$(barrier 19 warp false)\],\"after\":\[$(barrier 21 block true)\]"
of between_blocks
has between_blocks "\"passed\":0,\"goesOnFor\":0,\"before\":\[$(barrier 24 block false)\],\"after\":\[\],\"whole\":true"
of copied
has copied "\"passed\":0,\"goesOnFor\":1,\"before\":\[\],\"after\":\[$(barrier 41 block true)\]"

# As lanes: a line across for what holds both, a dashed one in a lane for what does not, a bar for a copy that goes on.
[[ $(grep -c '<svg role="img" aria-labelledby="time-' page.html) -eq 6 ]] || complain 'lanes are missing'
[[ $(grep -c 'class="own"' page.html) -eq 4 ]] || complain 'barriers of one lane: two of the warp, two of a block each'
has page.html 'both access it between the block barrier at line 10 and the block barrier at line 13</title>'
[[ $(grep -c 'still goes on</text>' page.html) -eq 1 ]] || complain 'the copy does not go on'

# What only a run of all threads shows: the barriers that each has passed by then, and those behind the accesses on every way. The second
# one has a barrier more in front.
cat >ticket.cu <<'CU'
//--blockDim=64 --gridDim=8
__global__ void ticket(int *count, int *part, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0)
    part[blockIdx.x] = blockIdx.x * 3;
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x)
    out[threadIdx.x] = part[threadIdx.x];
}
CU
sed 's/^  if (threadIdx.x == 0)$/  __syncthreads();\n&/' ticket.cu >later.cu
for file in ticket later; do
  run "$HGRD_CHECK" -v --format=text --format=json -o $file.json --format=html -o $file.html $file.cu
  status_is 1
  [[ $(tr -d ' \n' <$file.json | grep -o '"interval"' | wc -l) -eq 2 ]] || complain 'no intervals in JSON'
  has $file.html 'aria-labelledby="time-'
  grep 'between the kernel' out | sed 's/.*witness: //' >$file.text
done
cat >expected <<TEXT
first thread between $start and $end; second thread between $start and $end, behind a block barrier at line 11 $other
TEXT
same expected ticket.text || diff expected ticket.text
cat >expected <<TEXT
first thread between $start and $end, behind a block barrier at line 4 $other; second thread between $start and $end, behind a block barrier at line 12 $other
TEXT
same expected later.text || diff expected later.text
