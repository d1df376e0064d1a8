// What a write of host memory is, for the files of hostscan/value/ that say what it leaves (effects.c, loop_copies.c) and
// what it meets (meets.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_VALUE_WRITES_H
#define HGRD_HOSTSCAN_VALUE_WRITES_H

#include "hostscan/value/value.h"

typedef struct HostWriter { // `bytes` bytes at some target, by a STORE, MEMCPY, MEMSET, or a known value
  HostFrame *frame;
  uint32_t inst;
  uint64_t bytes;
  uint8_t kind;      // of the value
  ExprRef value;     // known value of `bytes` bytes, or 0
  bool is_handle;    // an address, or something like one, that the runtime made
  bool is_in_stream; // it is done when its turn in a stream comes
} HostWriter;

// A copy or a fill of any length; `from`: where it comes from, or 0 with the number of `unit` bytes that all is filled with.
typedef struct HostTransfer {
  ExprRef to, from, number, length;
  uint32_t unit;
  bool is_of_host; // host code does it, not the runtime
  bool is_library; // it is what the library is documented to leave
} HostTransfer;

// effects.c
// What lies at the address just before the write; `origin`: an address in the program that it lies `behind`
// bytes behind, or 0.
ExprRef host_read_at(HostScan *scan, const HostWriter *writer, ExprRef address, HostCell cell, IrRef origin,
                     int64_t behind);
// A copy by the host of a few pointers, or of a struct that holds some: the word that lies `apart` bytes behind its start.
bool host_is_few_words(HostScan *scan, const HostTransfer *transfer, ExprRef apart, HostCell cell);
ExprRef host_copied_words(HostScan *scan, const HostWriter *writer, const HostTransfer *transfer,
                          ExprRef apart, HostCell cell);
// What a call of the runtime stores through its first argument (`which` 0), or the pitch (1).
ExprRef host_pointer_result(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which);
// What a call that fills is asked for.
void host_read_fill(HostScan *scan, HostFrame *frame, uint32_t inst, HostTransfer *transfer);
// What it leaves in words of so many bytes; 0: not known, or not the same in all.
ExprRef host_filled_word(HostScan *scan, const HostTransfer *transfer, uint32_t bytes);
bool host_is_captured_copy(HostScan *scan, HostFrame *frame, const IrInst *call);

// meets.c
typedef enum HostMeeting { HOST_MEET_SOMEHOW, HOST_MEET_NEVER, HOST_MEET_AS_ONE } HostMeeting;
// Objects of one class are the same or apart, so that members meet only if they are the same member (A13).
HostMeeting host_meeting_of(const HostScan *scan, const HostWriter *writer, HostCell cell);
bool host_is_multiple(HostScan *scan, ExprRef value, uint64_t bytes);
// A word or a pointer lies at a multiple of its size: what is as long as some covers it or lies beside it.
bool host_is_in_words(HostScan *scan, ExprRef apart, ExprRef length, HostCell cell);
// Put together from shorter numbers: no pointer, to which C++ has no access by another type.
bool host_is_of_parts(HostScan *scan, ExprRef word);
// Members of structs in an array: do the strides keep a write and a cell that is so far from it apart?
bool host_is_beside(HostScan *scan, ExprRef apart, uint64_t written, uint32_t asked);

#endif
