// Does the underlined part of a source line cover the access, and nothing else?
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "tests/unit/check.h"

#include <string.h>

// The caret's column is that of `mark` in the line; the extent has to be the text `expected`.
static void check_extent(const char *line, const char *mark, const char *expected) {
  const char *at = strstr(line, mark);
  CHECK(at != NULL);
  uint32_t column = at ? (uint32_t)(at - line) + 1 : 1;
  Extent extent = extent_of(line, column);
  CHECK(extent.caret == column && extent.start <= column && extent.end > column);
  char got[200];
  snprintf(got, sizeof got, "%.*s", (int)(extent.end - extent.start), line + extent.start - 1);
  CHECK_TEXT(got, expected);
}

int main(void) {
  check_extent("  a[i] = b;", "= b", "a[i] =");
  check_extent("  tile[ty][tx + 1].x += b;", "+=", "tile[ty][tx + 1].x +=");
  check_extent("  *p = 1;", "= 1", "*p =");
  check_extent("  s->next.value <<= 1;", "<<=", "s->next.value <<=");
  check_extent("  if (x) a[i] = 1;", "= 1", "a[i] =");
  check_extent("  if(x)a[i]=1;", "=1", "a[i]=");
  check_extent("  f(x)[i] = 1;", "= 1", "f(x)[i] =");
  check_extent("  hist[k]++;", "++", "hist[k]++");
  check_extent("  ++hist[k];", "++", "++hist[k]");
  check_extent("  x = a[i + b[j]] + 1;", "a[i", "a[i + b[j]]");
  check_extent("  x = *p + 1;", "*p", "*p");
  check_extent("  atomicAdd(&sum[b], 1);", "atomic", "atomicAdd(&sum[b], 1)");
  check_extent("  __syncthreads();", "__", "__syncthreads()");
  check_extent("  if (t < n) { f(); }", "if", "if");
  check_extent("  ns::f(a).b = 1;", "= 1", "ns::f(a).b =");
  check_extent("  return a == b;", "== b", "=");
  check_extent("  open(a, b", "open", "open");
  check_extent("  h\xc3\xa9[1] = 2;", "= 2", "h\xc3\xa9[1] =");
  Extent beyond = extent_of("ab", 9), none = extent_of(NULL, 3);
  CHECK(beyond.start == 9 && beyond.end == 10 && none.start == 3 && none.end == 4);
  return check_result();
}
