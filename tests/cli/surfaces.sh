# Places of surfaces are told by their rows, and their bytes in the row.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

cat >layers.cu <<'CU'
__global__ void layers(cudaSurfaceObject_t out) {
  surf2DLayeredwrite((float)(blockIdx.x + threadIdx.x), out, threadIdx.x * 4, 3, 2 + blockIdx.x / 2);
}
int main() {
  cudaSurfaceObject_t out;
  cudaResourceDesc from = {};
  cudaCreateSurfaceObject(&out, &from);
  layers<<<8, 64>>>(out);
}
CU
for cuda in none "${CUDA_PATH:-none}"; do
  run "$HGRD_CHECK" --cuda-path="$cuda" layers.cu
  status_is 1 && has out 'both at surface out, y 3, z 2 \(byte 0\)'
done

sed 's|blockIdx\.x / 2|blockIdx.x|' layers.cu >own.cu
run "$HGRD_CHECK" own.cu
status_is 0 && has out '1 race-free'

sed 's|/ 2)|/ 2, cudaBoundaryModeClamp)|' layers.cu >clamped.cu
run "$HGRD_CHECK" clamped.cu
status_is 0 && has out 'undecided: a surface is used with places that are clamped to its size, which is not modelled'
