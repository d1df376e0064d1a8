// What does a rule mean, for someone who has just been warned?
//
// One Markdown page for each rule: what is wrong, the smallest program that shows it, how to mend it, and
// what the rule does not say. docs/rules/NAME.md are copies for the web; a unit test keeps them equal.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <string.h>

static const char INTER_BLOCK[] =
    "# inter-block-race (HGRD1001)\n"
    "\n"
    "Two threads of *different blocks* access the same bytes of global memory in one launch, at least one of "
    "them\n"
    "writes, and nothing orders the two accesses. Blocks run in any order, at the same time or one after the "
    "other, so\n"
    "the value that is read, or that stays in memory, changes from run to run and from GPU to GPU.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "__global__ void sum(int *total, const int *in, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    *total += in[i];            // every thread of every block writes the same word\n"
    "}\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "- Give each block memory of its own: is the block's number part of the index, with the right stride?\n"
    "- Guard the access, if there are more threads than elements: `if (i < n)`.\n"
    "- Combine results with an atomic operation: `atomicAdd(total, in[i]);`. All accesses to the word have "
    "to be\n"
    "  atomic, with a scope that spans both blocks: `atomicAdd_block` does not.\n"
    "- Split the kernel: everything of one launch is done before the next launch of the stream begins.\n"
    "- In a cooperative launch, put `cooperative_groups::this_grid().sync()` between the two accesses.\n"
    "\n"
    "`__syncthreads()` orders threads of one block only and never helps here. A fence (`__threadfence()`) "
    "orders the\n"
    "accesses of one thread; another thread has to wait for something that is stored after it.\n"
    "\n"
    "## If the report is wrong\n"
    "\n"
    "The report names a grid, a block, and values of the host for which the two threads meet. If those "
    "values cannot\n"
    "happen, say so in host code, where the analysis reads it: `assert(n % 256 == 0);`, or an early return, "
    "before the\n"
    "launch. A race marked *possible* needs certain contents of memory, such as two equal entries of an "
    "index array.\n"
    "If it is meant to be, write `// hgrd-suppress(inter-block-race): reason` at the access.\n";

static const char INTRA_BLOCK[] =
    "# intra-block-race (HGRD1002)\n"
    "\n"
    "Two threads of *different warps of one block* access the same bytes of shared or global memory, at "
    "least one of\n"
    "them writes, and no barrier of the block stands between the two accesses.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "__global__ void reverse(int *data) {\n"
    "  __shared__ int tile[256];\n"
    "  int t = threadIdx.x;\n"
    "  tile[t] = data[t];\n"
    "                                 // __syncthreads() is missing\n"
    "  data[t] = tile[255 - t];       // reads what another warp may not have written yet\n"
    "}\n"
    "```\n"
    "\n"
    "In a loop one barrier is often not enough: the writes of the next iteration meet the reads of this "
    "one.\n"
    "\n"
    "```cuda\n"
    "for (int k = 0; k < n; k += 256) {\n"
    "  tile[t] = in[k + t];\n"
    "  __syncthreads();\n"
    "  sum += tile[255 - t];\n"
    "  __syncthreads();               // without this one, the loop races with itself\n"
    "}\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "- Put `__syncthreads()` between the two accesses, where all threads of the block come past.\n"
    "- Two iterations that meet: a second barrier, or two buffers that take turns.\n"
    "- Many writers of one word: an atomic operation, or let one thread write: `if (threadIdx.x == 0)`.\n"
    "- `__syncwarp()` orders one warp only and does not help here.\n"
    "\n"
    "## If the report is wrong\n"
    "\n"
    "The report names the two threads and the values for which they meet. A block that is never larger than "
    "a warp\n"
    "has to be visible as such: in the launch, in `__launch_bounds__`, or in an assert before the launch. If "
    "it is\n"
    "meant to be, write `// hgrd-suppress(intra-block-race): reason` at the access.\n";

static const char INTRA_WARP[] =
    "# intra-warp-race (HGRD1003)\n"
    "\n"
    "Two lanes of *one warp* access the same bytes, at least one of them writes, and no barrier of the warp "
    "or the\n"
    "block stands between the two accesses. Since sm_70 each lane makes progress on its own (independent "
    "thread\n"
    "scheduling): lanes do not run in lock step, not even after they have come together again.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "if (t < 32) {                    // \"a warp needs no barrier\" was never promised, and is false today\n"
    "  s[t] += s[t + 16];\n"
    "  s[t] += s[t + 8];              // reads what another lane may not have written yet\n"
    "}\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "- Put `__syncwarp();` between the accesses, and between a read and the write that follows it:\n"
    "\n"
    "```cuda\n"
    "int v = s[t + 16]; __syncwarp();\n"
    "s[t] += v;         __syncwarp();\n"
    "```\n"
    "\n"
    "- Or exchange values with `__shfl_down_sync`, `__reduce_add_sync`, without memory at all.\n"
    "- The mask of `__syncwarp(mask)` has to cover both lanes. `__activemask()` gives no such promise.\n"
    "- `volatile` keeps the compiler from caching the value; it orders nothing between lanes.\n"
    "- For a GPU below sm_70, say `--arch sm_60`: lanes run in lock step there. Two lanes that write one "
    "word in one\n"
    "  instruction race all the same.\n"
    "\n"
    "If it is meant to be, write `// hgrd-suppress(intra-warp-race): reason` at the access.\n";

static const char BARRIER_DIVERGENCE[] =
    "# barrier-divergence (HGRD2001)\n"
    "\n"
    "Some threads of a group can reach a barrier of the group while others go round it and run on. The CUDA\n"
    "programming guide allows `__syncthreads()` in conditional code only if the condition is the same for "
    "the whole\n"
    "block; otherwise the kernel may hang, or threads meet at different barriers and the accesses around "
    "them are not\n"
    "ordered.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "if (i < n) {                     // the last block is only partly inside\n"
    "  tile[t] = in[i];\n"
    "  __syncthreads();               // not reached by threads with i >= n\n"
    "  out[i] = tile[blockDim.x - 1 - t];\n"
    "}\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "Take the barrier out of the condition:\n"
    "\n"
    "```cuda\n"
    "if (i < n)\n"
    "  tile[t] = in[i];\n"
    "__syncthreads();\n"
    "if (i < n)\n"
    "  out[i] = tile[blockDim.x - 1 - t];\n"
    "```\n"
    "\n"
    "- Give a loop with a barrier in it a bound that is the same for all threads of the block, and test "
    "inside.\n"
    "- A thread that has returned counts as arrived on sm_70 and later. Devices before, and those of other "
    "makers, wait for it:\n"
    "  that is a note, a warning with `-Wbarrier-divergence` or `--arch=` below sm_70. Let all threads reach "
    "the "
    "barrier.\n"
    "- A barrier of the grid (`grid.sync()`) counts blocks: one whose thread 0 has left never arrives, and "
    "the others "
    "wait\n"
    "  without end. Let all threads of the grid come to it.\n"
    "- If the condition is always true or always the same because of how the kernel is launched, say so in "
    "host code:\n"
    "  `assert(n % blockDim == 0);` before the launch.\n"
    "- A warp operation (`__syncwarp`, `__shfl_sync`, `__ballot_sync` ..., `tile.sync()`) waits for the "
    "lanes "
    "of its mask: one\n"
    "  that goes round it, and on to work behind it or to a barrier, never comes. Let the mask name those "
    "that "
    "come there, or take\n"
    "  the operation out of the condition: `m = __ballot_sync(0xffffffff, i < n && x)`. Told where the mask "
    "and "
    "all branches on the\n"
    "  way are made of thread numbers, the launch and memory that the kernel is given. The kernel's verdict "
    "stays as it is.\n"
    "\n"
    "A kernel with a barrier of the block or the grid like that is undecided besides: what the barrier would "
    "have ordered cannot be judged.\n";

static const char GRID_BARRIER[] =
    "# grid-barrier-launch (HGRD2002)\n"
    "\n"
    "The kernel waits for all blocks of the grid (`grid.sync()` of cooperative groups), but this launch is "
    "not a cooperative\n"
    "one. Only a cooperative launch promises that all blocks are resident at the same time; otherwise the "
    "barrier has no\n"
    "meaning, and blocks that run may wait for others that never start.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "cooperative_groups::this_grid().sync();\n"
    "...\n"
    "step<<<blocks, threads>>>(data);                 // not cooperative\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "```cuda\n"
    "void *args[] = {&data};\n"
    "cudaLaunchCooperativeKernel((void *)step, blocks, threads, args);\n"
    "```\n"
    "\n"
    "- As many blocks as fit: `cudaOccupancyMaxActiveBlocksPerMultiprocessor` times the number of "
    "multiprocessors.\n"
    "- Or split the kernel in two: the end of a kernel is a barrier of the grid.\n"
    "\n"
    "What the barrier would have ordered cannot be judged, so the kernel is undecided besides.\n";

static const char LOCK_MISUSE[] =
    "# lock-misuse (HGRD2003)\n"
    "\n"
    "A lock is taken while the thread holds it already, is still held when the "
    "thread ends, is given back on one way\n"
    "out of a branch and never on the other one, or is given back by a thread that "
    "cannot hold it. All but the last stop\n"
    "every thread that waits for the lock; the last lets two threads in at a time, "
    "so such a lock protects nothing.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "while (atomicCAS(lock, 0, 1) != 0) {\n"
    "}\n"
    "__threadfence();\n"
    "if (n[0] == 0)\n"
    "  return;                        // the lock is never given back\n"
    "n[0]--;\n"
    "__threadfence();\n"
    "atomicExch(lock, 0);\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "```cuda\n"
    "if (n[0] > 0)\n"
    "  n[0]--;\n"
    "__threadfence();\n"
    "atomicExch(lock, 0);\n"
    "```\n"
    "\n"
    "- Give the lock back on every way out, by the thread that took it.\n"
    "- A word that one thread claims for good, and nobody ever sets free, is "
    "no lock in this sense and is not reported.\n";

static const char WARP_MASK[] =
    "# warp-mask (HGRD2004)\n"
    "\n"
    "A lane executes a warp operation (`__syncwarp`, `__shfl_sync`, `__ballot_sync` ...) whose mask does not "
    "name it. CUDA\n"
    "leaves open what happens then: the lane may wait for ever, or go on as if the operation were not "
    "there.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "if (lane < 24)\n"
    "  v = __shfl_down_sync(0x0000ffff, v, 8);     // lanes 16 to 23 are not in the mask\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "```cuda\n"
    "unsigned mask = __ballot_sync(0xffffffff, lane < 24);\n"
    "if (lane < 24)\n"
    "  v = __shfl_down_sync(mask, v, 8);\n"
    "```\n"
    "\n"
    "- The mask names the lanes that come to the operation, no more and no fewer.\n"
    "- `__activemask()` names those that happen to be there, which may be too few.\n"
    "- A mask that is computed is followed lane by lane: `(1u << lane) - 1` leaves out the lane itself, a "
    "vote names the lanes that voted\n"
    "  yes. What a vote about data names hangs on memory, so the lane is one that it *may* leave out. "
    "Nothing is said of masks that the\n"
    "  host gives, that memory holds, or that lanes hand to each other.\n";

static const char SAME_VALUE[] =
    "# same-value-write (HGRD3001)\n"
    "\n"
    "Two threads write the same bytes without order, and provably the same value: a flag that many threads "
    "set, for\n"
    "example. What is in memory afterwards does not depend on the order, so this is a note and not a "
    "warning. It is a\n"
    "data race all the same by the rules of CUDA C++, and turns into a real one when the values begin to "
    "differ. A pointer is\n"
    "the same if it leads to one place of one object: the shared memory of one block is another one than "
    "that of the "
    "next.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "if (in[i] < 0)\n"
    "  *found = 1;                    // by any number of threads\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "- `atomicExch(found, 1);`, or a relaxed store through `cuda::atomic_ref`: both say what is meant.\n"
    "- Let one thread of the block write: `if (__syncthreads_or(in[i] < 0) && threadIdx.x == 0) ...`.\n"
    "- `--same-value=warn` makes these warnings, `--same-value=off` leaves them out.\n"
    "\n"
    "A thread that *reads* the word without order is a race and is reported as such.\n";

static const char ENDLESS_WAIT[] =
    "# endless-wait (HGRD2005)\n"
    "\n"
    "A barrier object, or a barrier with a number, expects more arrivals than can come in one of its phases: "
    "nobody ever comes past\n"
    "its wait, and the kernel hangs. Each thread of the block arrives once before it waits, so what is "
    "expected must not be more\n"
    "than the threads that arrive.\n"
    "\n"
    "## Example\n"
    "\n"
    "```cuda\n"
    "if (threadIdx.x == 0)\n"
    "  init(&barrier, blockDim.x + 1);    // the block has blockDim.x threads\n"
    "__syncthreads();\n"
    "barrier.arrive_and_wait();           // waits for ever\n"
    "```\n"
    "\n"
    "## How to mend it\n"
    "\n"
    "```cuda\n"
    "if (threadIdx.x == 0)\n"
    "  init(&barrier, blockDim.x);\n"
    "```\n"
    "\n"
    "- Expect as many arrivals as there are threads that arrive: all of the block, or those of one role.\n"
    "- The number in `bar.sync id, count` counts those who come to `bar.arrive` with it as well.\n"
    "\n"
    "What the barrier would have ordered cannot be judged, so the kernel is undecided besides.\n";

const char *report_explain(FindingRule rule) {
  switch (rule) {
  case RULE_INTER_BLOCK: return INTER_BLOCK;
  case RULE_INTRA_BLOCK: return INTRA_BLOCK;
  case RULE_INTRA_WARP: return INTRA_WARP;
  case RULE_BARRIER_DIVERGENCE: return BARRIER_DIVERGENCE;
  case RULE_GRID_BARRIER: return GRID_BARRIER;
  case RULE_LOCK_MISUSE: return LOCK_MISUSE;
  case RULE_WARP_MASK: return WARP_MASK;
  case RULE_ENDLESS_WAIT: return ENDLESS_WAIT;
  case RULE_SAME_VALUE: return SAME_VALUE;
  case RULE_NONE:
  case RULE_COUNT: break;
  }
  return "";
}

void report_explain_cause(const CauseInfo *cause, StrBuf *out) {
  ASSERT(out);
  strbuf_printf(out, "# %s (a cause of findings)\n\nWhat is wrong: %s.\n\n", cause->name, cause->wrong);
  const char *const *rule = cause->rule;
  bool is_one = strcmp(rule[MEMORY_MODEL_CUDA], rule[MEMORY_MODEL_PTX]) == 0 &&
                strcmp(rule[MEMORY_MODEL_CUDA], rule[MEMORY_MODEL_SCORD]) == 0;
  if (is_one) strbuf_printf(out, "The rule: %s.\n", rule[MEMORY_MODEL_CUDA]);
  for (int m = 0; m < MEMORY_MODEL_COUNT && !is_one; m++)
    strbuf_printf(out, "%s- `--memory-model=%s`: %s.\n", m ? "" : "The rule:\n\n",
                  memory_model_name((MemoryModel)m), rule[m]);
  strbuf_printf(out, "\nTo mend it: %s.\n", cause->mend);
  const CauseExample *example = cause_example(cause->name);
  if (example)
    strbuf_printf(
        out,
        "\nAn example, the mistake (-) and the mend (+), in blocks of 128 threads%s%s:\n\n```diff\n%s```\n",
        *example->options ? ", for " : "", example->options, example->text);
  strbuf_printf(out, "\ndocs/memory-model.md has what is recognised, with more examples.\n");
}

void report_explain_list(StrBuf *out) {
  ASSERT(out);
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    strbuf_printf(out, "rule   %s (%s): %s\n", info->name, info->id, info->help);
  }
  for (uint32_t i = 0; cause_at(i); i++)
    strbuf_printf(out, "cause  %s: %s\n", cause_at(i)->name, cause_at(i)->wrong);
}
