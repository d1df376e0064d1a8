// By which number is a piece of text known? XXH3 of 128 bits, the same on every machine.
// Soundness: two texts are taken to be equal if their digests are; by chance that happens once in 2^64 texts.
// SPDX-License-Identifier: Apache-2.0
#include "core/digest.h"
#include "core/bug.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

Digest digest_of(const void *bytes, size_t length) {
  ASSERT(bytes);
  XXH128_hash_t hash = XXH3_128bits(bytes, length);
  return (Digest){hash.high64, hash.low64};
}

bool digest_equal(Digest a, Digest b) {
  return a.high == b.high && a.low == b.low;
}

void digest_text(Digest digest, char text[DIGEST_TEXT]) {
  (void)snprintf(text, DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
