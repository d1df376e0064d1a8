// Random kernels: threads that wait for each other by flags, tickets, locks, turns and counters, barriers of parts of the block,
// and copies that go on beside the threads. Each entry is a protocol as it is written, in which now and then a fence is missing or
// too narrow, a scope is the block's, a barrier is gone, or something stands in another place.
// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

// Of the words of `f`, which are zero if the host has set them (launches.c).
#define READ(word) "@(atomicAdd%A(" word ", 0)@|atomicAdd%A(" word ", 0)@|*(volatile int *)" word "@|*(volatile int *)" word "@|atomicOr%A(" word ", 0)@|*" word "@)"
#define PUT_IN(word, value)                                                                                                      \
  "@(atomicExch%A(" word ", " value ")@|atomicExch%A(" word ", " value ")@|*(volatile int *)" word " = " value "@|*" word " = " value "@)"
#define DRAW(word) "@(atomicAdd%A(" word ", 1)@|atomicAdd%A(" word ", 1)@|atomicAdd%A(" word ", 1)@|(*" word ")++@)"
#define LEADER "if (tid == @(0@|0@|0@|0@|%T - 1@)) "
#define TAKE(word) "while (@(atomicCAS%A(" word ", 0, 1) != 0@|atomicExch%A(" word ", 1) != 0@|atomicExch%A(" word ", 1) == 1@|atomicCAS%A(" word ", 0, @(2@|0@|2@|2@)) != 0@));\n"
#define GIVE(word) "@(atomicExch%A(" word ", 0)@|atomicExch%A(" word ", 0)@|*(volatile int *)" word " = 0@|atomicCAS(" word ", 1, 0)@);\n"
// What a thread of a block did, seen by one of another.
#define WORK "a[IX(gid@(@|@|@| + 1@), 4096)] = tid + 1;\n"
#define TEAM_FENCE "@(@|@|%F@)\n%B"

typedef struct Order {
  const char *text;
  bool all_lanes; // whole warps
} Order;

static const Order orders[] = {
    // A message from one block to others.
    {"if (blockIdx.x == 0) {\n  @(@|" LEADER "@)" WORK TEAM_FENCE LEADER "{ %F " PUT_IN("&f[0]", "1") "; }\n"
     "} else @(@|if (blockIdx.x == 1) @){\n"
     "  " LEADER "{ while (" READ("&f[0]") " @(== 0@|== 0@|!= 1@)); %F }\n%B"
     "  b[IX(gid, 4096)] = a[IX(@(tid@|tid@|%T - 1 - tid@|0@), 4096)];\n}\n",
     false},
    // A chain of blocks, once or in rounds.
    {"for (int k = 0; k < @(1@|n & 3@|2@|m@); k++) {\n"
     "  " LEADER "{ while (@((int)blockIdx.x > 0 && @|@|(int)blockIdx.x > 0 && @)" READ("&f[(blockIdx.x + 7) & 7]") " < k + @(1@|1@|1@|0@)); %F }\n%B"
     "  @(@|if (blockIdx.x > 0) @)a[IX(gid, 4096)] @(=@|+=@) blockIdx.x ? a[IX(gid - @(%T@|%T@|2 * %T@) < 0 ? gid : gid - %T, 4096)] : k;\n"
     "  " TEAM_FENCE "  " LEADER "{ %F " PUT_IN("&f[blockIdx.x & 7]", "k + 1") "; }\n  @(%B@|@)}\n",
     false},
    // Whoever comes last.
    {WORK TEAM_FENCE
     "@(__shared__ int last;\n" LEADER "{ %F last = " DRAW("&f[0]") "; }\n%B"
     "if (last @(==@|==@|>=@) (int)gridDim.x - @(1@|1@|1@|2@)) {\n  %F"
     "@|int last = 0;\n" LEADER "{ %F last = " DRAW("&f[0]") " == (int)gridDim.x - 1; }\nif (__syncthreads_or(last)) {\n  %F@)"
     "\n  for (int k = tid; k < (int)gridDim.x * %T; k += %T) b[IX(k, 4096)] = a[IX(k, 4096)];\n"
     "  @(@|" LEADER "f[0] = 0;\n@)}\n",
     false},
    {WORK "%F\nint v = atomicAdd%A(&f[@(0@|blockIdx.x & 1@)], 1);\nif (v == (int)gridDim.x * %T - @(1@|1@|1@|2@)) {\n  %F\n"
     "  for (int k = 0; k < (int)gridDim.x * %T; k++) b[IX(k, 4096)] = @(a@|a@|((volatile int *)a)@)[IX(k, 4096)];\n}\n",
     false},
    // Locks: by a thread, by the leader for its block, by the first lane for its warp, of slots.
    {"@(if (tid == %K) @|if (lane == 0) @|@){\n  " TAKE("&f[@(0@|0@|tid & 1@|blockIdx.x & 1@)]") "  %F\n"
     "  @(a[0]@|b[@(0@|tid & 1@)]@|a[blockIdx.x & 1]@)++;\n  %F " GIVE("&f[@(0@|0@|tid & 1@)]") "}\n",
     false},
    {LEADER "{\n  " TAKE("&f[0]") "  %F\n}\n%B" "a[IX(tid, 4096)] += @(1@|b[IX(tid, 4096)]@|a[IX(%T - 1 - tid, 4096)]@);\n" TEAM_FENCE
     LEADER "{ %F " GIVE("&f[0]") "}\n",
     false},
    {"if (lane == 0) {\n  " TAKE("&f[@(0@|warp@)]") "  %F\n}\n%W" "a[IX(lane + @(0@|warp * 32@), 4096)]++;\n%F %W"
     "if (lane == 0) { %F " GIVE("&f[@(0@|warp@)]") "}\n",
     true},
    {"bool done = false;\nwhile (!done) {\n  if (atomicCAS%A(&f[@(0@|tid & 3@)], 0, 1) == 0) {\n    %F\n    a[IX(@(0@|tid & 3@|tid & 7@), 4096)]++;\n    %F\n"
     "    " GIVE("&f[@(0@|tid & 3@)]") "    done = true;\n  }\n}\n",
     false},
    // A lock that is counted up, given back by who holds it or by all.
    {"if (@(@|@|lane == 0 && @)atomicAdd%A(&f[@(0@|0@|tid & 1@)], 1) == @(0@|0@|0@|1@)) {\n  %F\n  @(a[0]@|a[0]@|b[tid & 1]@)++;\n  %F "
     "@(atomicExch%A(&f[0], 0);@|atomicSub%A(&f[0], @(1@|1@|2@));@|atomicSub%A(&f[@(0@|tid & 1@)], 1);@|@)\n}@(@| else atomicSub%A(&f[0], 1);@)\n"
     "@(@|@|atomicSub%A(&f[@(0@|0@|tid & 1@)], 1);\n@)",
     false},
    // A lock that is taken on some ways.
    {"if (lane == 0 && (@(n > 5@|true@|blockIdx.x == 0@) || @(blockIdx.x == 0@|gid == 0@|n > 4@))) {\n"
     "  if (@(n > 5@|n > 5@|blockIdx.x > 0@)) " TAKE("&f[0]") "@(@|  else " TAKE("&f[1]") "@)  %F\n  @(@|if (@(n > 5@|n > 4@)) @)a[0]++;\n  %F\n"
     "  if (@(n > 5@|n > 5@|n > 5@|n > 4@|blockIdx.x > 0@)) " GIVE("&f[0]") "@(@|  else " GIVE("&f[1]") "@)}\n",
     false},
    {"if (atomicCAS%A(&f[@(0@|0@|tid@)], 0, @(1@|1@|0@)) == 0) { @(a[0]++@|b[blockIdx.x] = tid@|a[0] = tid@); @(@|%F " GIVE("&f[0]") "@) }\n", false},
    // Tickets and turns.
    {"@(" LEADER "@|if (lane == 0) @|@){\n  int mine = " DRAW("&f[0]") ";\n  while (" READ("&f[1]") " != mine);\n  %F\n  a[@(0@|0@|tid & 1@)]++;\n  %F\n"
     "  @(atomicAdd%A(&f[1], 1)@|" PUT_IN("&f[1]", "mine + 1") "@);\n}\n",
     false},
    {LEADER "{ while (" READ("&f[0]") " != @((int)blockIdx.x@|(int)blockIdx.x@|(int)blockIdx.x / 2@)); %F }\n%B"
     "a[IX(tid, 4096)] += gid;\n" TEAM_FENCE LEADER "{ %F " PUT_IN("&f[0]", "(int)blockIdx.x + @(1@|1@|1@|2@)") "; }\n",
     false},
    // Barriers of the grid: counted once, by rounds, by generations.
    {"for (int k = 0; k < @(1@|2@|n & 3@|m@); k++) {\n  " WORK "  " TEAM_FENCE
     "  " LEADER "{ %F " DRAW("&f[0]") "; while (" READ("&f[0]") " < (int)gridDim.x * (k + 1)); %F }\n  %B"
     "  b[IX(gid, 4096)] += a[IX((gid + %T) % ((int)gridDim.x * %T), 4096)];\n"
     "  @(" TEAM_FENCE "  " LEADER "{ %F " DRAW("&f[1]") "; while (" READ("&f[1]") " < (int)gridDim.x * (k + 1)); %F }\n  %B@|%B@)}\n",
     false},
    {"for (int k = 0; k < @(1@|2@|n & 1@); k++) {\n  @(a@|(k & 1 ? b : a)@)[IX(gid, 4096)] = k;\n  " TEAM_FENCE
     "  " LEADER "{\n    %F\n    int phase = " READ("&f[1]") ";\n    @(@|%F@|%F@)\n"
     "    if (atomicAdd%A(&f[0], 1) == (int)gridDim.x - 1) { " PUT_IN("&f[0]", "0") "; %F " DRAW("&f[1]") "; }\n"
     "    else while (" READ("&f[1]") " == phase);\n    %F\n  }\n  %B"
     "  own[k & 3] += @(a@|(k & 1 ? b : a)@)[IX((gid + %T) % ((int)gridDim.x * %T), 4096)];\n}\n",
     false},
    {WORK TEAM_FENCE LEADER "{ %F " PUT_IN("&f[blockIdx.x & 7]", "1") "; }\nif (tid < (int)gridDim.x) { while (" READ("&f[tid & 7]") " == 0); %F }\n%B"
     "b[IX(gid, 4096)] = a[IX((gid + %T) % ((int)gridDim.x * %T), 4096)];\n",
     false},
    // The first one makes what all use.
    {"if (tid == %K) {\n  if (atomicCAS%A(&f[0], 0, 1) == 0) { a[0] = n; %F " PUT_IN("&f[0]", "2") "; }\n  else { while (" READ("&f[0]") " != 2); %F }\n"
     "  b[IX(gid, 4096)] = a[@(0@|0@|1@)];\n}\n",
     false},
    // Bits of a word.
    {"@(" LEADER "@|if (tid == 0) @){ a[IX((int)blockIdx.x, 4096)] = n; %F atomicOr%A(&f[0], 1 << blockIdx.x); }\n"
     "if (tid == 0 && blockIdx.x == @(0@|0@|1@)) {\n  while ((" READ("&f[0]") " & @(1 << (gridDim.x - 1)@|(1 << gridDim.x) - 1@|1@)) != @(1 << (gridDim.x - 1)@|(1 << gridDim.x) - 1@|0@));\n"
     "  %F\n  for (int k = 0; k < (int)gridDim.x; k++) b[IX(k, 4096)] = a[IX(k, 4096)];\n}\n",
     false},
    // A ring between two blocks.
    {"if (tid == 0 && blockIdx.x == 0) for (int k = 0; k < n; k++) {\n  while (" READ("&f[1]") " < k - @(3@|3@|4@|2@));\n  %F\n  a[IX(k & 3, 4096)] = k;\n  %F\n"
     "  " PUT_IN("&f[0]", "k + 1") ";\n}\nif (tid == 0 && blockIdx.x == 1) for (int k = 0; k < n; k++) {\n"
     "  while (" READ("&f[0]") " < k + @(1@|1@|1@|0@));\n  %F\n  b[0] += a[IX(k & 3, 4096)];\n  %F\n  " PUT_IN("&f[1]", "k + 1") ";\n}\n",
     false},
    // There and back in one word.
    {"for (int k = 0; k < @(1@|n & 3@); k++) {\n  if (tid == 0 && blockIdx.x == 0) { while (" READ("&f[0]") " != 0); %F a[0] = k; %F " PUT_IN("&f[0]", "1") "; }\n"
     "  if (tid == 0 && blockIdx.x == @(1@|1@|1@|gridDim.x - 1@)) { while (" READ("&f[0]") " != 1); %F b[0] += a[0]; %F " PUT_IN("&f[0]", "0") "; }\n}\n",
     false},
    // A relay over three threads.
    {"if (tid == 0 && blockIdx.x == 0) { a[0] = 1; %F " PUT_IN("&f[0]", "1") "; }\n"
     "if (tid == @(0@|1@) && blockIdx.x == @(1@|1@|0@)) { while (" READ("&f[0]") " == 0); %F @(@|a[1] = 2; %F@) " PUT_IN("&f[1]", "1") "; }\n"
     "if (tid == 2 && blockIdx.x == @(gridDim.x - 1@|0@)) { while (" READ("&f[1]") " == 0); %F b[0] = a[@(0@|0@|1@)]; }\n",
     false},
    // Order and scope of atomic objects.
    {"if (tid == 0 && blockIdx.x == 0) {\n  a[0] = 1;\n  @(@|%F@)\n"
     "  cuda::atomic_ref<int, cuda::thread_scope_@(device@|device@|system@|block@)>(f[0]).store(1, cuda::memory_order_@(release@|release@|seq_cst@|relaxed@));\n"
     "} else if (tid == 0) {\n"
     "  while (cuda::atomic_ref<int, cuda::thread_scope_@(device@|device@|system@|block@)>(f[0]).load(cuda::memory_order_@(acquire@|acquire@|relaxed@)) == 0);\n"
     "  @(@|@|%F@|cuda::atomic_thread_fence(cuda::memory_order_@(acquire@|acquire@|release@), cuda::thread_scope_device);@)\n  b[IX(gid, 4096)] = a[0];\n}\n",
     false},
    {WORK "%B" LEADER "{\n  int v = cuda::atomic_ref<int, cuda::thread_scope_@(device@|device@|block@)>(f[0]).fetch_add(1, cuda::memory_order_@(acq_rel@|acq_rel@|acq_rel@|release@|relaxed@));\n"
     "  s[0] = v == (int)gridDim.x - 1;\n}\n%B"
     "if (s[0]) for (int k = tid; k < (int)gridDim.x * %T; k += %T) b[IX(k, 4096)] = a[IX(k, 4096)];\n",
     false},
    {"if (tid == 0) {\n  while (cuda::atomic_ref<int, cuda::thread_scope_device>(f[0]).exchange(1, cuda::memory_order_@(acquire@|acquire@|acq_rel@|relaxed@)) != 0);\n"
     "  a[0]++;\n  cuda::atomic_ref<int, cuda::thread_scope_@(device@|device@|block@)>(f[0]).store(0, cuda::memory_order_@(release@|release@|release@|relaxed@));\n}\n",
     false},
    // Atomic operations and others on one word.
    {"@(atomicAdd%A(&f[@(0@|tid & 7@|blockIdx.x & 7@)], 1)@|atomicMax%A(&f[0], tid)@|f[tid & 63] = 1@);\n%B@(b[IX(gid, 4096)] = f[@(0@|tid & 7@|blockIdx.x & 7@)]@|@);\n", false},
    // Within the block: from warp to warp by a flag, by volatile words, by a lock in shared memory.
    {LEADER "s[250] = 0;\n%B" "if (tid == 0) { s[tid] = 7; %G " PUT_IN("&s[250]", "1") "; }\nelse if (tid == %T - 1) { while (" READ("&s[250]") " == 0); %G b[IX(gid, 4096)] = s[0]; }\n",
     false},
    {LEADER "s[250] = 0;\n%B" "@(if (lane == 0) @|@){\n  " TAKE("&s[250]") "  %G\n  s[@(0@|0@|1@)]++;\n  %G\n  " GIVE("&s[250]") "}\n", false},
    {LEADER "s[250] = 0;\n%B" "s[IX(tid, 250)] = tid;\n%G\nif (atomicAdd_block(&s[250], 1) == %T - @(1@|1@|1@|2@)) {\n  %G\n  for (int k = 0; k < %T; k++) b[IX(blockIdx.x * 64 + k, 4096)] = s[k];\n}\n",
     false},
    {"for (int d = 16; d > 0; d >>= 1) {\n  if (lane < d) ((volatile int *)s)[IX(tid, 256)] += ((volatile int *)s)[IX(tid + d, 256)];\n  %W}\n"
     "%B" "if (tid == 0) b[IX((int)blockIdx.x, 4096)] = s[0];\n",
     false},
    // Barriers of parts of the block.
    {"s[IX(tid, 256)] = gid;\nnamed_sync(1 + @(warp@|warp@|0@|warp / 2@), @(32@|32@|%T@|64@));\nb[IX(gid, 4096)] = s[IX(@(tid ^ 1@|tid ^ 1@|%T - 1 - tid@), 256)];\n%B", true},
    {"for (int k = 0; k < @(2@|n & 7@); k++) {\n  if (warp == 0) {\n    @(@|if (k > 0) @)named_sync(2, %T);\n    s[lane @(@|+ (k & 1) * 32@)] = k;\n    named_@(arrive@|arrive@|sync@)(1, %T);\n  } else {\n"
     "    @(@|if (k > 0) @)named_arrive(2, %T);\n    named_sync(1, %T);\n    b[IX(gid, 4096)] += s[31 - lane@(@| + (k & 1) * 32@)];\n  }\n}\n%B",
     true},
    {"if (warp @(== 0@|< 1@|>= 0@)) {\n  s[IX(tid, 256)] = n;\n  named_@(arrive@|sync@)(3, %T);\n} else {\n  named_sync(3, @(%T@|%T@|64@));\n  b[IX(gid, 4096)] = s[lane];\n}\n%B", true},
    // Copies that go on beside the threads.
    {"__pipeline_memcpy_async(&s[tid], &r[IX(gid, 4096)], 4);\n@(__pipeline_commit();@|__pipeline_commit();@|__pipeline_commit();@|@)\n__pipeline_wait_prior(@(0@|0@|0@|1@));\n%B"
     "b[IX(gid, 4096)] = s[IX(@(%T - 1 - tid@|tid ^ 1@|tid@), 256)];\n@(%Bs[tid] = 0;\n@|@)",
     false},
    {"__pipeline_memcpy_async(&s[tid], &r[tid], 4);\n__pipeline_commit();\nfor (int k = 0; k < n; k++) {\n"
     "  @(if (k + 1 < n) @|@)__pipeline_memcpy_async(&s[(k + 1) % @(2@|2@|2@|1@|3@) * 64 + tid], &r[(k & 15) * 64 + tid], 4);\n  __pipeline_commit();\n"
     "  __pipeline_wait_prior(@(1@|1@|1@|0@|2@));\n  %B" "  b[IX(gid, 4096)] += s[k % @(2@|2@|2@|3@) * 64 + @((tid + 1) % %T@|tid ^ 1@|tid@)];\n  %B" "}\n",
     false},
    {"for (int k = 0; k < @(n@|m@|3@); k++) {\n  for (int j = 0; j < @(2@|m@|1@); j++) {\n    __pipeline_memcpy_async(&s[j * 64 + tid], &r[k * 64 + tid], 4);\n    @(__pipeline_commit();@|@)\n  }\n"
     "  __pipeline_commit();\n  __pipeline_wait_prior(@(0@|0@|1@));\n  %B" "  b[IX(gid, 4096)] += s[@(0@|64@) + (tid ^ 1)];\n  @(%B@|%B@|@)}\n",
     false},
    // A lane that is chosen, for its warp.
    {"unsigned votes = __ballot_sync(~0u, @(tid > %C@|true@));\nif (votes >> lane & 1) {\n  if (lane == __ffs(votes) - 1) { s[warp] = atomicAdd%A(&f[0], @(__popc(votes)@|__popc(votes)@|1@)); }\n  __syncwarp(votes);\n"
     "  a[IX(s[@(warp@|warp@|0@)] + __popc(votes & ((1u << lane) - 1)), 4096)] = gid;\n}\n",
     true},
};

void writer_order(Writer *w) {
  const Order *order;
  do
    order = &orders[writer_roll(w, sizeof orders / sizeof *orders)];
  while (order->all_lanes && w->block->threads % 32 != 0);
  w->draws = true;
  w->waits = true;
  writer_fill(w, order->text);
}
