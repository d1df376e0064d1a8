// What does the machine code that hgrd-run makes of kernels read and call? run/ writes these calls into the code (run/watch.c), the
// machine defines them. Functions of CUDA that are only declared in frontend/cuda are called under their own name behind
// RT_LIBRARY_PREFIX; which there are is read from the library itself.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_CODE_H
#define HGRD_RT_CODE_H

#include <stdint.h>

#define RT_LIBRARY_PREFIX "hgrd_d_"

// The thread that runs now. Code reads the fields by their numbers (run/lane_pointer.c).
typedef struct RtLane {
  unsigned char *shared;         // of its block: static, then dynamic
  unsigned char *dynamic_shared; // 16 bytes aligned
  uint32_t thread[3], block[3], block_size[3], grid_size[3];
  uint32_t place;  // of the call of the user's that is under way, in hgrd_image.places
  uint32_t budget; // steps until it is another thread's turn; the last one is made by the machine
  uint32_t last;   // place of its last access
} RtLane;
extern RtLane *hgrd_lane;

enum {
  RT_FIELD_SHARED,
  RT_FIELD_DYNAMIC,
  RT_FIELD_THREAD,
  RT_FIELD_BLOCK,
  RT_FIELD_BLOCK_SIZE,
  RT_FIELD_GRID_SIZE,
  RT_FIELD_PLACE,
  RT_FIELD_BUDGET,
  RT_FIELD_LAST
};

// Of an access in the code: what it may touch without the machine. It is a step of its thread all the same.
typedef struct RtSite {
  uint64_t low;   // of an object
  uint64_t free;  // from `low` on so many addresses need no call; 0 where a detector is to be told
  uint64_t known; // and so many are of the object with all bytes of the access; 0: none is known
} RtSite;
enum { RT_SITE_LOW, RT_SITE_FREE, RT_PLACE_PARAM = 2, RT_FLAGS_PARAM = 3 };

// Flags of an access.
enum {
  RT_VOLATILE = 1,
  RT_STRONG = 2, // atomic, relaxed, of the whole system
  RT_PROVED =
      4, // hgrd-check has proved that it races with nothing: no detector is told (run/proved_places.c)
  RT_COUNTED = 8 // its step is taken from the budget
};

// Before a load; before a store of at most 8 bytes, with the value that it will leave there; of more, with where that is. A place 0
// is that of the call under way. A site may be NULL.
void hgrd_load(const void *address, uint32_t bytes, uint32_t place, uint32_t flags, RtSite *site);
void hgrd_store(void *address, uint32_t bytes, uint32_t place, uint32_t flags, uint64_t value, RtSite *site);
void hgrd_store_wide(void *address, uint32_t bytes, uint32_t place, uint32_t flags, const void *value,
                     RtSite *site);
// In place of the operation itself.
void hgrd_copy(void *to, const void *from, uint64_t bytes, uint32_t place, uint32_t flags);
void hgrd_fill(void *to, uint32_t byte, uint64_t bytes, uint32_t place, uint32_t flags);
// atomicrmw and cmpxchg of LLVM; `operation` is RtRmw.
typedef enum RtRmw {
  RT_RMW_XCHG = 1,
  RT_RMW_ADD,
  RT_RMW_SUB,
  RT_RMW_AND,
  RT_RMW_OR,
  RT_RMW_XOR,
  RT_RMW_MAX,
  RT_RMW_MIN,
  RT_RMW_UMAX,
  RT_RMW_UMIN,
  RT_RMW_INC,
  RT_RMW_DEC,
  RT_RMW_FADD,
  RT_RMW_FMAX,
  RT_RMW_FMIN, // up to here as IrRmw in core/ir.h, whose numbers the declarations use
  RT_RMW_FSUB
} RtRmw;
uint64_t hgrd_rmw(void *address, uint32_t operation, uint32_t bytes, uint64_t operand, uint32_t place);
uint64_t hgrd_cas(void *address, uint32_t bytes, uint64_t expected, uint64_t desired, uint32_t place);

#endif
