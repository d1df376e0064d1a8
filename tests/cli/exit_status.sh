# 0 clean, 1 findings, 2 input, 3 undecided and --strict.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
cat >undecided.cu <<'CU'
__global__ void strange(int *a) {
  asm volatile("mystery.op [%0];" ::"l"(a + threadIdx.x) : "memory");
}
int main() {
  int *a;
  cudaMalloc((void **)&a, 4096);
  strange<<<1, 32>>>(a);
  return 0;
}
CU
status_of() { # status_of STATUS ARGUMENTS...
  local wanted=$1
  shift
  run "$HGRD_CHECK" "$@"
  status_is "$wanted"
}

status_of 0 clean.cu
status_of 1 racy.cu
status_of 1 -Werror racy.cu
status_of 0 --exit-zero racy.cu
status_of 0 -Wno-inter-block-race -Wno-intra-block-race -Wno-intra-warp-race racy.cu
status_of 1 racy.cu undecided.cu --strict
status_of 0 undecided.cu
status_of 3 --strict undecided.cu
status_of 3 undecided.cu --strict
status_of 0 --strict --exit-zero undecided.cu
status_of 0 --strict clean.cu
status_of 2 racy.cu missing.cu
status_of 2 --exit-zero missing.cu
status_of 0 --help
has out '--format'
status_of 0 --version
has out '^hgrd-check [0-9]+\.[0-9]+\.[0-9]+ \(commit '
for format in text json sarif; do
  status_of 1 --format=$format racy.cu
  status_of 0 --format=$format clean.cu
done
