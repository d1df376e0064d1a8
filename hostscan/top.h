// What stands above all sub-rooms of the host scan: the walk over the program, and what is added to all launches at its end.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_TOP_H
#define HGRD_HOSTSCAN_TOP_H

#include "hostscan/scan.h"

void host_computed_add(HostScan *scan); // to the objects of all launches: who else wrote them before

// successors.c
enum { HOST_OPERATIONS_MOST = 64 };
enum { HOST_NEXT_NOW = 1, HOST_NEXT_LATER = 2 }; // in the same round of all loops; in another one
typedef struct HostOperation {
  HostFrame *frame;
  uint32_t inst;
  uint32_t begins;        // instruction that it begins with
  ExprRef stream, behind; // that it is put into; whose earlier work is over when it begins. 0: not known
  bool is_deferred;       // it is put into a graph
  bool is_call;           // it is no launch
  bool may_pass;          // what stands there may be another operation, on other memory
} HostOperation;
typedef struct HostOperations {
  uint32_t count; // less than HOST_OPERATIONS_MOST
  HostOperation items[HOST_OPERATIONS_MOST];
} HostOperations;
typedef struct HostSuccessors { // sets of operations; behind the last one, those after the program's start
  uint64_t next[HOST_OPERATIONS_MOST + 1];     // may be the next one,
  uint64_t may_meet[HOST_OPERATIONS_MOST + 1]; // and begin before this one is over
} HostSuccessors;
void host_successors_find(HostScan *scan, const HostOperations *operations, HostSuccessors *out); // adds

#endif
