// Shared memory and processes of the CUDA samples: prototypes.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_MULTIPROCESS_H
#define HGRD_HELPER_MULTIPROCESS_H
#pragma GCC system_header
#include <errno.h>
#include <fcntl.h>
#include <memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
typedef struct sharedMemoryInfo_st {
  void *addr;
  size_t size;
  int shmFd;
} sharedMemoryInfo;
int sharedMemoryCreate(const char *name, size_t bytes, sharedMemoryInfo *info);
int sharedMemoryOpen(const char *name, size_t bytes, sharedMemoryInfo *info);
void sharedMemoryClose(sharedMemoryInfo *info);
typedef pid_t Process;
int spawnProcess(Process *process, const char *app, char *const *args);
int waitProcess(Process *process);
typedef int ShareableHandle;
struct ipcHandle_st {
  int socket;
  char *socketName;
};
typedef struct ipcHandle_st ipcHandle;
int ipcCreateSocket(ipcHandle *&handle, const char *name, const std::vector<Process> &processes);
int ipcOpenSocket(ipcHandle *&handle);
int ipcCloseSocket(ipcHandle *handle);
int ipcRecvShareableHandles(ipcHandle *handle, std::vector<ShareableHandle> &handles);
int ipcSendShareableHandles(ipcHandle *handle, const std::vector<ShareableHandle> &handles,
                            const std::vector<Process> &processes);
int ipcCloseShareableHandle(ShareableHandle handle);
#define checkIpcErrors(call)                                                                                           \
  if (call) {                                                                                                          \
    printf("%s:%d: interprocess call failed\n", __FILE__, __LINE__);                                                   \
    exit(EXIT_FAILURE);                                                                                                \
  }
#endif
