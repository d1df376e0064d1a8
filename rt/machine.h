// How does the host side of a running program reach its device side? hgrd-run makes the device side: machine code of all kernels in
// one object file, and the table `hgrd_image` of what is in it. The machine (rt/machine) runs a launch of it to its end, thread by
// thread, in one order; the CUDA runtime (rt/host) finds kernels and variables here and asks for launches.
// A launch has ended when rt_launch returns: streams have nothing to wait for. Calls from several host threads come one after
// another. Memory of the device is memory of the process: a device pointer is a pointer.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_MACHINE_H
#define HGRD_RT_MACHINE_H

#include "rt/events.h"

// ---- what hgrd-run makes

typedef struct RtKernel {
  const char *name;  // as it is linked (mangled): what __cudaRegisterFunction gives as deviceName
  const char *shown; // as the user wrote it
  uint32_t unit;     // of the files of the program, from 0
  uint32_t argument_count;
  const uint32_t *argument_bytes;
  uint64_t static_shared_bytes;
  uint32_t max_threads, line;          // max_threads: of a block (__launch_bounds__); 0 where nothing is said
  const char *file;                    // where it is defined
  void (*run)(void *const *arguments); // one thread of it; only the machine calls this
} RtKernel;

typedef struct RtVariable { // __device__, __constant__ and __managed__
  const char *name;         // as it is linked: deviceName of __cudaRegisterVar
  uint32_t unit;
  bool is_constant;
  void *address; // it is initialised when the program starts
  uint64_t bytes;
} RtVariable;

typedef struct RtImage {
  uint32_t version; // RT_IMAGE_VERSION
  uint32_t kernel_count, variable_count, place_count;
  const RtKernel *kernels;
  const RtVariable *variables;
  const RtPlace *places; // by the numbers in the code; 0 is no place
} RtImage;

enum { RT_IMAGE_VERSION = 1 };
extern const RtImage hgrd_image;

// ---- what the host side calls

// The unit of what __cudaRegisterFatBinary is given: clang's wrapper {magic, version, data, ...}, whose data hgrd-run made.
uint32_t rt_unit_of_fatbin(const void *wrapper);
const RtKernel *rt_kernel_named(uint32_t unit, const char *name);     // NULL: there is none
const RtVariable *rt_variable_named(uint32_t unit, const char *name); // NULL: there is none

typedef enum RtOutcome {
  RT_RAN,
  RT_BAD_SHAPE,       // a dimension is zero or beyond what a device allows, or the shared memory is
  RT_NO_MEMORY,       // of this machine, for its threads
  RT_TOO_MANY_BLOCKS, // of a cooperative launch, which all have to be there at once
  RT_TRAPPED,         // __trap
  RT_ASSERTED,        // assert in a kernel; the words are on stderr
  RT_BAD_ADDRESS,     // an access to what is no memory; told on stderr
  RT_DEADLOCK,        // no thread can go on; told on stderr
} RtOutcome;

typedef struct RtRequest {
  const RtKernel *kernel;
  uint32_t grid[3], block[3], cluster[3]; // cluster: zeros where there are none
  uint64_t dynamic_shared_bytes;
  void *const *arguments; // one pointer for each argument, as cudaLaunchKernel has them
  bool is_cooperative;
} RtRequest;

// Runs all of it. Everything but RT_RAN is an error that stays with the device, but for RT_BAD_SHAPE, RT_NO_MEMORY and
// RT_TOO_MANY_BLOCKS, where nothing was run. What detectors see is told by the machine.
RtOutcome rt_launch(const RtRequest *request);

// The heap of kernels (malloc, free in device code) is the machine's own.

// Is the calling code a kernel? (rt/host: a callback must not launch.)
bool rt_is_in_kernel(void);

// Called by code that hgrd-run puts before each launch of the host side; rt_launch takes it as the place of the launch.
void hgrd_launch_from(const char *file, uint32_t line);

// How the program ends is the machine's too: the summary of the findings and the exit status, see hgrd-run(1).

#endif
