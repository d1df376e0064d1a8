// A module of the IR to bytes and back, all of it: indices, constants that nobody uses, places. Faster than
// the text form (ir_print, ir_read), which is for people.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_IR_CODEC_H
#define HGRD_CORE_IR_CODEC_H

#include "core/codec.h"
#include "core/ir.h"

// Writes `module`, or makes one; NULL if what is read is no module. It is to be verified (ir_verify).
IrModule *ir_code(Codec *codec, const IrModule *module);

#endif
