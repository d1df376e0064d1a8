// Shared by the files of hostscan/invariants/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_INVARIANTS_INVARIANTS_H
#define HGRD_HOSTSCAN_INVARIANTS_INVARIANTS_H

#include "hostscan/invariants.h"

// writers.c
typedef struct HostField {
  const char *owner;
  int64_t offset;
  uint32_t bytes;
  bool is_number, is_private; // an integer by itself; only code of the class can name it
  bool is_part;               // of a private member that is a class, which begins at
  int64_t whole;
} HostField;
typedef struct HostWriter { // an instruction that may write bytes [offset, offset + length) of an object
  HostFunction *function;
  uint32_t inst;
  IrRef address; // of the first byte
  const char *owner;
  int64_t offset, length;
} HostWriter;
typedef VEC(HostWriter) HostWriters;
typedef struct HostCheckpoint { // where what was written can be seen by others
  uint32_t inst;                // just before this one
  uint32_t block;               // or at the end of this block, on the way to `next`
  uint32_t next;                // CFG_NONE: before `inst`
} HostCheckpoint;
typedef VEC(HostCheckpoint) HostCheckpoints;
// All writers of the class, in order; false if a member may be written by code that cannot be followed.
bool host_writers_find(HostScan *scan, const char *owner, HostWriters *writers);
bool host_field_gets_out(HostScan *scan, const HostField *field); // its address, to code that may keep it
// A function of the class that may write to its members, and whose text is not seen; NULL if there is none.
const char *host_class_unseen(const HostScan *scan, const char *owner);
bool host_class_hides(const HostScan *scan, const HostField *field); // as one of its private members
bool host_class_hides_whole(const HostScan *scan, HostField *field); // as a part of one, which it sets
// The end of the writer's block, if nothing that could look stands before it.
bool host_checkpoint_here(HostScan *scan, HostFrame *frame, const HostWriter *writer, HostCheckpoint *point);
// Where what the writer leaves behind is to be looked at; false if there are too many places.
bool host_checkpoints_find(HostScan *scan, HostFrame *frame, const HostWriter *writer,
                           const HostWriters *writers, HostCheckpoints *points);
// By block of the frame's function: may it begin after a write of one of them and before the next checkpoint?
bool *host_writers_between(HostScan *scan, HostFrame *frame, const HostWriters *writers);

// leaving.c
typedef struct HostLeaving { // of the whole module
  bool jumps;                // control may go on anywhere, at any call
  bool ends;                 // others may look where a function ends without coming back
} HostLeaving;
HostLeaving host_leaving(HostScan *scan);

#endif
