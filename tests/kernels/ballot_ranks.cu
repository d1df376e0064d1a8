// Compaction within a warp: the lanes that keep their element take places by their rank in a ballot, behind a base that
// lane 0 looks up and hands to all. Ranks of lanes that voted yes differ (rank_ok); if all lanes write, those that
// voted no share the place of the next one that voted yes (rank_bad). The rank has to count the vote of those who
// write (other_bad counts another vote). With a base of its own each lane may land on the place of another (base_bad). A lane
// reads its own vote in the ballot (bit_ok), and its neighbour's one bit further (bit_bad).
//@ verdict rank_ok: race-free
//@ verdict rank_bad: racy
//@ verdict other_bad: racy
//@ verdict base_ok: race-free
//@ verdict base_bad: racy
//@ verdict bit_ok: race-free
//@ verdict bit_bad: racy
//@ args: --grid-dim 1 --block-dim 32
__global__ void rank_ok(const int *in, int *out) { // expect-clean
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  if (keep)
    out[__popc(kept & ((1u << lane) - 1))] = in[lane];
}

__global__ void rank_bad(const int *in, int *out) {
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  out[__popc(kept & ((1u << lane) - 1))] = in[lane]; // expect-race
}

__global__ void other_bad(const int *in, int *out) {
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned kept = __ballot_sync(0xffffffff, in[lane] > 1);
  if (keep)
    out[__popc(kept & ((1u << lane) - 1))] = in[lane]; // expect-race
}

__global__ void base_ok(const int *in, const int *start, int *out) { // expect-clean
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int base = __shfl_sync(0xffffffff, start[lane], 0);
  if (keep)
    out[base + __popc(kept & ((1u << lane) - 1))] = in[lane];
}

__global__ void base_bad(const int *in, const int *start, int *out) {
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int base = __shfl_sync(0xffffffff, start[lane], lane);
  if (keep)
    out[base + __popc(kept & ((1u << lane) - 1))] = in[lane]; // expect-race
}

__global__ void bit_ok(const int *in, int *out) { // expect-clean
  int lane = threadIdx.x;
  unsigned kept = __ballot_sync(0xffffffff, lane == 3);
  if (kept >> lane & 1)
    out[0] = in[lane];
}

__global__ void bit_bad(const int *in, int *out) {
  int lane = threadIdx.x;
  unsigned kept = __ballot_sync(0xffffffff, lane != 3);
  if (kept >> lane & 1)
    out[0] = in[lane]; // expect-race
}
