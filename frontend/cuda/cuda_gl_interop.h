// OpenGL interoperation of the runtime API: prototypes, with OpenGL's integer types where its own header is absent.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_GL_INTEROP_H
#define HGRD_CUDA_GL_INTEROP_H
#pragma GCC system_header
#include "cuda_runtime.h"
#ifndef GL_VERSION_1_1
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif
#ifdef __cplusplus
extern "C" {
#endif
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
cudaError_t cudaGLGetDevices(unsigned int *, int *, unsigned int, enum cudaGLDeviceList);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **, GLuint, unsigned int);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **, GLuint, GLenum, unsigned int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(GLuint);
cudaError_t cudaGLMapBufferObject(void **, GLuint);
cudaError_t cudaGLUnmapBufferObject(GLuint);
cudaError_t cudaGLUnregisterBufferObject(GLuint);
#ifdef __cplusplus
}
#endif
#endif
