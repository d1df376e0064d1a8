// Is the default stream of this text one of each thread of the host? The macros are those of the toolkit, as they stand where its
// headers are read first; the host scan knows it by the name of the variable (hostscan/contents/streams.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DEFAULT_STREAM_H
#define HGRD_DEFAULT_STREAM_H
#pragma GCC system_header
#if !defined(__CUDA_ARCH__) && (defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) ||                                         \
                                defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM) ||                                       \
                                defined(__CUDART_API_PER_THREAD_DEFAULT_STREAM))
__attribute__((used)) static const char hgrd_default_stream_per_thread = 1;
#endif
#endif
