// The door of hostscan/syntax/: what a piece of the text says by itself: a call of a library by its name, the edges of a graph.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_SYNTAX_H
#define HGRD_HOSTSCAN_SYNTAX_H

#include "hostscan/scan.h"

#define HOST_CONTENTS_PREFIX "__hgrd_contents_"

// number_map.c
uint32_t host_map_get(const HostMap *map, HostKey key); // 0 if absent
void host_map_put(HostMap *map, HostKey key, uint32_t value);

// calls.c
// By mangled or C name; never NULL. Knows nothing of functions of the module.
const HostCall *host_call_by_name(const char *name);
// Does it call functions that the program has handed to MPI_Op_create, if it has?
bool host_call_may_run_program(const HostCall *call);
bool host_call_launches_graph(const HostCall *call);
// Whether the call, of a known function, gives back or stores an address inside of what operand `operand` points to.
bool host_call_hands_back(const char *name, const IrInst *call, uint32_t operand);
bool host_call_is_launch(HostCallKind kind); // but for those by a pointer to a stub
HostCallClass host_call_class(HostCallKind kind);
// May it make use of the addresses that it is given after it has come back, as part of a graph for one?
bool host_call_works_later(const char *name, HostCallKind kind);
bool host_call_gives_stream(const char *name);    // of C++, which it was given first
bool host_call_is_node(HostCallKind kind);        // puts a launch into a graph, or sets it anew
uint32_t host_call_outputs(const HostCall *call); // bit i = argument i
bool host_gives_variable(const char *name);       // the address of a variable of the device, by its name
bool host_gives_kernel(const char *name);         // the handle of a kernel, by its name
bool host_call_is_natural(const char *name);      // it gives numbers from 0 on
// The identifier in a C name or in a mangled name without scope ("_ZL10cudaMallocIfEiPPT_m" ->
// "cudaMalloc", 10).
const char *host_base_name(const char *name, size_t *length);
// The kernel a stub launches: both "__device_stub__K" with K mangled and clang's mangled stubs; NULL if it
// is none.
const char *host_stub_kernel(const char *name, Arena *arena);

// directions.c
typedef enum HostDirection { // cudaMemcpyKind, as far as it is known
  HOST_TO_HOST,
  HOST_TO_DEVICE,
  DEVICE_TO_HOST,
  DEVICE_TO_DEVICE,
  HOST_WAY_NOT_SAID
} HostDirection;
typedef struct HostWay { // of a copy
  uint32_t argument;     // that says the direction; UINT32_MAX: none does
  HostDirection direction;
} HostWay;
HostWay host_way_of_copy(const char *name, HostCallKind kind, uint32_t arguments);

// formats.c
// Bytes that are stored at most behind argument `index` of a call that scans by `format`, its argument `first`; 0: any number.
uint32_t host_scanned_bytes(const char *format, uint32_t first, uint32_t index);
// A function that prints by a format, and stores behind its arguments if that says so (%n).
typedef struct HostPrinter {
  uint32_t format;  // which argument is the format
  HostCall storing; // what it does then
} HostPrinter;
const HostPrinter *host_printer(const char *name); // NULL: it is none
bool host_format_stores(const char *format);

// flow.c
bool host_is_back_edge(const Cfg *cfg, uint32_t from, uint32_t to);
uint32_t host_sole_pred(const Cfg *cfg, uint32_t block); // the only reachable predecessor, or CFG_NONE
// A block that ends with a call whose exceptions are caught: what the call leaves behind when it comes back
// holds only where the edge to `normal` was taken. False if the block ends otherwise.
typedef struct HostCallEnd {
  uint32_t call, normal;
} HostCallEnd;
bool host_way_of_call(const IrFunction *ir, uint32_t block, HostCallEnd *end);
// Does every way to `block` pass an edge from `from` to `to`? Several equal edges (cases of a switch) count
// together.
bool host_edges_dominate(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block);
uint32_t host_argument_count(const IrInst *call); // without the callee value

#endif
