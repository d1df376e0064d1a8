# Kernels that are large or deep beyond what anybody writes, but a generator may: an answer, or a reason why there is none, and no crash.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

# kernel FILE BODY...: one kernel of 64 threads with shared s[64], t = threadIdx.x, sum, n and arrays of n elements; from an awk program.
kernel() {
  local file=$1
  shift
  {
    echo '__global__ void k(int *out, const int *in, int n) {'
    echo '  __shared__ int s[64];'
    echo '  int t = threadIdx.x, sum = 0;'
    awk "BEGIN { $* }"
    echo '  out[blockIdx.x * 64 + t] = sum;'
    echo '}'
    echo 'int main(int argc, char **) {'
    echo '  int *out, *in;'
    echo '  cudaMalloc((void **)&out, 4 * 64 * sizeof(int));'
    echo '  cudaMalloc((void **)&in, 2048 * sizeof(int));'
    echo '  k<<<4, 64>>>(out, in, argc);'
    echo '}'
  } >"$file"
}
exchange='s[t] = t + n; __syncthreads(); sum += s[63 - t]; __syncthreads();'
race='s[t] = t + n; sum += s[63 - t];'
nest() { # DEPTH BODY
  echo "for (i = 0; i < $1; i++) print \"for (int i\" i \" = 0; i\" i \" < n; i\" i \"++) {\"; print \"$2\"; for (i = 0; i < $1; i++) print \"}\";"
}

# 50,000 instructions that compute one value.
kernel instructions.cu 'for (i = 0; i < 12500; i++) print "sum = sum * " i % 97 + 3 " + (sum ^ " i ");"'
run "$HGRD_CHECK" --dump=ir instructions.cu
[[ $(grep -c '^  %' out) -gt 35000 ]] || complain "only $(grep -c '^  %' out) instructions"
run "$HGRD_CHECK" instructions.cu
status_is 0 && has out '1 race-free'

# Loops in one another: any number without a barrier inside; with one, a limit that is told.
for depth in 40 70; do
  kernel deep.cu "$(nest $depth "$race")"
  run "$HGRD_CHECK" deep.cu
  status_is 1 && has out 'deep\.cu:.*-Wintra-block-race'
  kernel deep.cu "$(nest $depth "$exchange")"
  run "$HGRD_CHECK" deep.cu
  status_is 0 && has out "undecided: a barrier inside of $depth nested loops" && has out '0 race-free, 0 racy, 1 undecided'
done
kernel deep.cu "$(nest 8 "$exchange")"
run "$HGRD_CHECK" deep.cu
status_is 0 && has out '1 race-free'

# A switch with 400 cases, each of which writes the thread's own element, or one of them a neighbour's.
cases='print "switch (in[t]) {"; for (i = 0; i < 400; i++) print "case " 3 * i ": out[blockIdx.x * 64 + t" (i == odd ? " / 2" : "") "] = " i "; break;"; print "}"'
kernel switch.cu "odd = -1; $cases"
run "$HGRD_CHECK" switch.cu
status_is 0 && has out '1 race-free'
kernel switch.cu "odd = 200; $cases"
run "$HGRD_CHECK" switch.cu
status_is 1 && has out 'switch\.cu:.*-Wintra-block-race'

# 2000 blocks in a chain of conditions.
kernel chain.cu 'for (i = 0; i < 1000; i++) print "if (in[t] > " i ") sum = sum * 3 + n;"'
run "$HGRD_CHECK" chain.cu
status_is 0 && has out '1 race-free'

# A barrier under 30 conditions in a loop: uniform, and only sometimes passed, so that a race stays; or not uniform, which is divergence.
under() { # CONDITION
  echo "print \"for (int r = 0; r < n; r++) { s[t] = r;\"; for (i = 0; i < 30; i++) print \"if ($1 > \" i \") {\"; print \"__syncthreads();\";"
  echo "for (i = 0; i < 30; i++) print \"}\"; print \"sum += s[63 - t]; __syncthreads(); }\""
}
kernel under.cu "$(under n)"
run "$HGRD_CHECK" under.cu
status_is 1 && has out 'under\.cu:.*-Wintra-block-race'
kernel under.cu "$(under t)"
run "$HGRD_CHECK" under.cu
status_is 1 && has out 'under\.cu:.*-Wbarrier-divergence'

# A thousand launches in one function: what is known before each takes memory in proportion to them. With the sanitizers memory is
# not measured, and each proof is audited: a hundred will do.
sanitized=$(grep -c __asan_init "$HGRD_CHECK")
count=1000
[[ $sanitized -eq 0 ]] || count=100
{
  echo '__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }'
  echo 'int main() { int *a; cudaMalloc((void **)&a, 1 << 20);'
  for ((i = 1; i <= count; i++)); do echo "  k<<<$i, 128>>>(a, ${i}00);"; done
  echo '}'
} >launches.cu
[[ $sanitized -gt 0 ]] || ulimit -S -v 1500000 # its stacks and libraries have 1 GiB of addresses
run "$HGRD_CHECK" -j1 launches.cu
status_is 0 && has out '1 race-free'

# Of many launches that use one ticket, only the first finds it as it was set; where each is set back before, all do.
tickets() { # COMMAND, before each but the first
  echo '__global__ void sum(const int *in, int *parts, int *ticket, int *total) { if (threadIdx.x == 0) {'
  echo '  parts[blockIdx.x] = in[blockIdx.x]; __threadfence();'
  echo '  if (atomicAdd(ticket, 1) == gridDim.x - 1) { __threadfence(); for (int b = 0; b < gridDim.x; b++) total[0] += parts[b]; } } }'
  echo 'int main() { int *in, *parts, *ticket, *total; cudaMalloc(&in, 64); cudaMalloc(&parts, 64); cudaMalloc(&total, 4);'
  echo '  cudaMalloc(&ticket, 4); cudaMemset(ticket, 0, 4);'
  for ((i = 0; i < 100; i++)); do echo "  sum<<<$((4 + i % 12)), 32>>>(in, parts, ticket, total); $1"; done
  echo '}'
}
tickets ';' >tickets.cu
run "$HGRD_CHECK" tickets.cu
status_is 1 && has out 'tickets\.cu:2:.*-Winter-block-race'
tickets 'cudaMemset(ticket, 0, 4);' >tickets.cu
run "$HGRD_CHECK" tickets.cu
status_is 0 && has out '1 race-free'

# Why a call of a function stays one.
run "$HGRD_CHECK" --cuda-path=none "$HGRD_ROOT/tests/kernels/calls_too_large.cu"
has out "call of '[a-z_]*' that stays a call: with all that it calls it is too large"
has out "call of 'depth' that stays a call: it calls itself"
