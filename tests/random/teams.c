// Random kernels: what threads do together. Each entry of the table is a text with holes, in which a barrier is now and then
// missing or too narrow, an index is another one, or an amount is wrong.
// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#include <string.h>

typedef struct Text {
  const char *text;
  bool gives;      // %v is an int that later statements may use
  bool all_lanes;  // lanes read what others give: all must be there
  bool draws;      // what atomic operations return matters
} Text;

static const Text texts[] = {
    // Warp barriers with masks that are computed.
    {"unsigned q%v = __ballot_sync(~0u, %?);\n"
     "if (q%v >> lane & 1) {\n"
     "  s[IX(tid@(@|@| * 2@), 256)] = gid;\n"
     "  @(__syncwarp(q%v);@|__syncwarp(q%v);@|__syncwarp(q%v);@|@)\n"
     "  a[IX(@(gid@|gid@|tid@), 4096)] = s[IX(@(warp * 32 + __ffs(q%v) - 1@|tid@|warp * 32 + __ffs(q%v) - 1@), 256)];\n"
     "}\n%B",
     false, false, false},
    {"if (lane < 8) {\n"
     "  s[IX(tid, 256)] = gid;\n"
     "  @(__syncwarp(0xff);@|__syncwarp(0xff);@|@)\n"
     "  a[IX(gid, 4096)] = s[IX(@(tid ^ %K@|warp * 32 + %C@), 256)];\n"
     "}\n%B",
     false, false, false},
    {"int k%v = @(%C@|min(n, 31)@|m + 1@|4 * %C - 1@);\n"
     "if (lane < k%v) {\n"
     "  s[IX(tid, 256)] = %L;\n"
     "  @(__syncwarp((1u << k%v) - 1);@|__syncwarp((1u << k%v) - 1);@|__syncwarp((1u << k%v) - 1);@|@)\n"
     "  b[IX(gid, 4096)] = s[IX(warp * 32 + (lane + @(1@|1@|%K@)) % @(k%v@|k%v@|k%v@|(k%v + 1)@), 256)];\n"
     "}\n%B",
     false, false, false},
    {"unsigned q%v = __match_any_sync(~0u, @(%L@|lane / %C@|r[IX(gid, 4096)]@|lane & %C@));\n"
     "s[IX(tid, 256)] = gid;\n"
     "@(__syncwarp(q%v);@|__syncwarp(q%v);@|__syncwarp();@|@)\n"
     "int v%v = s[IX(warp * 32 + @(__ffs(q%v) - 1@|31 - __clz(q%v)@|__ffs(q%v) - 1@|lane@), 256)];\n%B",
     true, false, false},
    // One lane for all.
    {"if (lane == @(0@|0@|%K@)) s[IX(warp + 64, 256)] = %L;\n"
     "@(__syncwarp();@|__syncwarp();@|__syncthreads();@|@)\n"
     "int v%v = s[IX(@(warp@|warp@|warp@|0@) + 64, 256)];\n%B",
     true, false, false},
    {"if (lane == 0) s[IX(warp, 256)] = __popc(__ballot_sync(1u, tid > %C));\n%B", false, false, false},
    {"int x%v = %L;\n"
     "for (int d = 16; d > 0; d >>= 1) x%v += __shfl_down_sync(~0u, x%v, d);\n"
     "if (lane == 0) s[IX(warp@( + 128@|@), 256)] = x%v;\n%B"
     "int v%v = s[IX(@(0@|warp@|lane % (%T / 32)@)@( + 128@|@), 256)];\n%B",
     true, true, false},
    {"int x%v = %L;\n"
     "for (int d = 1; d < 32; d *= 2) x%v @(+=@|^=@|+=@) __shfl_xor_sync(~0u, x%v, d);\n"
     "s[IX(@(warp@|x%v & 255@|warp * 4 + (x%v & 3)@), 256)] = 1;\n%B",
     false, true, false},
    // Numbers that are drawn.
    {"int v%v = 0;\n"
     "if (lane == 0) v%v = atomicAdd(&c[@(0@|0@|%K@)], @(32@|32@|31@|33@));\n"
     "v%v = __shfl_sync(~0u, v%v, @(0@|0@|0@|1@));\n"
     "a[IX(v%v + lane, 4096)] = gid;\n",
     true, true, true},
    {"bool f%v = %?;\nint v%v = 0;\n"
     "unsigned q%v = __ballot_sync(~0u, f%v);\n"
     "if (lane == @(0@|__ffs(q%v) - 1@)) v%v = atomicAdd(&c[%K], @(__popc(q%v)@|__popc(q%v)@|1@));\n"
     "v%v = __shfl_sync(~0u, v%v, @(0@|__ffs(q%v) - 1@)&31);\n"
     "if (@(f%v@|f%v@|f%v@|true@)) @(a@|b@)[IX(v%v + __popc(q%v & ((1u << lane) - 1)), 4096)] = gid;\n",
     true, true, true},
    {"unsigned q%v = __match_any_sync(~0u, tid % %C);\nint v%v = 0, l%v = __ffs(q%v) - 1;\n"
     "if (lane == l%v) v%v = atomicAdd(&c[@(0@|(tid % 2)@)], @(__popc(q%v)@|__popc(q%v)@|1@));\n"
     "v%v = __shfl_sync(@(q%v@|~0u@), v%v, l%v);\n"
     "a[IX(v%v + __popc(q%v & ((1u << lane) - 1)), 4096)] = gid;\n",
     true, true, true},
    {"if (tid < 16) t[tid][0] = 0;\n%B"
     "int k%v = @(tid & 7@|r[IX(gid, 4096)] & 15@|(%L) & 15@);\n"
     "int v%v = atomicAdd(&t[k%v][0], @(1@|1@|0@));\n%B"
     "@(s[IX(k%v * 16 + v%v, 256)] = tid;@|b[IX(blockIdx.x * 1024 + k%v * 64 + v%v, 4096)] = gid;@|b[IX(k%v * 64 + v%v, 4096)] = gid;@)\n%B",
     true, false, true},
    {"if (tid == 0) s[%K] = @(%T@|0@);\n%B"
     "int v%v = atomicSub(&s[0], 1);\n"
     "b[IX(blockIdx.x * 256 + v%v + 100, 4096)] = tid;\n%B",
     true, false, true},
    {"if (tid == 0) s[200] = -1;\n%B"
     "t[IX(tid / 33, 16)][IX(tid % 33, 33)] = @(atomicExch(&s[200], tid)@|atomicExch(&s[200], tid)@|s[200]@);\n%B"
     "if (tid == 0) for (int x = s[200], k = 0; x >= 0 && k < @(%T@|3@); k++) {\n"
     "  b[IX(blockIdx.x * 256 + x, 4096)] = k;\n"
     "  x = t[IX(x / 33, 16)][IX(x % 33, 33)];\n"
     "}\n%B",
     false, false, true},
    {"if (tid == 0) s[100] = 0;\n%B"
     "for (int k = 0; k < %C; k++) {\n"
     "  if (@(%?@|true@)) s[IX(101 + atomicAdd(&s[100], 1), 256)] = tid;\n"
     "  %B"
     "  for (int x = tid; x < s[100]; x += %T) a[IX(@(blockIdx.x * 1000 + s[IX(101 + x, 256)]@|s[IX(101 + x, 256)]@|blockIdx.x * 256 + x@), 4096)] = k;\n"
     "  %B"
     "  if (tid == 0) s[100] = 0;\n"
     "  %B"
     "}\n",
     false, false, true},
    {"if (atomicMax(&s[IX(@(%K@|tid@), 256)], tid) @(<@|==@) tid) s[IX(@(128 + tid@|128@), 256)] = 1;\n%B", false, false, true},
    {"if (atomicOr(&c[%K], 1u << @(lane@|0@|0@)) @(== 0@|>> lane & 1@)) %S%B", false, false, true},
    // Loops in loops with barriers.
    {"for (int y = 0; y < @(n@|%C@|m@); y++) {\n"
     "  for (int x = 0; x < @(m + 1@|%C@|y@); x++) {\n"
     "    s[IX(tid, 256)] = x + y;\n"
     "    %B"
     "    b[IX(gid, 4096)] += s[IX((tid + @(x@|y@|1@)) % %T, 256)];\n"
     "    %B"
     "  }\n"
     "  @(@|%S@|s[IX(tid * 2, 256)] = y;@)\n"
     "  %B"
     "}\n",
     false, false, false},
    {"for (int y = 0; y < %U; y++) {\n"
     "  if (@(%!@|y == %K@|y > m@)) @(continue@|break@);\n"
     "  s[IX(tid ^ @(y & 7@|1@|y % 2@), 256)] = y;\n"
     "  %B"
     "  if (@(%!@|y == %K@|y > m@)) @(continue@|break@);\n"
     "  a[IX(gid, 4096)] = s[IX(tid ^ @(y & 7@|1@|y % 2@), 256)];\n"
     "  @(%B@|@|%B@)"
     "}\n%B",
     false, false, false},
    {"for (int y = 0, z = 0; y < n; y += %C, z ^= 1) {\n"
     "  s[IX(z * @(64@|64@|32@) + tid, 256)] = y;\n"
     "  %B"
     "  b[IX(gid, 4096)] += s[IX(@(z@|z@|z@|(1 - z)@) * 64 + (tid ^ 1), 256)];\n"
     "}\n%B",
     false, false, false},
    {"for (int w = @(1@|2@|m + 1@); w < %T; w *= 2) {\n"
     "  for (int d = w; d > 0; d @(/= 2@|>>= 1@)) {\n"
     "    int x = tid ^ d;\n"
     "    if (@(x > tid@|x > tid@|true@) && x < %T && s[x] < s[tid]) { int y = s[x]; s[x] = s[tid]; s[tid] = y; }\n"
     "    %B"
     "  }\n"
     "}\n",
     false, false, false},
    {"for (int d = %T / 2; d > 0; d /= 2) {\n"
     "  if (@(tid < d@|tid < d@|tid <= d@)) for (int k = 0; k < %C; k++) t[k][IX(tid @(@|% 32@), 33)] += t[k][IX((tid + d) @(@|% 32@), 33)];\n"
     "  %B"
     "}\n",
     false, false, false},
    {"for (int d = 1; d < %T; d *= 2) {\n"
     "  int x = 2 * d * (tid + 1) - 1;\n"
     "  if (x < %T) s[IX(x, 256)] += s[IX(x - d, 256)];\n"
     "  %B"
     "}\n"
     "if (tid == 0) s[%T - 1] = 0;\n"
     "for (int d = %T / 2; d > 0; d /= 2) {\n"
     "  @(%B@|%B@|@)"
     "  int x = @(2@|2@|2@|1@) * d * (tid + 1) - 1;\n"
     "  if (x < %T) { int y = s[IX(x - d, 256)]; s[IX(x - d, 256)] = s[IX(x, 256)]; s[IX(x, 256)] += y; }\n"
     "}\n%B",
     false, false, false},
    // The same bytes by other widths.
    {"((unsigned char *)s)[IX(@(tid * 4 + %K@|tid@|tid + %C * 4@|tid * 3@), 1024)] = 1;\n%B"
     "@(s[IX(tid, 256)] += 1@|((int4 *)s)[IX(tid, 64)].y = 2@|((short *)s)[IX(tid, 512)] = 3@|((long long *)s)[IX(tid, 128)] = 4@);\n%B",
     false, false, false},
    {"if (tid < @(64@|32@|%C@)) ((int4 *)s)[IX(tid, 64)] = make_int4(tid, %L, gid, 0);\n%B"
     "int v%v = @(((short *)s)[IX(tid, 512)]@|s[IX(tid * 4 + %K, 256)]@|((int2 *)s)[IX(tid, 128)].x@);\n%B",
     true, false, false},
    {"((short *)a)[IX(gid * 2 + @(0@|1@|%K@), 8192)] = tid;\n"
     "@(a[IX(gid + @(0@|0@|1@), 4096)] = 1@|((unsigned char *)a)[IX(gid * 4 + @(2@|3@|5@), 16384)] = 2@|((int4 *)b)[IX(gid, 1024)] = make_int4(1, 2, 3, 4)@);\n",
     false, false, false},
    {"@(((int4 *)b)[IX(gid, 1024)] = make_int4(1, 2, 3, 4)@|((long long *)b)[IX(gid, 2048)] = 1@);\n"
     "@(b[IX(gid * @(4@|2@|4@) + @(1@|2@|4@), 4096)] += 1@|((unsigned char *)b)[IX(gid * 16 + @(%C@|%C@|%C * 3@), 16384)] = 1@);\n",
     false, false, false},
    // Places that an earlier stretch computed.
    {"s[IX(@(tid@|%T - 1 - tid@|tid ^ 1@), 256)] = @(tid@|tid * %C@|(tid * 5) % 64@|tid / 2@|%T - 1 - tid@|tid ^ %C@);\n%B"
     "int v%v = s[IX(@(tid@|tid@|tid ^ 1@|tid / 2@), 256)];\n%B"
     "@(t[IX(v%v / 33, 16)][IX(v%v % 33, 33)] = tid;@|s[IX(v%v, 256)] += 1;@|a[IX(blockIdx.x * 512 + v%v, 4096)] = gid;@)\n%B",
     true, false, false},
    {"int v%v = r[IX(@(gid@|gid@|tid@|gid * 2@), 4096)];\n"
     "@(a@|b@|a@)[IX(v%v@(@|@|@| * 2@| + 1@), 4096)] = gid;\n",
     true, false, false},
    {"int v%v = r[IX(gid, 4096)], w%v = r[IX(gid + 1, 4096)];\n"
     "for (int k = v%v; k < w%v; k++) a[IX(k, 4096)] = @(gid@|k@);\n",
     true, false, false},
    {"t[IX((int)threadIdx.y, 16)][IX((int)threadIdx.x, 33)] = gid;\n%B"
     "int v%v = t[IX((int)@(threadIdx.x@|threadIdx.y@|threadIdx.x@), 16)][IX((int)@(threadIdx.y@|threadIdx.x@), 33)];\n%B",
     true, false, false},
    // Ranks.
    {"unsigned q%v = __ballot_sync(~0u, %?);\n"
     "if (lane == 0) s[IX(warp, 256)] = __popc(q%v);\n%B"
     "int v%v = 0;\nfor (int k = 0; k < warp; k++) v%v += s[k];\n"
     "v%v += __popc(q%v & @(((1u << lane) - 1)@|((2u << lane) - 1)@|(~0u >> (31 - lane))@));\n"
     "if (@(q%v >> lane & 1@|q%v >> lane & 1@|true@)) b[IX(@(blockIdx.x * 256 + v%v@|v%v@), 4096)] = gid;\n%B",
     true, false, false},
    {"int v%v = __syncthreads_count(%?);\n"
     "if (tid @(<@|==@) v%v) s[IX(@(v%v - 1 - tid@|v%v@|tid@|v%v + tid@), 256)] = tid;\n%B",
     true, false, false},
    {"int v%v = @(__any_sync@|__all_sync@)(~0u, %?);\n"
     "if (v%v) { s[IX(@(warp@|tid@|warp * 32 + 31 - lane@), 256)] = 1; @(__syncwarp();@|@) b[IX(gid, 4096)] = s[IX(warp, 256)]; }\n%B",
     true, false, false},
    {"if (lane == __ffs(__activemask()) - 1) @(c[%K] += 1;@|atomicAdd(&c[%K], 1);@|s[warp] = 1;@)\n%B", false, false, false},
    // Loops that are entered in the middle.
    {"{\n  int k = %K;\n  if (@(%!@|%!@|n > 3@)) goto m%v;\nt%v:\n  k += %C;\n  @(%B@|%B@|@)"
     "  @(s[IX(tid, 256)] = k@|b[IX(gid, 4096)] += s[IX(tid ^ 1, 256)]@|%S@|a[IX(gid + k, 4096)] = k@);\n  %B"
     "m%v:\n  @(s[IX(tid, 256)] += k@|k += 0@|b[IX(gid, 4096)] += s[IX(tid ^ 1, 256)]@);\n  @(%B@|@)  k++;\n  if (k < @(n@|m@|%C@)) goto t%v;\n}\n%B",
     false, false, false},
    // Words that wrap, are cut off or are wider.
    {"unsigned w%v = (unsigned)(%L) - %C;\n"
     "@(a[IX((int)(w%v % @(64u@|4093u@|256u@)), 4096)]@|s[IX((int)(w%v >> @(24@|27@)), 256)]@|b[IX((int)(w%v & 255u), 4096)]@) = gid;\n%B",
     false, false, false},
    {"unsigned char w%v = (unsigned char)(@(tid@|gid@|tid@) * %C @(+ %C@|* 37@|- %C@|@));\n"
     "@(s[IX(w%v, 256)] = tid@|b[IX(blockIdx.x * 256 + w%v, 4096)] = gid@|a[IX(w%v, 4096)] = 1@);\n%B",
     false, false, false},
    {"long long w%v = (long long)(%L) * @(%C@|1000000007@|%C@) + @(gid@|tid@|%L@);\n"
     "a[IX((int)(@(w%v@|w%v / 2@|w%v % 4001@|w%v & 1023@)), 4096)] = gid;\n",
     false, false, false},
    {"short w%v = (short)(%L * @(%C@|4096@|16384@));\n@(a@|b@)[IX(w%v @(/ 8@|& 511@|+ gid@), 4096)] = tid;\n", false, false, false},
    // Numbers that are drawn, kept, summed up, or drawn anew.
    {"int v%v = @(tid@|0@|200@);\n"
     "for (int k = 0; k < @(n@|m@|%C@); k++) {\n"
     "  if (tid == 0) s[90] = 0;\n  %B"
     "  @(v%v = 0;@|@|@)\n"
     "  if (@(true@|%?@|true@)) v%v @(=@|=@|+=@) atomicAdd(&s[90], @(1@|1@|2@|%K@));\n  %B"
     "  @(s[IX(100 + v%v, 256)] = tid@|b[IX(blockIdx.x * 256 + v%v, 4096)] = k@|a[IX(v%v, 4096)] = gid@);\n  %B"
     "}\n",
     true, false, true},
    {"int k%v = (%L) & 3, w%v = atomicAdd(&c[0], @(k%v@|k%v@|k%v & 1@|k%v + 1@|k%v / 2@));\n"
     "for (int j = 0; j < @(k%v@|k%v@|(k%v & 1)@|3@); j++) @(a@|b@)[IX(w%v + j, 4096)] = gid;\n",
     false, false, true},
    {"if (tid == 0) s[80] = @(0@|0@|5@);\n%B"
     "unsigned w%v = atomicInc((unsigned *)&s[80], @(%T - 1@|%T@|7@|255@));\n"
     "@(t[IX((int)w%v / 33, 16)][IX((int)w%v % 33, 33)] = tid@|b[IX(blockIdx.x * 256 + (int)w%v, 4096)] = 1@);\n%B",
     false, false, true},
    {"if (tid < 4) t[8][tid * @(1@|8@)] = 0;\n%B"
     "int k%v = @(warp@|tid & 1@|tid % 3@) & 3, w%v = atomicAdd(&t[8][k%v * @(1@|8@)], 1);\n"
     "@(@|if (w%v < @(16@|64@)) @)@(s[IX(k%v * 64 + w%v, 256)] = tid@|b[IX(blockIdx.x * 256 + k%v * 64 + w%v, 4096)] = tid@|"
     "b[IX(blockIdx.x * 256 + (k%v ? 255 - w%v : w%v), 4096)] = tid@);\n%B",
     false, false, true},
    {"if (tid == 0) s[70] = 0;\n%B"
     "if (%?) atomicAdd(&s[70], 1);\n%B"
     "int k%v = s[70];\n@(%B@|@)"
     "if (tid == 0) s[70] = atomicAdd(&c[0], @(k%v@|k%v@|k%v / 2@));\n%B"
     "if (tid < @(k%v@|k%v@|k%v + 1@)) a[IX(s[70] + tid, 4096)] = gid;\n%B",
     false, false, true},
    // Loops that surely, or only maybe, come to their barrier.
    {"for (int k = @(1@|1@|0@|m@); k < @(n@|%C@); k++) {\n"
     "  s[IX(tid, 256)] = k;\n"
     "  for (int j = @(k@|k@|k - 1@|k / 2@); j @(> 0@|>= 1@|> 1@); j @(/= 2@|-= %C@|>>= 1@)) {\n    @(@|if (%!) @(break@|continue@);\n@|@)    %B  }\n"
     "  b[IX(gid, 4096)] += s[IX(tid @(^ 1@|^ 1@|@), 256)];\n  %B"
     "}\n",
     false, false, false},
    {"int w%v;\nfor (w%v = 0; w%v < @(n@|%C@); w%v++) if (r[IX(@(w%v@|gid + w%v@|(int)blockIdx.x + w%v@|warp + w%v@), 4096)] @(== %K@|> %C@)) break;\n"
     "@(s[IX(tid + w%v, 256)] = 1@|if (w%v < %C) s[IX(tid ^ w%v, 256)] = tid@|b[IX((int)blockIdx.x * 64 + tid + w%v * @(1@|64@), 4096)] = gid@);\n%B",
     false, false, false},
    {"int x%v = 0, y%v = 64, z%v = 128;\n"
     "for (int k = 0; k < n; k++) {\n"
     "  s[IX(@(z%v@|z%v@|y%v@) + tid % 64, 256)] = k;\n"
     "  b[IX(gid, 4096)] += s[IX(x%v + (tid ^ 1) % 64, 256)];\n  %B"
     "  int h = x%v; x%v = @(y%v@|y%v@|z%v@); y%v = z%v; z%v = h;\n"
     "}\n",
     false, false, false},
    // What a thread keeps for itself, and what functions give back in their arguments.
    {"own[(%L) & 3] = @(gid@|tid * 2@|gid@);\nint v%v = own[%K];\n@(a@|b@)[IX(@(v%v@|v%v + gid@|own[tid & 3]@), 4096)] = tid;\n", true, false, false},
    {"auto f%v = [&](int x, int &y, int *z) { y = x @(/ 2@|* 2@|@); *z = x @(& 1@|% 2@|& 3@); };\n"
     "int w%v = 0, z%v = 0;\nf%v(@(gid@|tid@|%L@), w%v, &z%v);\n@(a@|b@)[IX(w%v @(* 2 @|@)+ z%v, 4096)] = gid;\n",
     false, false, false},
    {"struct Odd { int x; short y, z; };\n"
     "@(((Odd *)b)[IX(gid, 2048)].y = 1@|Odd o = ((Odd *)b)[IX(gid, 2048)]; o.x++; ((Odd *)b)[IX(gid @(^ 1@|@), 2048)] = o@);\n"
     "@(((Odd *)b)[IX(gid + @(0@|1@), 2048)].@(z@|y@|x@) = 2@|b[IX(gid * 2 + @(0@|1@|2@), 4096)] = 3@);\n",
     false, false, false},
    {"((volatile int *)s)[IX(tid, 256)] = tid;\n@(%B@|%B@|%W@)int v%v = ((volatile int *)s)[IX(tid @(^ 1@|+ 1@|@), 256)];\n%B", true, false, false},
    {"for (int d = 16; d > 0; d >>= 1) {\n  if (lane < d) s[IX(tid, 256)] += s[IX(tid + d, 256)];\n  %W}\n%B", false, false, false},
    {"s[IX(tid, 256)] = @((%L) & 1@|(%L) & 3@|%?@);\n%B"
     "int w%v = 0, k%v = s[IX(tid, 256)];\nfor (int j = 0; j < tid@(@|@| + 1@); j++) w%v += s[j];\n%B"
     "@(if (k%v) @|@)for (int j = 0; j < @(k%v@|k%v@|1@); j++) b[IX(@(blockIdx.x * 256 + @|@)w%v + j, 4096)] = gid;\n",
     false, false, false},
};

static void fill(Writer *w, const char *at, const char *end);

// Behind the choice that begins at `at`; notes where its parts begin.
static const char *choice(Writer *w, const char *at) {
  enum { MOST = 8 };
  const char *parts[MOST + 1] = {at};
  uint32_t count = 0, depth = 1;
  for (; depth; at++) {
    if (*at != '@') continue;
    at++;
    if (*at == '(') depth++;
    bool ends = *at == ')' ? --depth == 0 : *at == '|' && depth == 1;
    if (ends && count < MOST) parts[++count] = at + 1;
  }
  uint32_t which = writer_roll(w, count);
  fill(w, parts[which], parts[which + 1] - 2);
  return at;
}

// One of `most`, in most cases, another one in some.
static void mostly(Writer *w, const char *most, const char *other, const char *none) {
  fputs(writer_chance(w, 85) ? most : writer_chance(w, 50) ? other : none, w->out);
}

static void hole(Writer *w, char what) {
  switch (what) {
  case 'L': writer_number(w, 1); break;
  case 'U': writer_uniform_number(w, 1); break;
  case 'C': fprintf(w->out, "%u", 1 + writer_roll(w, 8)); break;
  case 'K': fprintf(w->out, "%u", writer_roll(w, 4)); break;
  case '?': writer_condition(w, false); break;
  case '!': writer_condition(w, true); break;
  case 'T': fprintf(w->out, "%d", w->block->threads); break;
  case 'B': fputs(writer_chance(w, 88) ? "__syncthreads();\n" : "\n", w->out); break;
  case 'W': fputs(writer_chance(w, 88) ? "__syncwarp();\n" : "\n", w->out); break;
  case 'b': fputs(writer_chance(w, w->barriers) ? "__syncthreads();\n" : "", w->out); break;
  case 'F': mostly(w, "__threadfence();", "__threadfence_block();", ""); break;
  case 'G': mostly(w, "__threadfence_block();", "__threadfence();", ""); break;
  case 'A': fputs(writer_chance(w, 94) ? "" : "_block", w->out); break;
  case 'Y': fprintf(w->out, "i%u", w->inner || writer_chance(w, 60) ? (unsigned)w->loops - 1 : writer_roll(w, (uint32_t)w->loops)); break;
  case 'k': fprintf(w->out, "%d", w->helper); break;
  case 'v': fprintf(w->out, "%d", w->locals); break;
  case 'S': writer_store(w); break;
  default: fprintf(w->out, "%%%c", what);
  }
}

static void fill(Writer *w, const char *at, const char *end) {
  while (at < end) {
    if (*at == '@' && at[1] == '(') {
      at = choice(w, at + 2);
    } else if (*at == '%') {
      hole(w, at[1]);
      at += 2;
    } else {
      fputc(*at++, w->out);
    }
  }
}

void writer_fill(Writer *w, const char *text) { fill(w, text, text + strlen(text)); }

void writer_team(Writer *w) {
  const Text *text = &texts[writer_roll(w, sizeof texts / sizeof *texts)];
  if (text->all_lanes && (w->may_have_left || w->block->threads % 32 != 0)) return;
  bool braces = !text->gives;
  if (braces) fputs("{\n", w->out);
  writer_fill(w, text->text);
  if (braces) fputs("}\n", w->out);
  if (text->gives) w->locals++;
  w->draws |= text->draws;
}
