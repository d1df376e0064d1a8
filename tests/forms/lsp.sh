# The language server with the client library of Visual Studio Code, whose guards judge every answer.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge node && need_judge "$judges/vscode-languageserver-protocol"
write_programs
cat >scale.cu <<'CU'
__global__ void scale(float *a, int width, int pitch, int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < rows)
    a[y * pitch + x] *= 2;
}
void run(float *a, int w, int p, int r) {
  scale<<<dim3((w + 127) / 128, r), 128>>>(a, w, p, r);
}
CU
run node "$forms/lsp.js" "$HGRD_CHECK" "$work"
status_is 0 && is_empty out
