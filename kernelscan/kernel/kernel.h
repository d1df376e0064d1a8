// Shared by the files of kernelscan/kernel/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_KERNEL_KERNEL_H
#define HGRD_KERNELSCAN_KERNEL_KERNEL_H

#include "kernelscan/kernel.h"

// alignment.c
// The place is no multiple of so many bytes for some thread or round, by the text alone.
bool alignment_is_plainly_off(const Scan *scan, IrRef address, uint32_t bytes);

// opaque_calls.c
// The call touches nothing that other threads see: all that is unknown is what it returns.
bool call_is_private(Scan *scan, const IrInst *call);
// Why a call of a function with a body was not replaced by it, in words.
const char *call_stays_because(const Scan *scan, const IrFunction *called);

// opaque.c
const char *
opaque_asm(const char *text); // what of it is not followed, in words; NULL: nothing is known of it

#endif
