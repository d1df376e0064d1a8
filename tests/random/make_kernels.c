// Writes a CUDA program of random kernels: make_kernels SEED COUNT [mixed|nested|ordered]. Each is launched once, with dimensions and parameters n and
// m that the host code bounds, so that all of them can be tried. With -DHGRD_EMULATION the same text is a host program that
// tries them (emulation.h) and prints a line for each kernel.
// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LOOPS = 3 };

static const Block blocks[] = {{"4", 4, true},          {"8", 8, true},           {"32", 32, true},         {"33", 33, true},
                               {"48", 48, true},        {"64", 64, true},         {"64", 64, true},         {"dim3(4, 4)", 16, false},
                               {"dim3(8, 3)", 24, false}, {"dim3(16, 4)", 64, false}, {"dim3(32, 2)", 64, false}, {"dim3(4, 2, 4)", 32, false}, {"dim3(4, 4, 3)", 48, false}};
uint32_t writer_roll(Writer *w, uint32_t sides) {
  w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(w->seed >> 33) % sides;
}

static uint32_t roll(Writer *w, uint32_t sides) { return writer_roll(w, sides); }

bool writer_chance(Writer *w, uint32_t percent) { return roll(w, 100) < percent; }

static bool chance(Writer *w, uint32_t percent) { return writer_chance(w, percent); }

static void line(Writer *w) { fprintf(w->out, "%*s", 2 * w->indent, ""); }

// ---- values -------------------------------------------------------------------------------------

// A value that is the same for all threads of the block.
void writer_uniform_number(Writer *w, int depth) {
  switch (roll(w, depth > 0 ? 10u : 6u)) {
  case 0:
  case 1: PUT("%u", roll(w, 9)); break;
  case 2: PUT("n"); break;
  case 3: PUT("m"); break;
  case 4: PUT("(int)blockDim.x"); break;
  case 5: PUT("(int)blockIdx.x"); break;
  case 6:
    PUT("(");
    writer_uniform_number(w, depth - 1);
    PUT(" + ");
    writer_uniform_number(w, depth - 1);
    PUT(")");
    break;
  case 7:
    PUT("(");
    writer_uniform_number(w, depth - 1);
    PUT(" * %u)", 1 + roll(w, 4));
    break;
  case 8:
    PUT("(");
    writer_uniform_number(w, depth - 1);
    PUT(" / %u)", 1 + roll(w, 4));
    break;
  default:
    PUT("min(");
    writer_uniform_number(w, depth - 1);
    PUT(", ");
    writer_uniform_number(w, depth - 1);
    PUT(")");
  }
}

static void leaf(Writer *w) {
  switch (roll(w, 14)) {
  case 0:
  case 1:
  case 2: PUT("tid"); break;
  case 12: PUT("lane"); break;
  case 13: PUT("warp"); break;
  case 3:
  case 4:
  case 5: PUT("gid"); break;
  case 6: PUT("%u", roll(w, 33)); break;
  case 7: PUT("(int)threadIdx.x"); break;
  case 8:
    if (w->loops) PUT("i%u", roll(w, (uint32_t)w->loops));
    else PUT("tid");
    break;
  case 9:
    if (w->locals) PUT("v%u", roll(w, (uint32_t)w->locals));
    else PUT("gid");
    break;
  default: writer_uniform_number(w, 0);
  }
}

void writer_number(Writer *w, int depth) {
  if (depth <= 0) {
    leaf(w);
    return;
  }
  static const char *const forms[] = {"(%L + %L)",     "(%L + %U)",       "(%L * %C)",          "(%L / %C)",     "(%L %% %C)",
                                      "(%L ^ %C)",     "(%L & %C)",       "(%L >> 1)",          "min(%L, %L)",   "max(%L, %U)",
                                      "(%L < %U ? %L : %L)", "(%L - %L)", "(%L * %C + %L)",     "(%L + %U * %C)", "r[IX(%L, 4096)]",
                                      "%L",            "%L",              "(%L << 1)",          "(%U - %L)",     "(%L %% (n + 1))"};
  for (const char *at = forms[roll(w, sizeof forms / sizeof *forms)]; *at; at++) {
    if (*at != '%') {
      PUT("%c", *at);
      continue;
    }
    switch (*++at) {
    case 'L': writer_number(w, depth - 1); break;
    case 'U': writer_uniform_number(w, depth - 1); break;
    case 'C': PUT("%u", 1 + roll(w, 8)); break;
    default: PUT("%%");
    }
  }
}

void writer_condition(Writer *w, bool is_uniform) {
  static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
  const char *sign = signs[roll(w, 6)];
  if (is_uniform) {
    writer_uniform_number(w, 1);
    PUT(" %s ", sign);
    writer_uniform_number(w, 1);
    return;
  }
  switch (roll(w, 8)) {
  case 0: PUT("tid == 0"); break;
  case 1: PUT("gid < n"); break;
  case 2: PUT("tid %% 2 == %u", roll(w, 2)); break;
  case 3: PUT("(tid & 31) == %u", roll(w, 3)); break;
  case 4:
    writer_condition(w, true);
    PUT(" && ");
    writer_condition(w, false);
    break;
  default:
    writer_number(w, 1);
    PUT(" %s ", sign);
    writer_number(w, 1);
  }
}

// ---- places -------------------------------------------------------------------------------------

// An index as kernels have them: mostly one for each thread.
static void index_of(Writer *w, const char *own, const char *length) {
  PUT("IX(");
  switch (roll(w, 14)) {
  case 0:
  case 1:
  case 2:
  case 3: PUT("%s", own); break;
  case 4: PUT("%s + %u", own, roll(w, 4)); break;
  case 5: PUT("%s * %u + %u", own, 1 + roll(w, 3), roll(w, 3)); break;
  case 6: PUT("%s ^ %u", own, 1 + roll(w, 3)); break;
  case 7:
    if (w->loops) PUT("%s * %u + i%u", own, 1 + roll(w, 4), roll(w, (uint32_t)w->loops));
    else PUT("%s", own);
    break;
  case 8:
    if (w->loops) PUT("i%u", roll(w, (uint32_t)w->loops));
    else PUT("%s / 2", own);
    break;
  case 9:
    if (w->loops) PUT("%s + i%u", own, roll(w, (uint32_t)w->loops));
    else PUT("(%s + 1) %% (int)blockDim.x", own);
    break;
  case 10:
    if (w->locals) PUT("v%u", roll(w, (uint32_t)w->locals));
    else PUT("%s", own);
    break;
  default: writer_number(w, 2);
  }
  PUT(", %s)", length);
}

static void place(Writer *w, bool of_ints) {
  switch (roll(w, of_ints ? 11 : 12)) {
  case 0:
  case 1:
  case 2:
    PUT("a[");
    index_of(w, "gid", "4096");
    break;
  case 3:
    PUT("b[");
    index_of(w, "gid", "4096");
    break;
  case 4:
  case 5:
  case 6:
    PUT("s[");
    index_of(w, "tid", "256");
    break;
  case 7:
    PUT("s[");
    index_of(w, "(int)threadIdx.x", "256");
    break;
  case 8:
    PUT("t[");
    index_of(w, "(int)threadIdx.y", "16");
    PUT("][");
    index_of(w, "(int)threadIdx.x", "33");
    break;
  case 9:
    PUT("p[");
    index_of(w, "gid", "2048");
    break;
  case 10:
    PUT("q[");
    index_of(w, "gid", "2048");
    break;
  default:
    PUT("((short *)a)[");
    index_of(w, "gid", "8192");
  }
  PUT("]");
}

// ---- statements ---------------------------------------------------------------------------------

static void statements(Writer *w, int count);

static void nested(Writer *w, int count, bool stays_uniform) {
  bool was_uniform = w->is_uniform, was_warp = w->is_warp_uniform;
  int locals = w->locals;
  w->is_uniform = was_uniform && stays_uniform;
  w->is_warp_uniform = was_warp && stays_uniform;
  w->indent++;
  statements(w, count);
  w->indent--;
  w->locals = locals;
  w->is_uniform = was_uniform;
  w->is_warp_uniform = was_warp;
  line(w);
  PUT("}\n");
}

static void conditional(Writer *w) {
  bool is_uniform = chance(w, 25);
  PUT("if (");
  writer_condition(w, is_uniform);
  PUT(") {\n");
  nested(w, 1 + (int)roll(w, 2), is_uniform);
  if (!chance(w, 25)) return;
  line(w);
  PUT("else {\n");
  nested(w, 1, is_uniform);
}

static void loop(Writer *w) {
  int v = w->loops++;
  bool is_uniform = true;
  switch (roll(w, 9)) {
  case 0: PUT("for (int i%d = 0; i%d < %u; i%d++) {\n", v, v, 1 + roll(w, 4), v); break;
  case 1: PUT("for (int i%d = 0; i%d < n; i%d += %u) {\n", v, v, v, 1 + roll(w, 3)); break;
  case 2:
    PUT("for (int i%d = tid; i%d < n * %u; i%d += (int)(blockDim.x * blockDim.y)) {\n", v, v, 1 + roll(w, 4), v);
    is_uniform = false;
    break;
  case 3:
    PUT("for (int i%d = gid; i%d < n * %u; i%d += (int)(blockDim.x * gridDim.x)) {\n", v, v, 1 + roll(w, 6), v);
    is_uniform = false;
    break;
  case 4: PUT("for (int i%d = (int)blockDim.x / 2; i%d > 0; i%d >>= 1) {\n", v, v, v); break;
  case 5: PUT("for (int i%d = 1; i%d < (int)blockDim.x; i%d *= 2) {\n", v, v, v); break;
  case 6: PUT("for (int i%d = n; i%d > m; i%d -= %u) {\n", v, v, v, 1 + roll(w, 2)); break;
  case 7:
    PUT("for (int i%d = ", v);
    writer_number(w, 1);
    PUT(", e%d = i%d + %u; i%d < e%d; i%d++) {\n", v, v, 1 + roll(w, 3), v, v, v);
    is_uniform = false;
    break;
  default: PUT("for (int i%d = m, e%d = n; i%d < e%d; i%d++, e%d--) {\n", v, v, v, v, v, v);
  }
  nested(w, 1 + (int)roll(w, 3), is_uniform);
  w->loops--;
}

void writer_store(Writer *w) {
  place(w, false);
  switch (roll(w, 6)) {
  case 0:
    PUT(" = ");
    place(w, false);
    PUT(" + 1;\n");
    break;
  case 1:
    PUT(" += ");
    place(w, false);
    PUT(";\n");
    break;
  case 2: PUT(" += 1;\n"); break;
  case 3: PUT(" = %u;\n", roll(w, 3)); break;
  default:
    PUT(" = ");
    writer_number(w, 1);
    PUT(";\n");
  }
}

static void atomic(Writer *w) {
  if (chance(w, 50)) {
    PUT("atomicAdd(&");
    place(w, true);
    PUT(", 1);\n");
    return;
  }
  w->draws = true;
  PUT("a[IX(%s + atomicAdd(&c[%u], %u), 4096)] = gid;\n", chance(w, 30) ? "n" : "0", roll(w, 2), 1 + roll(w, 2));
}

// A declaration in the block in which the statement stands.
static int new_local(Writer *w) { return w->locals++; }

static void maybe_barrier(Writer *w, uint32_t percent, const char *barrier) {
  if (!chance(w, percent)) return;
  line(w);
  PUT("%s;\n", barrier);
}

// What kernels do with threads that work together, now and then with a barrier too few.
static void idiom(Writer *w) {
  int cell = (int)roll(w, 4), v;
  switch (roll(w, 9)) {
  case 0: // one thread tells all
    PUT("if (tid == %u) s[%d] = ", roll(w, 2), cell);
    writer_number(w, 1);
    PUT(";\n");
    maybe_barrier(w, 90, "__syncthreads()");
    line(w);
    v = new_local(w);
    PUT("int v%d = s[%d];\n", v, cell);
    maybe_barrier(w, 70, "__syncthreads()");
    break;
  case 1: // places from a counter of the block
    PUT("if (tid == 0) s[%d] = 0;\n", cell);
    maybe_barrier(w, 90, "__syncthreads()");
    line(w);
    v = new_local(w);
    w->draws = true;
    PUT("int v%d = atomicAdd(&s[%d], %u);\n", v, cell, roll(w, 3) ? 1 : 2);
    line(w);
    PUT("%s[IX(%s + v%d, 4096)] = gid;\n", chance(w, 50) ? "a" : "b", chance(w, 60) ? "(int)blockIdx.x * 256" : "0", v);
    maybe_barrier(w, 70, "__syncthreads()");
    break;
  case 2: // a sum of all that came before
    PUT("for (int d = 1; d < %s; d *= 2) {\n", w->block->is_flat ? "(int)blockDim.x" : "32");
    w->indent++;
    line(w);
    PUT("int x = tid >= d ? s[IX(tid - d, 256)] : 0;\n");
    maybe_barrier(w, 85, "__syncthreads()");
    line(w);
    PUT("s[IX(tid, 256)] += x;\n");
    maybe_barrier(w, 85, "__syncthreads()");
    w->indent--;
    line(w);
    PUT("}\n");
    break;
  case 3: // a tree
    PUT("for (int d = %u; d > 0; d >>= 1) {\n", 1u << roll(w, 7));
    w->indent++;
    line(w);
    PUT("if (tid < d) s[IX(tid, 256)] += s[IX(tid + d, 256)];\n");
    maybe_barrier(w, 85, chance(w, 70) ? "__syncthreads()" : "__syncwarp()");
    w->indent--;
    line(w);
    PUT("}\n");
    break;
  case 4: // ranks within the warp
    v = w->locals;
    PUT("unsigned votes%d = __ballot_sync(~0u, ", v);
    writer_condition(w, false);
    w->locals++;
    PUT(");\n");
    line(w);
    PUT("int v%d = __popc(votes%d & ((1u << lane) - 1));\n", v, v);
    line(w);
    PUT("if (votes%d >> lane & 1) %s[IX(%s + v%d, 256)] = gid;\n", v, chance(w, 70) ? "s" : "a",
        chance(w, 70) ? "warp * 32" : "lane", v);
    break;
  case 5: // a winner
    w->draws = true;
    PUT("if (atomicCAS(&c[%u], 0, %u) == 0) ", 2 + roll(w, 2), roll(w, 4) ? 1 : 0);
    writer_store(w);
    break;
  case 6: // two buffers
    PUT("for (int k = 0; k < n; k++) {\n");
    w->indent++;
    line(w);
    PUT("q[IX(gid, 2048)] = p[IX(%s, 2048)] + 1;\n", chance(w, 50) ? "gid" : "gid ^ 1");
    maybe_barrier(w, 85, "__syncthreads()");
    if (chance(w, 85)) {
      line(w);
      PUT("int *x = p;\n");
      line(w);
      PUT("p = q;\n");
      line(w);
      PUT("q = x;\n");
    }
    w->indent--;
    line(w);
    PUT("}\n");
    break;
  case 7: // more at once
    PUT("((int2 *)%s)[", chance(w, 50) ? "a" : "s");
    index_of(w, "tid", "128");
    PUT("] = make_int2(tid, gid);\n");
    break;
  default: // an array of its own
    PUT("for (int k = 0; k < 4; k++) own[k] = ");
    writer_number(w, 1);
    PUT(";\n");
    line(w);
    v = new_local(w);
    PUT("int v%d = own[%u];\n", v, roll(w, 4));
  }
}

// What a loop leaves behind, and loops that threads leave at different times.
static void value_behind_loop(Writer *w) {
  static const char *const loops[] = {"for (int d = %u; d > 0; d >>= 1)", "for (int d = 1; d < n; d *= %u)", "for (int d = 0; d < %u; d++)",
                                      "for (int d = n; d > m; d -= %u)", "for (int d = (int)blockDim.x; d > 1; d = (d + %u) / 2)"};
  static const char *const steps[] = {"v%d *= 2", "v%d += 3", "v%d = d", "v%d ^= 1", "v%d += tid"};
  int v = new_local(w);
  uint32_t which = roll(w, 5);
  PUT("int v%d = %u;\n", v, roll(w, 3));
  line(w);
  PUT(loops[which], which == 1 ? 2 : which == 4 ? roll(w, 2) : 1 + roll(w, 9));
  PUT(" {\n");
  w->indent++;
  maybe_barrier(w, 30, "__syncthreads()");
  line(w);
  if (chance(w, 40)) {
    PUT("if (tid < d) s[IX(tid + d, 256)] %s tid;\n", chance(w, 50) ? "=" : "+=");
    line(w);
  }
  if (chance(w, 15)) {
    PUT("if (");
    writer_condition(w, true);
    PUT(") break;\n");
    line(w);
  }
  PUT(steps[roll(w, 5)], v);
  PUT(";\n");
  maybe_barrier(w, 30, "__syncthreads()");
  w->indent--;
  line(w);
  PUT("}\n");
  if (chance(w, 50)) return;
  line(w);
  PUT("s[IX(tid * %s, 256)] += v%d;\n", chance(w, 50) ? "2" : "1", v);
}

static void until_past(Writer *w) {
  int v = new_local(w);
  PUT("int v%d = ", v);
  writer_number(w, 1);
  PUT(";\n");
  line(w);
  if (chance(w, 50)) PUT("while (v%d < n) v%d += %u;\n", v, v, 1 + roll(w, 5));
  else PUT("do v%d += %u; while (v%d < m);\n", v, 1 + roll(w, 5), v);
  line(w);
  PUT("%s[IX(v%d, 256)] = %s;\n", chance(w, 50) ? "a" : "s", v, chance(w, 50) ? "gid" : "tid");
}

static void rounds_with_barrier(Writer *w) {
  PUT("{\n");
  w->indent++;
  line(w);
  PUT("int k = 0;\n");
  line(w);
  PUT("do {\n");
  w->indent++;
  line(w);
  PUT("s[IX(tid + k %% 2, 256)] += k;\n");
  maybe_barrier(w, 70, "__syncthreads()");
  if (chance(w, 30)) {
    line(w);
    PUT("if (k %s m) %s;\n", chance(w, 50) ? "==" : ">", "break");
  }
  line(w);
  writer_store(w);
  maybe_barrier(w, 70, "__syncthreads()");
  w->indent--;
  line(w);
  PUT("} while (++k < n / %u);\n", 1 + roll(w, 3));
  w->indent--;
  line(w);
  PUT("}\n");
}

// Lanes of a part of the warp.
static void part_of_warp(Writer *w) {
  uint32_t lanes = 4u << roll(w, 3);
  PUT("s[tid] = gid;\n");
  line(w);
  if (chance(w, 85)) PUT("__syncwarp(0x%xu << (lane & ~%u));\n", (unsigned)((UINT64_C(1) << lanes) - 1), lanes - 1);
  else PUT("__syncwarp();\n");
  line(w);
  int v = new_local(w);
  PUT("int v%d = s[tid ^ %u];\n", v, 1 + roll(w, lanes + lanes / 4));
  maybe_barrier(w, 80, "__syncthreads()");
}

// A place that another thread, or lane, hands over; all that is read has been written.
static void handed_over(Writer *w) {
  int v = w->locals;
  const char *array = chance(w, 70) ? "a" : "b";
  static const char *const lanes[] = {"__shfl_sync(~0u, x%d, (lane + %u) & 31)", "__shfl_sync(~0u, x%d, %u)", "__shfl_xor_sync(~0u, x%d, %u)",
                                      "__shfl_down_sync(~0u, x%d, %u)", "__shfl_up_sync(~0u, x%d, %u)"};
  static const char *const places[] = {"tid", "tid ^ 1", "255 - tid", "tid / 2", "%u", "tid + %u"};
  PUT("int x%d = ", v);
  if (chance(w, 50)) PUT("gid%s", chance(w, 50) ? "" : chance(w, 50) ? " / 2" : " * 3");
  else writer_number(w, 1);
  PUT(";\n");
  line(w);
  if (w->block->threads % 32 == 0 && !w->may_have_left && chance(w, 40)) {
    PUT("int v%d = ", v);
    PUT(lanes[roll(w, 5)], v, roll(w, 4));
  } else {
    if (chance(w, 30)) PUT("if (tid < %u) ", 1 + roll(w, 8));
    PUT("s[IX(%s, 256)] = x%d;\n", chance(w, 70) ? "tid" : chance(w, 50) ? "255 - tid" : "tid * 2", v);
    maybe_barrier(w, 85, "__syncthreads()");
    line(w);
    PUT("int v%d = s[IX(", v);
    PUT(places[roll(w, 6)], roll(w, 4));
    PUT(", 256)]");
  }
  PUT(";\n");
  w->locals++;
  maybe_barrier(w, 60, "__syncthreads()");
  line(w);
  if (chance(w, 30)) PUT("if (tid < %u) ", 1 + roll(w, 40));
  PUT("%s[IX(v%d%s, 4096)] = gid;\n", array, v, chance(w, 60) ? "" : chance(w, 50) ? " * 2" : " + tid");
}

static void together(Writer *w) {
  int v;
  switch (roll(w, 4)) {
  case 0:
    PUT("if (__syncthreads_or(");
    writer_condition(w, false);
    PUT(")) {\n");
    nested(w, 2, true);
    break;
  case 1:
    v = new_local(w);
    PUT("int v%d = __syncthreads_count(", v);
    writer_condition(w, false);
    PUT(");\n");
    line(w);
    PUT("if (v%d > %u) {\n", v, roll(w, 40));
    nested(w, 2, true);
    break;
  case 2:
    v = w->locals;
    PUT("int v%d = __shfl_sync(~0u, ", v);
    writer_number(w, 1);
    PUT(", %u);\n", roll(w, 3));
    w->locals++;
    break;
  default:
    v = w->locals;
    PUT("int v%d = __shfl_xor_sync(~0u, ", v);
    writer_number(w, 1);
    PUT(", %u);\n", 1 + roll(w, 3));
    w->locals++;
  }
}

static void choice_of_cases(Writer *w) {
  PUT("switch (");
  bool is_uniform = chance(w, 40);
  if (is_uniform) writer_uniform_number(w, 1);
  else writer_number(w, 1);
  PUT(") {\n");
  for (uint32_t k = 0; k < 3; k++) {
    line(w);
    PUT("%s {\n", k == 0 ? "case 0:" : k == 1 ? "case 1: case 2:" : "default:");
    nested(w, 1, is_uniform);
    if (chance(w, 30)) continue;
    line(w);
    PUT("break;\n");
  }
  line(w);
  PUT("}\n");
}

static void statement(Writer *w) {
  line(w);
  uint32_t kind = roll(w, 20);
  if (w->is_uniform && chance(w, 30)) {
    PUT("__syncthreads();\n");
  } else if (w->is_warp_uniform && chance(w, 6)) {
    if (chance(w, 60)) PUT("__syncwarp();\n");
    else PUT("b[IX(gid, 4096)] = __shfl_down_sync(~0u, gid, %u);\n", 1 + roll(w, 4));
  } else if (w->is_uniform && w->is_warp_uniform && w->locals < 6 && chance(w, w->is_short ? 80 : 25)) {
    switch (roll(w, 26)) {
    default: writer_team(w); break;
    case 5:
    case 6:
    case 7:
    case 8:
    case 9: idiom(w); break;
    case 10:
    case 11:
    case 12: handed_over(w); break;
    case 0:
    case 1: value_behind_loop(w); break;
    case 2: rounds_with_barrier(w); break;
    case 3: part_of_warp(w); break;
    case 4: together(w); break;
    }
  } else if (w->locals < 6 && chance(w, 3)) {
    until_past(w);
  } else if (chance(w, 3)) {
    choice_of_cases(w);
  } else if ((w->is_uniform ? w->loops == 0 : true) && chance(w, 3)) {
    PUT("if (");
    writer_condition(w, false);
    PUT(") return;\n");
    w->may_have_left = true;
  } else if (kind < 4 && w->loops < MAX_LOOPS) {
    loop(w);
  } else if (kind < 7) {
    conditional(w);
  } else if (kind < 9 && w->locals < 6) {
    PUT("int v%d = ", w->locals);
    if (chance(w, 30)) place(w, false);
    else writer_number(w, 2);
    PUT(";\n");
    w->locals++;
  } else if (kind == 9) {
    atomic(w);
  } else if (kind == 10 && w->loops) {
    PUT("if (");
    writer_condition(w, w->is_uniform);
    PUT(") %s;\n", chance(w, 50) ? "break" : "continue");
  } else if (kind == 11) {
    PUT("{ int *x = p; p = q; q = x; }\n");
  } else if (kind == 12 && w->locals) {
    PUT("v%u %s ", roll(w, (uint32_t)w->locals), chance(w, 50) ? "=" : "+=");
    writer_number(w, 1);
    PUT(";\n");
  } else if (kind == 13) {
    PUT("h%d(", w->helper);
    PUT("%s, ", chance(w, 50) ? "s" : "s + 64");
    writer_number(w, 1);
    PUT(");\n");
  } else {
    writer_store(w);
  }
}

static void statements(Writer *w, int count) {
  while (count-- > 0 && w->budget-- > 0)
    statement(w);
}

// What a kernel is made of: any statements, loops in loops, threads that wait for each other.
typedef enum Kind { MIXED, NEST, ORDER, KINDS } Kind;
static const char *const kind_names[] = {"mixed", "nested", "ordered"};

static void choose_block(Writer *w, Kind kind) {
  do
    w->block = &blocks[roll(w, sizeof blocks / sizeof *blocks)];
  while (kind == ORDER && !w->block->is_flat);
}

static void put_head(Writer *w, int k) {
  PUT("__device__ void h%d(int *x, int k) {\n", k);
  PUT("  if (k < 0) return;\n");
  PUT("  x[IX(k, 64)] %s k;\n}\n\n", chance(w, 50) ? "=" : "+=");
}

static void put_variables(Writer *w) {
  PUT("  __shared__ int s[256];\n  __shared__ int t[16][33];\n");
  if (w->block->is_flat) PUT("  int tid = threadIdx.x, gid = blockIdx.x * blockDim.x + threadIdx.x;\n");
  else
    PUT("  int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, gid = blockIdx.x * blockDim.x * blockDim.y * "
        "blockDim.z + tid;\n");
  PUT("  int lane = tid & 31, warp = tid >> 5, own[4] = {0, 0, 0, 0};\n  int *p = b, *q = b + 2048;\n");
  // What is read of shared memory has been written (A12).
  PUT("  for (int k = tid; k < 16 * 33; k += %d) {\n", w->block->threads);
  PUT("    if (k < 256) s[k] = k * %u;\n    t[k / 33][k %% 33] = k;\n  }\n  __syncthreads();\n", roll(w, 4));
}

static void put_mixed(Writer *w) {
  w->is_short = chance(w, 60);
  w->budget = w->is_short ? 1 + (int)roll(w, 3) : 3 + (int)roll(w, 12);
  if (chance(w, 30)) {
    line(w);
    handed_over(w);
  }
  statements(w, 20);
}

static void kernel(Writer *w, int k, Kind only) {
  uint32_t which = roll(w, 100);
  Kind kind = only != KINDS ? only : which < 50 ? MIXED : which < 75 ? NEST : ORDER;
  choose_block(w, kind);
  w->helper = k;
  w->loops = w->locals = 0;
  w->is_uniform = w->is_warp_uniform = true;
  w->draws = w->waits = false;
  put_head(w, k);
  if (kind == NEST) writer_loop_functions(w);
  PUT("__global__ void k%d(int *a, int *b, const int *r, int *c, int *f, int n, int m) {\n", k);
  put_variables(w);
  w->indent = 1;
  w->may_have_left = kind != ORDER && chance(w, kind == NEST ? 10 : 30);
  if (w->may_have_left) PUT("  if (gid >= n%s) return;\n", chance(w, 40) ? " * 4" : "");
  switch (kind) {
  case MIXED: put_mixed(w); break;
  case NEST: writer_loops(w); break;
  case ORDER: writer_order(w); break;
  case KINDS: break;
  }
  PUT("}\n// k%d is %s\n", k, kind_names[kind]);
  if (w->draws) PUT("// k%d draws\n", k);
  PUT("\n");
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    fputs("usage: make_kernels SEED COUNT [mixed|nested|ordered]\n", stderr);
    return 2;
  }
  Kind only = MIXED; // KINDS: any
  while (only < KINDS && !(argc == 4 && strcmp(argv[3], kind_names[only]) == 0)) only++;
  int count = atoi(argv[2]);
  Writer writer = {.seed = strtoull(argv[1], NULL, 10) * 2654435761u + 1, .out = stdout}, *w = &writer;
  Launches *launches = launches_make((uint32_t)count);
  if (!launches) return 4;
  PUT("#ifdef HGRD_EMULATION\n#include \"emulation.h\"\n#include <cstdlib>\n#include <string>\n#else\n#include <cstdlib>\n"
      "#include <cuda_pipeline.h>\n#include <cuda_runtime.h>\n#include <cuda/atomic>\n");
  PUT("#define IX(index, length) (index)\n"
      "#define named_sync(name, count) asm volatile(\"bar.sync %%0, %%1;\" ::\"r\"(name), \"r\"(count) : \"memory\")\n"
      "#define named_arrive(name, count) asm volatile(\"bar.arrive %%0, %%1;\" ::\"r\"(name), \"r\"(count) : \"memory\")\n#endif\n\n");
  for (int k = 0; k < count; k++) {
    kernel(w, k, only);
    launches_choose(launches, w, (uint32_t)k);
  }
  launches_put(launches, w);
  free(launches);
  return 0;
}
