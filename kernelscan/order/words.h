// The table of words: for a word that strong operations name, the closed list of all that may write it. What
// is proved of locks, flags, counters and bits is proved of the rows of this table, each for two arbitrary
// threads; no rule looks for writes by itself.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_ORDER_WORDS_H
#define HGRD_KERNELSCAN_ORDER_WORDS_H

#include "kernelscan/order.h"

// What one write makes of the word: it holds `operand` then, or what was in it with `operand`.
typedef enum WriteKind {
  WRITE_SET,  // a store, or an exchange
  WRITE_SWAP, // a compare-and-swap: `operand`, if it finds what it expects
  WRITE_ADD,  // more by `operand`; a subtraction of a constant is one of its opposite
  WRITE_WRAP, // atomicInc: one more, and 0 behind `operand`
  WRITE_OR,
  WRITE_AND,
  WRITE_EXTREME, // a maximum or minimum, with a sign or without
  WRITE_OTHER    // anything: a copy, an operation on reals, a subtraction of what is not constant
} WriteKind;

// What is asked of rows, of one or of all that a word has.
typedef enum WriteTrait {
  WRITE_IS_STRONG = 1 << 0,
  WRITE_FITS = 1 << 1,       // of the width of the word, and aligned: it replaces the word as a whole
  WRITE_IS_TO_IT = 1 << 2,   // the address is the word's wherever one thread reads both; else it may be
  WRITE_REPLACES = 1 << 3,   // fits, is to it, and does not hang on what is there
  WRITE_IS_ONCE = 1 << 4,    // stands in no loop: no thread makes it twice
  WRITE_BY_LEADERS = 1 << 5, // they alone are among the threads that come to it
  WRITE_DRAWS = 1 << 6,      // counts the word up by one, and does not begin anew
  WRITE_RISES = 1 << 9,      // the same by any amount: a positive constant
  WRITE_COUNTS = 1 << 7,     // rises, or sets the word back to 0
  WRITE_ORS = 1 << 8         // sets bits of it
} WriteTrait;

// A row. Reads that are spelled as writes (an atomic addition of 0) are none.
typedef struct WordWrite {
  const Access *access;
  WriteKind kind;
  IrRef operand;    // 0: it has none of this kind
  bool is_constant; // `operand` is `constant`
  int64_t constant;
  unsigned traits; // WriteTrait
  IrScope scope;   // as an operation on a lock, flag or counter; THREAD: a plain one
} WordWrite;

// Over-approximated: that a thread of the launch comes to the write, and it is to a byte of the word as
// somebody names it, has not been refuted. Code that is not seen is not in the list: Scan.has_opaque.
typedef struct SyncWord {
  Target target; // in `anyone`
  uint32_t bytes;
  bool is_of_block; // in shared memory: one for each block
  uint32_t count;
  const WordWrite *writes; // in the order of Scan.accesses
  // Behind them, up to here, those to which no thread of this launch comes: they say what the text is meant
  // to do.
  uint32_t count_in_text;
  unsigned traits;       // of all `count` rows; 0: there are none
  IrScope scope;         // the narrowest of theirs
  const WordWrite *rise; // the only one that makes it rise; NULL: none, or several
} SyncWord;

static inline bool order_write_is(const WordWrite *write, unsigned traits) {
  return (write->traits & traits) == traits;
}
// All that may write the word do, as operations of at least that scope.
static inline bool order_all_writes(const SyncWord *word, unsigned traits, IrScope scope) {
  return (word->traits & traits) == traits && word->scope >= scope;
}

// Made when first asked for, and the same from then on.
const SyncWord *order_word(Order *order, const Target *target, uint32_t bytes);
// Its rows, one after the other: `for (WordRow row = {.word = word}; order_next_row(&row);)`.
typedef struct WordRow {
  const SyncWord *word;
  bool is_in_text; // those to which no thread of this launch comes as well
  uint32_t next;
  const WordWrite *write;
  const Access *access;
} WordRow;
static inline bool order_next_row(WordRow *row) {
  if (row->next == (row->is_in_text ? row->word->count_in_text : row->word->count)) return false;
  row->write = &row->word->writes[row->next++];
  row->access = row->write->access;
  return true;
}
// What a write makes of a word, wherever that may be.
WordWrite order_write(const Order *order, const Access *access);
// The row of an instruction; NULL: it does not write the word.
const WordWrite *order_write_at(const SyncWord *word, uint32_t inst);

static inline bool order_is_same_target(const Target *one, const Target *two) {
  return one->object == two->object && one->offset == two->offset && one->key == two->key &&
         one->condition == two->condition;
}
// One thread that reads both addresses reads one word, where the condition of the word holds.
bool order_is_same_word(const Order *order, const Access *access, const Target *word);
// Up, by that much; 0: it does not count up by a constant.
int64_t order_amount(const Scan *scan, const Access *access);
// The word holds this constant when the write has been made, if it is made (a compare-and-swap may not be).
bool order_leaves_constant(const WordWrite *write, int64_t *value);

// May the access, made by any thread, or by one of another block than the reader's, touch what is read? Of several words any.
bool order_may_share_word(Order *order, const Access *access, const Access *read, bool is_afar);
// May the access, made by any thread, touch the word at this target (of `anyone`)?
bool order_may_touch(Order *order, const Access *access, const Target *word, uint32_t bytes);
#endif
