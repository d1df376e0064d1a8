// Streams, events, calls of the host; graphs made by hand and captured, launched more than once, updated; and the wrong uses of each.
// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "rt_fake_machine.h"

static int *counter, amount = 1;
static void *arguments[] = {&counter, &amount};
static const dim3 one = {1, 1, 1};

static void note(void *data) {
  ++*(int *)data;
}

static void note_status(cudaStream_t stream, cudaError_t status, void *data) {
  if (stream && status == cudaSuccess) ++*(int *)data;
}

static void test_streams(void) {
  cudaStream_t stream = NULL;
  int calls = 0, priority = 1;
  CHECK_FINE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -9));
  CHECK_FINE(cudaStreamGetPriority(stream, &priority));
  CHECK(priority == -5);
  CHECK_FINE(cudaLaunchHostFunc(stream, note, &calls));
  CHECK_FINE(cudaStreamAddCallback(stream, note_status, &calls, 0));
  CHECK(calls == 2);
  CHECK_FINE(cudaStreamQuery(stream));
  CHECK_FINE(cudaStreamSynchronize(cudaStreamPerThread));
  CHECK_FINE(cudaStreamDestroy(stream));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaLaunchHostFunc(stream, note, &calls));
  CHECK_ERROR(cudaErrorInvalidResourceHandle,
              cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK(calls == 2 && *counter == 0);
}

static void test_events(void) {
  cudaEvent_t start = NULL, end = NULL, untimed = NULL;
  float ms = -1;
  CHECK_FINE(cudaEventCreate(&start));
  CHECK_FINE(cudaEventCreate(&end));
  CHECK_FINE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CHECK_FINE(cudaEventRecord(start, NULL));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, end));
  CHECK_FINE(cudaEventRecord(end, NULL));
  CHECK_FINE(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms >= 0);
  CHECK_FINE(cudaEventRecord(untimed, NULL));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
  CHECK_FINE(cudaEventDestroy(end));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventQuery(end));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventRecord(end, NULL));
}

static void test_graph(void) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  cudaGraphNode_t add = NULL, clear = NULL, call = NULL;
  int calls = 0;
  size_t count = 0;
  struct cudaKernelNodeParams kernel = {
      .func = &fake_add_stub, .gridDim = one, .blockDim = one, .kernelParams = arguments};
  struct cudaMemsetParams fill = {.dst = counter, .value = 40, .elementSize = 4, .width = 1, .height = 1};
  struct cudaHostNodeParams host = {note, &calls};
  CHECK_FINE(cudaGraphCreate(&graph, 0));
  CHECK_FINE(cudaGraphAddKernelNode(&add, graph, NULL, 0, &kernel));
  CHECK_FINE(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &fill));
  CHECK_FINE(cudaGraphAddHostNode(&call, graph, &add, 1, &host));
  CHECK_FINE(cudaGraphAddDependencies(graph, &clear, &add, 1)); // made later, done earlier
  CHECK_FINE(cudaGraphGetRootNodes(graph, NULL, &count));
  CHECK(count == 1);
  CHECK_FINE(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK(*counter == 0);
  amount = 100; // the node has kept 1
  CHECK_FINE(cudaGraphLaunch(exec, NULL));
  CHECK_FINE(cudaGraphLaunch(exec, NULL));
  CHECK(*counter == 41 && calls == 2);
  CHECK_FINE(cudaGraphExecKernelNodeSetParams(exec, add, &kernel));
  CHECK_FINE(cudaGraphLaunch(exec, NULL));
  CHECK(*counter == 140);
  CHECK_FINE(cudaGraphAddDependencies(graph, &call, &clear, 1)); // a circle
  cudaGraphExec_t other = NULL;
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(&other, graph, 0));
  fill.width = 2;
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &fill));
  kernel.blockDim.x = 2000;
  CHECK_ERROR(cudaErrorInvalidConfiguration, cudaGraphAddKernelNode(&add, graph, NULL, 0, &kernel));
  CHECK_FINE(cudaGraphExecDestroy(exec));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphLaunch(exec, NULL));
  CHECK_FINE(cudaGraphDestroy(graph));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(graph));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphAddHostNode(&call, graph, NULL, 0, &host));
  *counter = 0;
  amount = 1;
}

static void test_capture(void) {
  cudaStream_t stream = NULL, second = NULL;
  cudaEvent_t fork = NULL, join = NULL;
  cudaGraph_t graph = NULL;
  enum cudaStreamCaptureStatus status;
  CHECK_FINE(cudaStreamCreate(&stream));
  CHECK_FINE(cudaStreamCreate(&second));
  CHECK_FINE(cudaEventCreate(&fork));
  CHECK_FINE(cudaEventCreate(&join));
  CHECK_ERROR(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
  CHECK_FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_FINE(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK_FINE(cudaMemsetAsync(counter, 0, 4, stream));
  CHECK_FINE(cudaEventRecord(fork, stream));
  CHECK_FINE(cudaStreamWaitEvent(second, fork, 0));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, second));
  CHECK_FINE(cudaEventRecord(join, second));
  CHECK_FINE(cudaStreamWaitEvent(stream, join, 0));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK_ERROR(cudaErrorCapturedEvent, cudaEventSynchronize(join));
  CHECK_ERROR(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(second, &graph));
  CHECK_FINE(cudaStreamEndCapture(stream, &graph));
  CHECK_ERROR(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  CHECK(*counter == 0);
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, second)); // it has left the capture
  CHECK(*counter == 1);
}

static void test_captured(void) {
  cudaStream_t stream = NULL;
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  cudaGraphExecUpdateResultInfo info;
  size_t count = 0;
  *counter = 0;
  CHECK_FINE(cudaStreamCreate(&stream));
  CHECK_FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK_FINE(cudaStreamEndCapture(stream, &graph));
  CHECK_FINE(cudaGraphGetNodes(graph, NULL, &count));
  CHECK(count == 2);
  CHECK_FINE(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK_FINE(cudaGraphLaunch(exec, stream));
  CHECK_FINE(cudaGraphLaunch(exec, stream));
  CHECK(*counter == 4);
  amount = 10;
  CHECK_FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK_FINE(cudaStreamEndCapture(stream, &graph));
  CHECK_FINE(cudaGraphExecUpdate(exec, graph, &info));
  CHECK_FINE(cudaGraphLaunch(exec, stream));
  CHECK(*counter == 24 && info.result == cudaGraphExecUpdateSuccess);
  CHECK_FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_FINE(cudaLaunchKernel(&fake_add_stub, one, one, arguments, 0, stream));
  CHECK_ERROR(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  CHECK_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  CHECK(graph == NULL);
  CHECK_FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_FINE(cudaStreamEndCapture(stream, &graph));
  CHECK_ERROR(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, &info));
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
}

int main(void) {
  fake_register();
  CHECK_FINE(cudaMallocManaged((void **)&counter, sizeof *counter, cudaMemAttachGlobal));
  test_streams();
  test_events();
  test_graph();
  test_capture();
  test_captured();
  return check_result();
}
