// Asynchronous copies and the barriers that they complete on: as inline PTX, as intrinsics and by the names of the
// library. The twin of each line differs in one word.
//@ args: --arch sm_90
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__global__ void copies_ptx(const float4 *in, int n) {
  __shared__ float4 tile[32];
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in));                 //= asynccopy *, %in, 16
  asm volatile("cp.async.cg.shared::cta.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(in));   //= asynccopy *, %in, 16
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(in), "r"(n));      //= asynccopy *, %in, 4, *
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(to), "l"(in), "r"(n)); //= asynccopy *, %in, *
  asm volatile("cp.async.commit_group;");      //= asynccommit
  asm volatile("cp.async.wait_group 1;");      //= asyncwait pending 1
  asm volatile("cp.async.wait_group %0;" ::"n"(2)); //= asyncwait pending 2
  asm volatile("cp.async.wait_all;");          //= asynccommit | asyncwait pending 0
}
__global__ void bulk_ptx(const char *in, char *out, const void *map) {
  __shared__ __align__(16) char tile[1024];
  __shared__ unsigned long long bar;
  unsigned to = (unsigned)__cvta_generic_to_shared(tile), b = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(in), "r"(1024), "r"(b)); //= asynccopy bulk *tile, %in, 1024, *bar
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(to), "r"(1024)); //= asynccopy bulk %out, *tile, 1024
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], %2;" ::"l"(out), "r"(to), "r"(1024)); //= asyncreduce bulk %out, *tile, 1024 element 2 device rmw fadd
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0], %1, [%2];" ::"r"(to), "r"(7), "r"(b)); //= asyncreduce bulk *tile, 7:i32, 4, *bar element 4 cluster rmw xor
  asm volatile("cp.async.bulk.commit_group;");       //= asynccommit bulk
  asm volatile("cp.async.bulk.wait_group.read 0;");  //= asyncwait bulk sources pending 0
  asm volatile("cp.async.bulk.wait_group 1;");       //= asyncwait bulk pending 1
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 64;" ::"l"(in)); //= nothing
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(to), "l"(map), "r"(0), "r"(b)); //= asm void *
}
__global__ void mbarrier_ptx(int n) {
  __shared__ unsigned long long bar;
  unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  unsigned long long s;
  unsigned ok;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n));                    //= mbarrier init *bar, %n
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(s) : "r"(b));                //= mbarrier arrive i64 *bar, 1 release block
  asm volatile("mbarrier.arrive.release.cluster.shared::cta.b64 _, [%0], 2;" ::"r"(b));        //= mbarrier arrive *bar, 2 release cluster
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(b));           //= mbarrier expect *bar, 4096 | mbarrier arrive *bar, 1 release block
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 64;" ::"r"(b));           //= mbarrier expect *bar, 64
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 [%0], 64;" ::"r"(b));     //= mbarrier complete *bar, 64
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(b));                      //= mbarrier arrive_drop *bar, 1 release block
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(b), "l"(s)); //= mbarrier test i1 *bar, * acquire block
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(b), "r"(n)); //= mbarrier test_parity i1 *bar, %n acquire cluster
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(b), "r"(n)); //= mbarrier wait_parity *bar, %n acquire block
  asm volatile("{\n.reg .pred P1;\nAGAIN:\nmbarrier.test_wait.shared.b64 P1, [%0], %1;\n@!P1 bra AGAIN;\n}" ::"r"(b), "l"(s)); //= mbarrier wait *bar, * acquire block
  asm volatile("{\n.reg .pred P1;\nAGAIN:\nmbarrier.test_wait.shared.b64 P1, [%0], %1;\n@P1 bra AGAIN;\n}" ::"r"(b), "l"(s)); //= asm void *
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(b));                          //= mbarrier arrive_copies *bar
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b));                    //= mbarrier arrive_copies_counted *bar
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b));                                    //= mbarrier invalidate *bar
}
__global__ void builtins(int n) {
  __shared__ long bar;
  __nvvm_mbarrier_init(&bar, n);                               //= mbarrier init *bar, %n
  long s = __nvvm_mbarrier_arrive(&bar);                       //= mbarrier arrive i64 *bar, 1 release block
  __nvvm_mbarrier_arrive_noComplete(&bar, 3);                  //= mbarrier arrive i64 *bar, 3 release block
  __nvvm_mbarrier_arrive_drop(&bar);                           //= mbarrier arrive_drop i64 *bar, 1 release block
  while (!__nvvm_mbarrier_test_wait(&bar, s)) {}               //= mbarrier wait *bar, * acquire block
  __nvvm_cp_async_mbarrier_arrive(&bar);                       //= mbarrier arrive_copies *bar
  __nvvm_cp_async_mbarrier_arrive_noinc(&bar);                 //= mbarrier arrive_copies_counted *bar
  __nvvm_mbarrier_inval(&bar);                                 //= mbarrier invalidate *bar
  __nvvm_cp_async_commit_group();                              //= asynccommit
  __nvvm_cp_async_wait_group(3);                               //= asyncwait pending 3
  __nvvm_cp_async_wait_all();                                  //= asynccommit | asyncwait pending 0
}
__global__ void library_barrier(const int *in, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, 64);                //= mbarrier init *bar, 64
  auto token = bar.arrive();                                   //= mbarrier arrive i64 *bar, 1 release block
  bar.wait(std::move(token));                                  //= mbarrier wait *bar, * acquire block
  bar.arrive_and_wait();                                       //= mbarrier arrive i64 *bar, 1 release block | mbarrier wait *bar, * acquire block
  bar.arrive_and_drop();                                       //= mbarrier arrive_drop i64 *bar, 1 release block
  bar.wait_parity(1);                                          //= mbarrier wait_parity *bar, 1 acquire block
  cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), bar);   //= asynccopy *, *, 4, *bar
  cuda::memcpy_async(block, tile, in, 256, bar);               //= asynccopy packed part *tile, %in, 256, *bar
  cuda::device::barrier_arrive_tx(bar, 1, 256);                //= mbarrier expect *bar, 256 | mbarrier arrive i64 *bar, 1 release block
  cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(256), bar);  //= asynccopy bulk *tile, %in, 256, *bar
}
__global__ void system_barrier(cuda::barrier<cuda::thread_scope_device> *bar) {
  bar->arrive_and_wait(); //= mbarrier arrive i64 %bar, 1 release device | mbarrier wait %bar, * acquire device
}
__global__ void primitives(int n) {
  __shared__ __mbarrier_t bar;
  __mbarrier_init(&bar, 32);                                   //= mbarrier init *bar, 32
  __mbarrier_token_t token = __mbarrier_arrive(&bar);          //= mbarrier arrive i64 *bar, 1 release block
  while (!__mbarrier_test_wait(&bar, token)) {}                //= mbarrier wait *bar, * acquire block
}
__global__ void pipelines(const int *in, int n) {
  __shared__ int tile[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);              //= pipeline init *state, 2
  pipe.producer_acquire();                                     //= pipeline acquire *state
  cuda::memcpy_async(&tile[0][threadIdx.x], in, sizeof(int), pipe); //= asynccopy *, %in, 4
  pipe.producer_commit();                                      //= pipeline commit *state
  pipe.consumer_wait();                                        //= pipeline wait *state
  pipe.consumer_release();                                     //= pipeline release *state
  pipe.quit();                                                 //= pipeline quit *state
}
__global__ void own_pipeline(const int *in, int n) {
  __shared__ int tile[2][64];
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&tile[0][threadIdx.x], in, sizeof(int), pipe); //= asynccopy *, %in, 4
  pipe.producer_commit();                                      //= asynccommit 0
  pipe.producer_commit();                                      //= asynccommit 1
  pipe.consumer_wait();                                        //= asyncwait oldest pending 1
  for (int i = 0; i < n; i++)
    pipe.producer_commit();                                    //= asynccommit %*
  pipe.consumer_wait();                                        //= asyncwait oldest %* pending 0
  __pipeline_memcpy_async(&tile[1][threadIdx.x], in, 4);       //= asynccopy *, %in, 4
  __pipeline_memcpy_async(&tile[1][threadIdx.x], in, 4, 4 - n); //= asynccopy *, %in, 4, *
  __pipeline_commit();                                         //= asynccommit
  __pipeline_wait_prior(1);                                    //= asyncwait pending 1
}
__global__ void groups(const int *in) {
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  auto grid = cg::this_grid();
  cg::memcpy_async(block, tile, in, sizeof(tile));             //= asynccopy packed part *tile, %in, 256 | asynccommit
  cg::wait_prior<1>(block);                                    //= asyncwait pending 1 | barrier sync block
  cg::wait(block);                                             //= asyncwait pending 0 | barrier sync block
  auto token = grid.barrier_arrive();                          //= barrier arrival device
  grid.barrier_wait(std::move(token));                         //= barrier await device
  cg::this_cluster().sync();                                   //= barrier arrival cluster | barrier await cluster
}
