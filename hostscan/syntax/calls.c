// What does a library call do to memory that the host scan models? One table by name, then a few rules by
// prefix.
// Method: names of the CUDA runtime are compared without their template mangling.
// Soundness: a name that is not known may write everything it can reach and keep its arguments. The
// entries state what the documentation of each function says; a program that defines a function of such a
// name itself is asked for its body before this table.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/syntax.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

enum { ALL = 0xffffffffu };

// clang-format off
static const HostCall table[] = {
  // launches
  {"__cudaPushCallConfiguration", CALL_PUSH, 0, 0, false},
  {"cudaLaunchKernel", CALL_LAUNCH, 0, 0, false},
  {"cudaLaunchKernel_ptsz", CALL_LAUNCH, 0, 0, false},
  {"cudaLaunchCooperativeKernel", CALL_LAUNCH_COOPERATIVE, 0, 0, false},
  {"cudaLaunchCooperativeKernel_ptsz", CALL_LAUNCH_COOPERATIVE, 0, 0, false},
  {"cudaLaunchKernelExC", CALL_LAUNCH_EX, 0, 0, false},
  {"cudaLaunchKernelExC_ptsz", CALL_LAUNCH_EX, 0, 0, false},
  {"cudaGraphAddKernelNode", CALL_LAUNCH_NODE, 0, 0, false},
  {"cudaGraphKernelNodeSetParams", CALL_LAUNCH_NODE, 0, 0, false},
  {"cudaGraphExecKernelNodeSetParams", CALL_LAUNCH_NODE, 0, 0, false},
  {"cudaGraphAddNode", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cudaGraphAddNode_v2", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cudaGraphNodeSetParams", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cudaGraphExecNodeSetParams", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cuGraphAddKernelNode", CALL_LAUNCH_NODE, 0, 0, false},
  {"cuGraphAddKernelNode_v2", CALL_LAUNCH_NODE, 0, 0, false},
  {"cuGraphKernelNodeSetParams", CALL_LAUNCH_NODE, 0, 0, false},
  {"cuGraphKernelNodeSetParams_v2", CALL_LAUNCH_NODE, 0, 0, false},
  {"cuGraphExecKernelNodeSetParams", CALL_LAUNCH_NODE, 0, 0, false},
  {"cuGraphExecKernelNodeSetParams_v2", CALL_LAUNCH_NODE, 0, 0, false},
  {"cuGraphAddNode", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cuGraphAddNode_v2", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cuGraphNodeSetParams", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cuGraphExecNodeSetParams", CALL_LAUNCH_ANY_NODE, 0, 0, false},
  {"cuLaunchKernel", CALL_LAUNCH_DRIVER, 0, 0, false},
  {"cuLaunchKernel_ptsz", CALL_LAUNCH_DRIVER, 0, 0, false},
  {"cuLaunchCooperativeKernel", CALL_LAUNCH_DRIVER, 0, 0, false},
  {"cuLaunchCooperativeKernel_ptsz", CALL_LAUNCH_DRIVER, 0, 0, false},
  {"cuLaunchKernelEx", CALL_LAUNCH_DRIVER_EX, 0, 0, false},
  {"cuLaunchKernelEx_ptsz", CALL_LAUNCH_DRIVER_EX, 0, 0, false},
  // allocations
  {"cudaMalloc", CALL_ALLOCATE, 1, 0, true},
  {"cudaMallocManaged", CALL_ALLOCATE, 1, 0, true},
  {"cudaMallocHost", CALL_ALLOCATE, 1, 0, false},
  {"cudaHostAlloc", CALL_ALLOCATE, 1, 0, false},
  {"cudaMallocAsync", CALL_ALLOCATE, 1, 0, true},
  {"cudaMallocFromPoolAsync", CALL_ALLOCATE, 1, 0, true},
  {"cudaMallocPitch", CALL_ALLOCATE_PITCH, 2, 0, true},
  {"cudaMalloc3D", CALL_ALLOCATE_3D, 0, 0, true},
  {"__hgrd_max_potential_block_size", CALL_WRITES, 0, 3, false},
  {"cudaMallocArray", CALL_ALLOCATE_ARRAY, 0, 1, true},
  {"cudaMalloc3DArray", CALL_ALLOCATE_ARRAY, 0, 1, true},
  {"cudaMallocMipmappedArray", CALL_ALLOCATE_ARRAY, 0, 1, true},
  {"cuMemAlloc", CALL_ALLOCATE, 1, 0, true},
  {"cuMemAlloc_v2", CALL_ALLOCATE, 1, 0, true},
  {"cuMemAllocHost", CALL_ALLOCATE, 1, 0, false},
  {"cuMemAllocHost_v2", CALL_ALLOCATE, 1, 0, false},
  {"cuMemHostAlloc", CALL_ALLOCATE, 1, 0, false},
  {"posix_memalign", CALL_ALLOCATE, 2, 0, false},
  {"malloc", CALL_NEW, 0, 0, false},
  {"calloc", CALL_NEW_ZEROED, 0, 0, false},
  {"realloc", CALL_NEW, 1, 0, false},
  {"aligned_alloc", CALL_NEW, 1, 0, false},
  {"memalign", CALL_NEW, 1, 0, false},
  {"_Znwm", CALL_NEW, 0, 0, false},
  {"_Znam", CALL_NEW, 0, 0, false},
  {"_ZnwmSt11align_val_t", CALL_NEW, 0, 0, false},
  {"_ZnamSt11align_val_t", CALL_NEW, 0, 0, false},
  {"_ZnwmRKSt9nothrow_t", CALL_NEW, 0, 0, false},
  {"_ZnamRKSt9nothrow_t", CALL_NEW, 0, 0, false},
  // addresses
  {"cudaGetSymbolAddress", CALL_SYMBOL_ADDRESS, 0, 0, true},
  {"cudaHostGetDevicePointer", CALL_HOST_POINTER, 0, 0, true},
  // copies
  {"cudaMemcpy", CALL_COPY_LINEAR, 0, 0, false},
  {"cudaMemcpyAsync", CALL_COPY_LINEAR, 0, 0, false},
  {"cudaMemcpy2D", CALL_COPY_ROWS, 0, 0, false},
  {"cudaMemcpy2DAsync", CALL_COPY_ROWS, 0, 0, false},
  {"cudaMemcpyPeer", CALL_COPY, 0, 0, false},
  {"cudaMemcpyPeerAsync", CALL_COPY, 0, 0, false},
  {"cudaMemcpyFromSymbol", CALL_COPY_FROM_SYMBOL, 0, 0, false},
  {"cudaMemcpyFromSymbolAsync", CALL_COPY_FROM_SYMBOL, 0, 0, false},
  {"cudaMemcpyFromArray", CALL_COPY, 0, 0, false},
  {"cudaMemcpyToSymbol", CALL_COPY_SYMBOL, 0, 0, false},
  {"cudaMemcpyToSymbolAsync", CALL_COPY_SYMBOL, 0, 0, false},
  {"cudaMemcpyToArray", CALL_QUIET, 0, 0, false},
  {"cudaMemcpy2DToArray", CALL_QUIET, 0, 0, false},
  {"cudaMemset", CALL_FILL, 1, 0, false},
  {"cudaMemsetAsync", CALL_FILL, 1, 0, false},
  {"cuMemsetD8", CALL_FILL, 1, 0, false},
  {"cuMemsetD8_v2", CALL_FILL, 1, 0, false},
  {"cuMemsetD8Async", CALL_FILL, 1, 0, false},
  {"cuMemsetD16", CALL_FILL, 2, 0, false},
  {"cuMemsetD16_v2", CALL_FILL, 2, 0, false},
  {"cuMemsetD16Async", CALL_FILL, 2, 0, false},
  {"cuMemsetD32", CALL_FILL, 4, 0, false},
  {"cuMemsetD32_v2", CALL_FILL, 4, 0, false},
  {"cuMemsetD32Async", CALL_FILL, 4, 0, false},
  {"cudaMemset2D", CALL_COPY, 0, 0, false},
  {"cuMemcpyHtoD", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyHtoD_v2", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyHtoDAsync", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyHtoDAsync_v2", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoH", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoH_v2", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoHAsync", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoHAsync_v2", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoD", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoD_v2", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoDAsync", CALL_COPY_LINEAR, 0, 0, false},
  {"cuMemcpyDtoDAsync_v2", CALL_COPY_LINEAR, 0, 0, false},
  {"cuModuleGetFunction", CALL_WRITES, 8, 1, false},
  {"cuLibraryGetKernel", CALL_WRITES, 8, 1, false},
  {"cudaLibraryGetKernel", CALL_WRITES, 8, 1, false},
  {"cudaGetFuncBySymbol", CALL_WRITES, 8, 1, false},
  {"cudaGetKernel", CALL_WRITES, 8, 1, false},
  {"cuKernelGetFunction", CALL_WRITES, 8, 1, false},
  {"cuModuleGetGlobal", CALL_WRITES, 8, 3, false},
  {"cuModuleGetGlobal_v2", CALL_WRITES, 8, 3, false},
  {"cuLibraryGetGlobal", CALL_WRITES, 8, 3, false},
  {"cudaLibraryGetGlobal", CALL_WRITES, 8, 3, false},
  {"cuModuleLoad", CALL_WRITES, 8, 1, false},
  {"cuModuleLoadData", CALL_WRITES, 8, 1, false},
  {"cuModuleLoadDataEx", CALL_WRITES, 0, 1, false},
  {"cuInit", CALL_QUIET, 0, 0, false},
  {"cuDeviceGet", CALL_WRITES, 4, 1, false},
  {"cuDeviceGetCount", CALL_WRITES, 4, 1, false},
  {"cudaCreateTextureObject", CALL_WRITES, 8, 1, false},
  {"cudaCreateSurfaceObject", CALL_WRITES, 8, 1, false},
  {"cuTexObjectCreate", CALL_WRITES, 8, 1, false},
  {"cuSurfObjectCreate", CALL_WRITES, 8, 1, false},
  {"cudaStreamCreate", CALL_WRITES, 8, 1, false},
  {"cudaStreamCreateWithFlags", CALL_WRITES, 8, 1, false},
  {"cudaStreamCreateWithPriority", CALL_WRITES, 8, 1, false},
  {"cudaEventCreate", CALL_WRITES, 8, 1, false},
  {"cudaEventCreateWithFlags", CALL_WRITES, 8, 1, false},
  {"cuCtxCreate", CALL_WRITES, 8, 1, false},
  {"cuCtxCreate_v2", CALL_WRITES, 8, 1, false},
  {"cudaGetDevice", CALL_WRITES, 4, 1, false},
  {"cudaGetDeviceCount", CALL_WRITES, 4, 1, false},
  {"cudaDeviceGetAttribute", CALL_WRITES, 4, 1, false},
  {"cudaDriverGetVersion", CALL_WRITES, 4, 1, false},
  {"cudaRuntimeGetVersion", CALL_WRITES, 4, 1, false},
  {"cudaDeviceGetStreamPriorityRange", CALL_WRITES, 4, 3, false},
  {"cudaEventElapsedTime", CALL_WRITES, 4, 1, false},
  {"cudaMemGetInfo", CALL_WRITES, 8, 3, false},
  {"cudaGraphCreate", CALL_WRITES, 8, 1, false},
  {"cudaStreamEndCapture", CALL_WRITES, 8, 2, false},
  {"cublasCreate_v2", CALL_WRITES, 8, 1, false},
  {"cuCtxSynchronize", CALL_QUIET, 0, 0, false},
  {"cuStreamCreate", CALL_WRITES, 8, 1, false},
  {"cuStreamSynchronize", CALL_QUIET, 0, 0, false},
  {"cudaPointerGetAttributes", CALL_WRITES, 0, 1, false},
  {"cudaMemRangeGetAttribute", CALL_WRITES, 0, 1, false},
  {"cudaIpcGetMemHandle", CALL_WRITES, 64, 1, false},
  {"cudaStreamAttachMemAsync", CALL_QUIET, 0, 0, false},
  {"cudaHostRegister", CALL_QUIET, 0, 0, false},
  {"cudaHostUnregister", CALL_QUIET, 0, 0, false},
  {"cuMemFree", CALL_QUIET, 0, 0, false},
  {"cuMemFree_v2", CALL_QUIET, 0, 0, false},
  {"cuMemFreeAsync", CALL_QUIET, 0, 0, false},
  {"cuMemFreeHost", CALL_QUIET, 0, 0, false},
  {"cuMemPrefetchAsync", CALL_QUIET, 0, 0, false},
  {"cudaMemPrefetchAsync", CALL_QUIET, 0, 0, false},
  {"cudaMemAdvise", CALL_QUIET, 0, 0, false},
  {"cudaFree", CALL_QUIET, 0, 0, false},
  {"cudaFreeHost", CALL_QUIET, 0, 0, false},
  {"cudaFreeAsync", CALL_QUIET, 0, 0, false},
  {"cudaDeviceSynchronize", CALL_QUIET, 0, 0, false},
  {"cudaThreadSynchronize", CALL_QUIET, 0, 0, false},
  {"cudaStreamSynchronize", CALL_QUIET, 0, 0, false},
  {"cudaEventRecord", CALL_QUIET, 0, 0, false},
  {"cudaEventSynchronize", CALL_QUIET, 0, 0, false},
  {"cudaGetLastError", CALL_QUIET, 0, 0, false},
  {"cudaPeekAtLastError", CALL_QUIET, 0, 0, false},
  {"cudaGetErrorString", CALL_QUIET, 0, 0, false},
  {"cudaSetDevice", CALL_QUIET, 0, 0, false},
  {"cudaLaunchHostFunc", CALL_UNKNOWN, 0, 0, false},
  {"cuLaunchHostFunc", CALL_UNKNOWN, 0, 0, false},
  {"cudaStreamAddCallback", CALL_UNKNOWN, 0, 0, false},
  {"cudaGraphAddHostNode", CALL_UNKNOWN, 0, 0, false}, // what it is given runs later
  {"cudaGraphHostNodeSetParams", CALL_UNKNOWN, 0, 0, false},
  {"cudaGraphExecHostNodeSetParams", CALL_UNKNOWN, 0, 0, false},
  {"cuGraphAddHostNode", CALL_UNKNOWN, 0, 0, false},
  {"cuGraphHostNodeSetParams", CALL_UNKNOWN, 0, 0, false},
  {"cuGraphExecHostNodeSetParams", CALL_UNKNOWN, 0, 0, false},
  {"cudaUserObjectCreate", CALL_UNKNOWN, 0, 0, false},
  {"cuUserObjectCreate", CALL_UNKNOWN, 0, 0, false},
  {"cudaFuncSetAttribute", CALL_QUIET, 0, 0, false},
  {"memcpy", CALL_COPY_PLAIN, 0, 0, false},
  {"memmove", CALL_COPY_PLAIN, 0, 0, false},
  // do not return
  {"abort", CALL_STOPS, 0, 0, false},
  {"exit", CALL_STOPS, 0, 0, false},
  {"_exit", CALL_STOPS, 0, 0, false},
  {"_Exit", CALL_STOPS, 0, 0, false},
  {"quick_exit", CALL_STOPS, 0, 0, false},
  {"__assert_fail", CALL_STOPS, 0, 0, false},
  {"__assert_rtn", CALL_STOPS, 0, 0, false},
  {"__cxa_throw", CALL_STOPS, 0, 0, false},
  {"__cxa_rethrow", CALL_STOPS, 0, 0, false},
  {"__clang_call_terminate", CALL_STOPS, 0, 0, false},
  {"_Unwind_Resume", CALL_STOPS, 0, 0, false},
  {"_ZSt9terminatev", CALL_STOPS, 0, 0, false},
  {"llvm.assume", CALL_ASSUME, 0, 0, false},
  {"__hgrd_in_array", CALL_ASSUME, 0, 0, false},
  {"__hgrd_contents_count", CALL_QUIET, 0, 0, false},
  {"__hgrd_hands_code", CALL_QUIET, 0, 0, false},
  {"__hgrd_contents_size", CALL_WRITES, 8, 1, false},
  // write through some arguments
  {"scanf", CALL_WRITES, 0, ALL & ~1u, false},
  {"__isoc99_scanf", CALL_WRITES, 0, ALL & ~1u, false},
  {"__isoc23_scanf", CALL_WRITES, 0, ALL & ~1u, false},
  {"sscanf", CALL_WRITES, 0, ALL & ~3u, false},
  {"__isoc99_sscanf", CALL_WRITES, 0, ALL & ~3u, false},
  {"__isoc23_sscanf", CALL_WRITES, 0, ALL & ~3u, false},
  {"fscanf", CALL_WRITES, 0, ALL & ~3u, false},
  {"__isoc99_fscanf", CALL_WRITES, 0, ALL & ~3u, false},
  {"__isoc23_fscanf", CALL_WRITES, 0, ALL & ~3u, false},
  {"fread", CALL_WRITES, 0, 1, false},
  {"read", CALL_WRITES, 0, 2, false},
  {"fgets", CALL_WRITES, 0, 1, false},
  {"getline", CALL_WRITES, 8, 3, false},
  {"sprintf", CALL_WRITES, 0, 1, false},
  {"snprintf", CALL_WRITES, 0, 1, false},
  {"vsnprintf", CALL_WRITES, 0, 1, false},
  {"strcpy", CALL_WRITES, 0, 1, false},
  {"strncpy", CALL_WRITES, 0, 1, false},
  {"strcat", CALL_WRITES, 0, 1, false},
  {"strncat", CALL_WRITES, 0, 1, false},
  {"memset", CALL_WRITES, 0, 1, false},
  {"bzero", CALL_WRITES, 0, 1, false},
  {"gettimeofday", CALL_WRITES, 16, 3, false},
  {"clock_gettime", CALL_WRITES, 16, 2, false},
  {"time", CALL_WRITES, 8, 1, false},
  {"ftime", CALL_WRITES, 16, 1, false},
  {"strtol", CALL_WRITES, 8, 2, false},
  {"strtoul", CALL_WRITES, 8, 2, false},
  {"strtoll", CALL_WRITES, 8, 2, false},
  {"strtoull", CALL_WRITES, 8, 2, false},
  {"strtof", CALL_WRITES, 8, 2, false},
  {"strtod", CALL_WRITES, 8, 2, false},
  {"__isoc23_strtol", CALL_WRITES, 8, 2, false},
  {"__isoc23_strtoul", CALL_WRITES, 8, 2, false},
  {"__isoc23_strtoll", CALL_WRITES, 8, 2, false},
  {"__isoc23_strtoull", CALL_WRITES, 8, 2, false},
  {"frexp", CALL_WRITES, 4, 2, false},
  {"frexpf", CALL_WRITES, 4, 2, false},
  {"modf", CALL_WRITES, 8, 2, false},
  {"modff", CALL_WRITES, 4, 2, false},
  {"sincos", CALL_WRITES, 8, 6, false},
  {"sincosf", CALL_WRITES, 4, 6, false},
  {"rand_r", CALL_WRITES, 4, 1, false},
  // MPI as the standard says: what is being received may not be looked at before it has come, so that it counts as
  // written where the receipt begins. Calls that write at another time (started again, one-sided) are not here.
  {"MPI_Init", CALL_WRITES, 0, ALL, false},
  {"MPI_Init_thread", CALL_WRITES, 0, ALL, false},
  {"MPI_Initialized", CALL_WRITES, 4, 1, false},
  {"MPI_Finalized", CALL_WRITES, 4, 1, false},
  {"MPI_Query_thread", CALL_WRITES, 4, 1, false},
  {"MPI_Finalize", CALL_QUIET, 0, 0, false},
  {"MPI_Barrier", CALL_QUIET, 0, 0, false},
  {"MPI_Wtime", CALL_QUIET, 0, 0, false},
  {"MPI_Wtick", CALL_QUIET, 0, 0, false},
  {"MPI_Send", CALL_QUIET, 0, 0, false},
  {"MPI_Ssend", CALL_QUIET, 0, 0, false},
  {"MPI_Rsend", CALL_QUIET, 0, 0, false},
  {"MPI_Bsend", CALL_QUIET, 0, 0, false},
  {"MPI_Pcontrol", CALL_QUIET, 0, 0, false},
  {"MPI_Free_mem", CALL_QUIET, 0, 0, false},
  {"MPI_Comm_rank", CALL_WRITES, 4, 2, false},
  {"MPI_Comm_size", CALL_WRITES, 4, 2, false},
  {"MPI_Comm_group", CALL_WRITES, 0, ALL, false},
  {"MPI_Group_size", CALL_WRITES, 0, ALL, false},
  {"MPI_Group_rank", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_size", CALL_WRITES, 0, ALL, false},
  {"MPI_Op_free", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_commit", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_free", CALL_WRITES, 0, ALL, false},
  {"MPI_Comm_free", CALL_WRITES, 0, ALL, false},
  {"MPI_Group_free", CALL_WRITES, 0, ALL, false},
  {"MPI_Comm_dup", CALL_WRITES, 0, ALL, false},
  {"MPI_Comm_split", CALL_WRITES, 0, ALL, false},
  {"MPI_Comm_split_type", CALL_WRITES, 0, ALL, false},
  {"MPI_Comm_create", CALL_WRITES, 0, ALL, false},
  {"MPI_Cart_create", CALL_WRITES, 0, ALL, false},
  {"MPI_Cart_coords", CALL_WRITES, 0, ALL, false},
  {"MPI_Cart_rank", CALL_WRITES, 0, ALL, false},
  {"MPI_Cart_shift", CALL_WRITES, 0, ALL, false},
  {"MPI_Cart_sub", CALL_WRITES, 0, ALL, false},
  {"MPI_Cart_get", CALL_WRITES, 0, ALL, false},
  {"MPI_Dims_create", CALL_WRITES, 0, ALL, false},
  {"MPI_Get_processor_name", CALL_WRITES, 0, ALL, false},
  {"MPI_Get_count", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_contiguous", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_vector", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_create_subarray", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_create_struct", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_indexed", CALL_WRITES, 0, ALL, false},
  {"MPI_Type_create_resized", CALL_WRITES, 0, ALL, false},
  {"MPI_Isend", CALL_WRITES, 0, 0x40, false},
  {"MPI_Issend", CALL_WRITES, 0, 0x40, false},
  {"MPI_Irsend", CALL_WRITES, 0, 0x40, false},
  {"MPI_Recv", CALL_WRITES, 0, 0x41, false},
  {"MPI_Irecv", CALL_WRITES, 0, 0x41, false},
  {"MPI_Sendrecv", CALL_WRITES, 0, 0x820, false},
  {"MPI_Sendrecv_replace", CALL_WRITES, 0, 0x101, false},
  {"MPI_Wait", CALL_WRITES, 0, ALL, false},
  {"MPI_Waitall", CALL_WRITES, 0, ALL, false},
  {"MPI_Waitany", CALL_WRITES, 0, ALL, false},
  {"MPI_Waitsome", CALL_WRITES, 0, ALL, false},
  {"MPI_Test", CALL_WRITES, 0, ALL, false},
  {"MPI_Testall", CALL_WRITES, 0, ALL, false},
  {"MPI_Testany", CALL_WRITES, 0, ALL, false},
  {"MPI_Probe", CALL_WRITES, 0, ALL, false},
  {"MPI_Iprobe", CALL_WRITES, 0, ALL, false},
  {"MPI_Request_free", CALL_WRITES, 0, ALL, false},
  {"MPI_Ibarrier", CALL_WRITES, 0, ALL, false},
  {"MPI_Bcast", CALL_WRITES, 0, 1, false},
  {"MPI_Ibcast", CALL_WRITES, 0, 0x21, false},
  {"MPI_Reduce", CALL_WRITES, 0, 2, false}, // these with the operations of MPI itself: host_call_may_run_program
  {"MPI_Allreduce", CALL_WRITES, 0, 2, false},
  {"MPI_Reduce_scatter", CALL_WRITES, 0, 2, false},
  {"MPI_Reduce_scatter_block", CALL_WRITES, 0, 2, false},
  {"MPI_Scan", CALL_WRITES, 0, 2, false},
  {"MPI_Exscan", CALL_WRITES, 0, 2, false},
  {"MPI_Iallreduce", CALL_WRITES, 0, 0x42, false},
  {"MPI_Gather", CALL_WRITES, 0, 8, false},
  {"MPI_Gatherv", CALL_WRITES, 0, 8, false},
  {"MPI_Allgather", CALL_WRITES, 0, 8, false},
  {"MPI_Allgatherv", CALL_WRITES, 0, 8, false},
  {"MPI_Scatter", CALL_WRITES, 0, 8, false},
  {"MPI_Alltoall", CALL_WRITES, 0, 8, false},
  {"MPI_Scatterv", CALL_WRITES, 0, 0x10, false},
  {"MPI_Alltoallv", CALL_WRITES, 0, 0x10, false},
  // write nothing that is read back
  {"printf", CALL_QUIET, 0, 0, false},
  {"fprintf", CALL_QUIET, 0, 0, false},
  {"vprintf", CALL_QUIET, 0, 0, false},
  {"vfprintf", CALL_QUIET, 0, 0, false},
  {"puts", CALL_QUIET, 0, 0, false},
  {"fputs", CALL_QUIET, 0, 0, false},
  {"putchar", CALL_QUIET, 0, 0, false},
  {"putc", CALL_QUIET, 0, 0, false},
  {"fputc", CALL_QUIET, 0, 0, false},
  {"perror", CALL_QUIET, 0, 0, false},
  {"fflush", CALL_QUIET, 0, 0, false},
  {"fwrite", CALL_QUIET, 0, 0, false},
  {"write", CALL_QUIET, 0, 0, false},
  {"fopen", CALL_QUIET, 0, 0, false},
  {"fopen64", CALL_QUIET, 0, 0, false},
  {"fclose", CALL_QUIET, 0, 0, false},
  {"fseek", CALL_QUIET, 0, 0, false},
  {"ftell", CALL_QUIET, 0, 0, false},
  {"rewind", CALL_QUIET, 0, 0, false},
  {"feof", CALL_QUIET, 0, 0, false},
  {"fgetc", CALL_QUIET, 0, 0, false},
  {"getc", CALL_QUIET, 0, 0, false},
  {"getchar", CALL_QUIET, 0, 0, false},
  {"free", CALL_QUIET, 0, 0, false},
  {"atoi", CALL_QUIET, 0, 0, false},
  {"atol", CALL_QUIET, 0, 0, false},
  {"atoll", CALL_QUIET, 0, 0, false},
  {"atof", CALL_QUIET, 0, 0, false},
  {"strlen", CALL_QUIET, 0, 0, false},
  {"strcmp", CALL_QUIET, 0, 0, false},
  {"strncmp", CALL_QUIET, 0, 0, false},
  {"strcasecmp", CALL_QUIET, 0, 0, false},
  {"strncasecmp", CALL_QUIET, 0, 0, false},
  {"strchr", CALL_QUIET, 0, 0, false},
  {"strrchr", CALL_QUIET, 0, 0, false},
  {"strstr", CALL_QUIET, 0, 0, false},
  {"memcmp", CALL_QUIET, 0, 0, false},
  {"bcmp", CALL_QUIET, 0, 0, false},
  {"getenv", CALL_QUIET, 0, 0, false},
  {"rand", CALL_QUIET, 0, 0, false},
  {"srand", CALL_QUIET, 0, 0, false},
  {"random", CALL_QUIET, 0, 0, false},
  {"srandom", CALL_QUIET, 0, 0, false},
  {"drand48", CALL_QUIET, 0, 0, false},
  {"srand48", CALL_QUIET, 0, 0, false},
  {"lrand48", CALL_QUIET, 0, 0, false},
  {"clock", CALL_QUIET, 0, 0, false},
  {"usleep", CALL_QUIET, 0, 0, false},
  {"sleep", CALL_QUIET, 0, 0, false},
  {"omp_get_wtime", CALL_QUIET, 0, 0, false},
  {"omp_get_max_threads", CALL_QUIET, 0, 0, false},
  {"omp_get_thread_num", CALL_QUIET, 0, 0, false},
  {"__errno_location", CALL_QUIET, 0, 0, false},
  {"__cxa_allocate_exception", CALL_QUIET, 0, 0, false},
  {"__cxa_free_exception", CALL_QUIET, 0, 0, false},
  {"__cxa_begin_catch", CALL_QUIET, 0, 0, false},
  {"__cxa_end_catch", CALL_QUIET, 0, 0, false},
  {"__cxa_guard_acquire", CALL_QUIET, 0, 0, false},
  {"__cxa_guard_release", CALL_QUIET, 0, 0, false},
  {"__cxa_atexit", CALL_QUIET, 0, 0, false},
  {"atexit", CALL_QUIET, 0, 0, false},
  {"__gxx_personality_v0", CALL_QUIET, 0, 0, false},
};

// First match counts. `outputs` ALL: what a pointer argument points to may change, nothing else.
static const HostCall prefixes[] = {
  {"llvm.dbg.", CALL_QUIET, 0, 0, false},
  {"llvm.lifetime.", CALL_QUIET, 0, 0, false},
  {"llvm.", CALL_WRITES, 0, ALL, false},
  {"_ZSt17__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt16__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt18__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt19__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt20__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt24__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt25__throw_", CALL_STOPS, 0, 0, false},
  {"_ZSt28__throw_", CALL_STOPS, 0, 0, false},
  {"_Zdl", CALL_QUIET, 0, 0, false},   // operator delete
  {"_Zda", CALL_QUIET, 0, 0, false},
  {"_ZNSo", CALL_QUIET, 0, 0, false},  // std::ostream
  {"_ZStls", CALL_QUIET, 0, 0, false}, // operator<<
  {"_ZSt4endl", CALL_QUIET, 0, 0, false},
  {"_ZSt16__ostream_insert", CALL_QUIET, 0, 0, false},
  {"_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4copyE", CALL_WRITES, 0, 2, false}, // into an array
  {"_ZNKSt", CALL_QUIET, 0, 0, false}, // const members of std classes
  {"_ZNSt6chrono", CALL_QUIET, 0, 0, false},
  {"_ZNSt8ios_base", CALL_QUIET, 0, 0, false},
  {"_ZNSt6thread", CALL_UNKNOWN, 0, 0, false}, // other threads may write what they were given
  {"_ZNSt13__future_base", CALL_UNKNOWN, 0, 0, false},
  {"_ZNSt18condition_variable", CALL_UNKNOWN, 0, 0, false},
  {"_ZNSt7__cxx1112basic_stringI", CALL_WRITES, 32, ALL, false}, // strings, into each other, and what they own
  {"_ZSt7getlineI", CALL_WRITES, 32, ALL, false},
  {"_ZNSt", CALL_WRITES, 0, ALL, false}, // other members and functions of std
  {"_ZSt", CALL_WRITES, 0, ALL, false},
  {"_ZNSi", CALL_WRITES, 0, ALL, false}, // std::istream
  {"_ZNSs", CALL_WRITES, 0, ALL, false},
};

// CUDA libraries, by the identifier: outputs stand in pointer arguments.
static const HostCall cuda_prefixes[] = {
  {"__cuda", CALL_WRITES, 0, ALL, false},
  {"cudaGraphLaunch", CALL_WRITES_FAR, 0, 0, false}, // whatever was captured
  {"cuGraphLaunch", CALL_WRITES_FAR, 0, 0, false},
  {"cuGraph", CALL_WRITES, 0, ALL, false},
  {"cuFunc", CALL_WRITES, 0, ALL, false}, // asks about kernels, and sets them up
  {"cuKernel", CALL_WRITES, 0, ALL, false},
  {"cuOccupancy", CALL_WRITES, 0, ALL, false},
  {"cudaLaunch", CALL_LAUNCH_BLIND, 0, 0, false}, // other launches: of several devices, of old programs
  {"cuLaunch", CALL_LAUNCH_BLIND, 0, 0, false},
  {"cudaMemcpy3D", CALL_WRITES_FAR, 0, 0, false},    // a struct says where
  {"cudaMemset3D", CALL_WRITES_FAR, 0, 0, false},
  {"cudaMemcpyBatch", CALL_WRITES_FAR, 0, 0, false},
  {"cuda", CALL_WRITES, 0, ALL, false},
  {"cublas", CALL_WRITES, 0, ALL, false},
  {"cusparse", CALL_WRITES_FAR, 0, ALL, false}, // through descriptors
  {"curand", CALL_WRITES, 0, ALL, false},
  {"cufft", CALL_WRITES, 0, ALL, false},
  {"nvtx", CALL_QUIET, 0, 0, false},
};
// clang-format on

bool host_call_is_natural(const char *name) {
  ASSERT(name);
  static const char *const naturals[] = {"rand",    "rand_r", "random",
                                         "lrand48", "strlen", "__hgrd_contents_count"};
  for (uint32_t i = 0; i < sizeof naturals / sizeof *naturals; i++)
    if (strcmp(name, naturals[i]) == 0) return true;
  // The length of a string.
  return str_starts_with(name, "_ZNKSt7__cxx1112basic_stringI") &&
         (str_ends_with(name, "E4sizeEv") || str_ends_with(name, "E6lengthEv"));
}

static const HostCall unknown_call = {"", CALL_UNKNOWN, 0, 0, false};
static const HostCall library_call = {HOST_CONTENTS_PREFIX, CALL_LIBRARY, 0, 1, false};
static const HostCall stub_call = {"__device_stub__", CALL_STUB, 0, 0, false};
enum { TABLE_COUNT = sizeof table / sizeof *table };

const char *host_base_name(const char *name, size_t *length) {
  ASSERT(name);
  *length = strlen(name);
  if (!str_starts_with(name, "_Z")) return name;
  const char *at = name + 2;
  if (*at == 'L') at++;
  if (!isdigit((unsigned char)*at)) return name;
  size_t count = 0;
  while (isdigit((unsigned char)*at))
    count = count * 10 + (size_t)(*at++ - '0');
  if (count > strlen(at)) return name;
  *length = count;
  return at;
}

const char *host_stub_kernel(const char *name, Arena *arena) {
  ASSERT(name);
  static const char prefix[] = "__device_stub__";
  enum { PREFIX = sizeof prefix - 1 };
  if (str_starts_with(name, prefix)) return name[PREFIX] ? arena_strdup(arena, name + PREFIX) : NULL;
  const char *stub = strstr(name, prefix);
  if (!stub || !str_starts_with(name, "_Z")) return NULL;
  const char *digits = stub;
  while (digits > name && isdigit((unsigned char)digits[-1]))
    digits--;
  unsigned count = 0;
  for (const char *at = digits; at < stub; at++)
    count = count * 10 + (unsigned)(*at - '0');
  if (count <= PREFIX) return NULL;
  return arena_printf(arena, "%.*s%u%s", (int)(digits - name), name, count - PREFIX, stub + PREFIX);
}

static bool same_name(const char *name, size_t length, const char *known) {
  return strncmp(name, known, length) == 0 && known[length] == '\0';
}

const HostCall *host_call_by_name(const char *name) {
  ASSERT(name);
  if (strstr(name, "__device_stub__")) return &stub_call;
  size_t length = 0;
  const char *base = host_base_name(name, &length);
  bool is_cuda = strncmp(base, "cuda", 4) == 0 || strncmp(base, "__cuda", 6) == 0;
  for (uint32_t i = 0; i < TABLE_COUNT; i++)
    if (strcmp(name, table[i].name) == 0 || (is_cuda && same_name(base, length, table[i].name)))
      return &table[i];
  if (str_starts_with(name, HOST_CONTENTS_PREFIX)) return &library_call;
  for (uint32_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (str_starts_with(name, prefixes[i].name)) return &prefixes[i];
  for (uint32_t i = 0; i < sizeof cuda_prefixes / sizeof *cuda_prefixes; i++)
    if (strncmp(base, cuda_prefixes[i].name, strlen(cuda_prefixes[i].name)) == 0) return &cuda_prefixes[i];
  return &unknown_call;
}

bool host_call_is_node(HostCallKind kind) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  return kind == CALL_LAUNCH_NODE || kind == CALL_LAUNCH_ANY_NODE;
}

bool host_call_is_launch(HostCallKind kind) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  return host_call_class(kind) == CLASS_LAUNCHES || host_call_is_node(kind);
}

bool host_call_may_run_program(const HostCall *call) {
  ASSERT(call->name);
  return str_starts_with(call->name, "MPI_") && (strstr(call->name, "educe") || strstr(call->name, "can"));
}

bool host_call_launches_graph(const HostCall *call) {
  ASSERT(call->name);
  return strcmp(call->name, "cudaGraphLaunch") == 0 || strcmp(call->name, "cuGraphLaunch") == 0;
}

bool host_call_works_later(const char *name, HostCallKind kind) {
  if (kind == CALL_WRITES_FAR || kind == CALL_UNKNOWN) return true;
  if (host_call_class(kind) != CLASS_OUTPUTS || kind == CALL_LAUNCH_NODE) return false;
  return name && (strstr(name, "Async") || strstr(name, "Graph"));
}

bool host_call_hands_back(const char *name, const IrInst *call, uint32_t operand) {
  ASSERT(call->op == IR_CALL);
  bool is_through_stream = operand > 0 && host_call_gives_stream(name);
  if (call->type.kind == IR_PTR || call->type.kind == IR_BYTES) return !is_through_stream;
  // Where the number ends, unless nobody asks.
  bool is_number = name && (str_starts_with(name, "strto") || str_starts_with(name, "__isoc23_strto"));
  return is_number && operand == 0 && call->op_count > 1 && ir_ref_kind(call->ops[1]) != IR_REF_CONST;
}

// What reads from a stream or writes to one returns it: `std::cout << name << n`.
bool host_call_gives_stream(const char *name) {
  static const char *const streams[] = {
      "_ZNSo", "_ZStls", "_ZNSi", "_ZStrs", "_ZSt4endl", "_ZSt7getlineI", "_ZSt16__ostream_insert"};
  for (size_t i = 0; name && i < sizeof streams / sizeof *streams; i++)
    if (str_starts_with(name, streams[i])) return true;
  return false;
}

HostCallClass host_call_class(HostCallKind kind) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  switch (kind) {
  case CALL_UNKNOWN: break;
  case CALL_DEFINED: return CLASS_DEFINED;
  case CALL_QUIET:
  case CALL_STOPS:
  case CALL_ASSUME:
  case CALL_PUSH:
  case CALL_NEW:
  case CALL_NEW_ZEROED: return CLASS_QUIET;
  case CALL_STUB:
  case CALL_LAUNCH:
  case CALL_LAUNCH_COOPERATIVE:
  case CALL_LAUNCH_EX:
  case CALL_LAUNCH_DRIVER:
  case CALL_LAUNCH_DRIVER_EX:
  case CALL_LAUNCH_BLIND: return CLASS_LAUNCHES;
  case CALL_ALLOCATE:
  case CALL_ALLOCATE_PITCH:
  case CALL_ALLOCATE_3D:
  case CALL_SYMBOL_ADDRESS:
  case CALL_HOST_POINTER: return CLASS_ALLOCATES;
  case CALL_WRITES:
  case CALL_WRITES_FAR:
  case CALL_ALLOCATE_ARRAY:
  case CALL_LAUNCH_NODE:
  case CALL_LAUNCH_ANY_NODE:
  case CALL_COPY:
  case CALL_COPY_LINEAR:
  case CALL_COPY_ROWS:
  case CALL_COPY_SYMBOL:
  case CALL_COPY_FROM_SYMBOL:
  case CALL_FILL:
  case CALL_LIBRARY:
  case CALL_COPY_PLAIN: return CLASS_OUTPUTS;
  }
  return CLASS_UNKNOWN;
}

uint32_t host_call_outputs(const HostCall *call) {
  ASSERT(call->name);
  bool is_listed =
      call->kind == CALL_WRITES || call->kind == CALL_WRITES_FAR || call->kind == CALL_ALLOCATE_ARRAY;
  return is_listed ? call->outputs : 1;
}

bool host_gives_variable(const char *name) {
  ASSERT(name);
  static const char *const names[] = {"cuModuleGetGlobal", "cuModuleGetGlobal_v2", "cuLibraryGetGlobal",
                                      "cudaLibraryGetGlobal"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

bool host_gives_kernel(const char *name) {
  ASSERT(name);
  static const char *const names[] = {"cuModuleGetFunction", "cuLibraryGetKernel", "cudaLibraryGetKernel"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}
