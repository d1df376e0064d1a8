// A number of 128 bits for a piece of text: what is kept from run to run is found by it. Of xxHash, which is
// fast and has no accidental collisions to speak of; it is no protection against who makes them on purpose,
// so what is found by it lies in folders of the user's own.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_DIGEST_H
#define HGRD_CORE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Digest {
  uint64_t high, low;
} Digest;

enum { DIGEST_TEXT = 33 }; // with its NUL

Digest digest_of(const void *bytes, size_t length);
bool digest_equal(Digest a, Digest b);
void digest_text(Digest digest, char text[DIGEST_TEXT]);

#endif
