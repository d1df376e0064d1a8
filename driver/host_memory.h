// What the host scan has asked the solver in earlier runs over the same files.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_HOST_MEMORY_H
#define HGRD_DRIVER_HOST_MEMORY_H

#include "cache/cache.h"
#include "frontend/frontend.h"
#include "solver/solver.h"

typedef struct HostMemory HostMemory;

// NULL without a cache; the others take that as well.
HostMemory *host_memory_open(Cache *cache, const Program *program, Arena *arena);
const SolverMemory *host_memory_of_solver(const HostMemory *memory);
void host_memory_close(HostMemory *memory); // keeps what was asked in this run, if anything of it is new

#endif
