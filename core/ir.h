// The intermediate representation that both scanners read: SSA, small, complete enough to be interpreted,
// with a text form that reads back (ir_print / ir_read round-trip; docs/ir.md describes text and meaning).
//
// A function owns arrays of instructions and blocks; everything refers to them by index, so analyses keep
// side tables. Instructions of one block are contiguous and in order: block b holds insts [first, first +
// count). Blocks are in the order of the source module; block 0 is the entry and has no predecessors.
// Phis stand first in their block.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_IR_H
#define HGRD_CORE_IR_H

#include "core/arena.h"
#include "core/diag.h"
#include "core/srcloc.h"
#include "core/str.h"
#include "core/table.h"
#include "core/vec.h"
#include "core/verdict.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum IrOp {
  IR_NONE = 0,
#define IR_OP(name, text, class, step, signature, imm, flags) IR_##name,
#include "core/ir_ops.def"
#undef IR_OP
  IR_OP_COUNT
} IrOp;

typedef enum IrOpClass {
  IR_CLASS_ARITH,
  IR_CLASS_COMPARE,
  IR_CLASS_CAST,
  IR_CLASS_VALUE,
  IR_CLASS_MEMORY,
  IR_CLASS_SYNC,
  IR_CLASS_CALL,
  IR_CLASS_TERM
} IrOpClass;

// How a thread executes an operation. Whoever goes over a thread's instructions switches over it without a
// default.
typedef enum IrStep {
  IR_STEP_NONE,
  IR_STEP_ARITH,
  IR_STEP_COMPARE,
  IR_STEP_CAST,
  IR_STEP_SELECT,
  IR_STEP_PHI, // where its block is entered
  IR_STEP_PTRADD,
  IR_STEP_EXTRACT,
  IR_STEP_INSERT,
  IR_STEP_PURE,
  IR_STEP_UNDEF,
  IR_STEP_SREG,
  IR_STEP_ACCESS, // of memory at operand 0, or private memory that is made
  IR_STEP_COPIES, // what the thread says of its asynchronous copies, or waits for
  IR_STEP_BARRIER,
  IR_STEP_OBJECT, // of a barrier object in memory at operand 0
  IR_STEP_FENCE,
  IR_STEP_LANES, // lanes of a warp tell each other something
  IR_STEP_CALL,  // code that is not seen
  IR_STEP_BR,
  IR_STEP_CONDBR,
  IR_STEP_SWITCH,
  IR_STEP_RET,
  IR_STEP_UNREACHABLE
} IrStep;
// Those that one thread computes by itself, as labels of a switch: `case IR_STEPS_COMPUTED:`.
#define IR_STEPS_COMPUTED                                                                                    \
  IR_STEP_NONE:                                                                                              \
  case IR_STEP_ARITH:                                                                                        \
  case IR_STEP_COMPARE:                                                                                      \
  case IR_STEP_CAST:                                                                                         \
  case IR_STEP_SELECT:                                                                                       \
  case IR_STEP_PHI:                                                                                          \
  case IR_STEP_PTRADD:                                                                                       \
  case IR_STEP_EXTRACT:                                                                                      \
  case IR_STEP_INSERT:                                                                                       \
  case IR_STEP_PURE:                                                                                         \
  case IR_STEP_UNDEF:                                                                                        \
  case IR_STEP_SREG

typedef enum IrOpFlag { // their meaning: core/ir_ops.def
  IR_READS = 1,
  IR_WRITES = 2,
  IR_ATOMIC = 4,
  IR_SYNCS = 8,
  IR_NSWABLE = 16,
  IR_OPAQUE = 32,
  IR_SAME_OBJECT = 64,
  IR_RESIZES = 128,
  IR_EXTENDS = 256,
  IR_FORKS = 512,
  IR_COMMUTES = 1 << 10,
  IR_SUMS = 1 << 11,
  IR_DIVIDES = 1 << 12,
  IR_TO_INTEGER = 1 << 13,
  IR_CHOOSES = 1 << 14,
  IR_PIECE = 1 << 15,
  IR_SPANS = 1 << 16,
  IR_SCOPED = 1 << 17,
  IR_ON_OBJECT = 1 << 18,
  IR_GROUPS = 1 << 19,
  IR_LANES = 1 << 20,
  IR_NAMED = 1 << 21,
  IR_HALVES = 1 << 22,
  IR_MIRRORS = 1 << 23,
  IR_ASYNC = 1 << 24,
  IR_COPIES = 1 << 25,
  IR_FOLDS = 1 << 26,
  IR_CONDITIONAL = 1 << 27
} IrOpFlag;

// One row of core/ir_ops.def; what is no operation has the row of IR_NONE.
typedef struct IrOpInfo {
  const char *text;
  const char *signature; // NULL of IR_NONE
  const char *imm_word;  // what stands in front of imm in the text form
  IrOpClass op_class;
  IrStep step;
  unsigned flags; // IrOpFlag
} IrOpInfo;
extern const IrOpInfo ir_op_infos[IR_OP_COUNT];

static inline const IrOpInfo *ir_op_info(IrOp op) {
  return &ir_op_infos[(unsigned)op < IR_OP_COUNT ? op : IR_NONE];
}
static inline const char *ir_op_name(IrOp op) {
  return ir_op_info(op)->text;
}
static inline IrOpClass ir_op_class(IrOp op) {
  return ir_op_info(op)->op_class;
}
static inline IrStep ir_op_step(IrOp op) {
  return ir_op_info(op)->step;
}
static inline unsigned ir_op_flags(IrOp op) {
  return ir_op_info(op)->flags;
}

// ---- types
typedef enum IrTypeKind {
  IR_VOID = 0,
  IR_INT,   // bits: 1, 8, 16, 32, 64 (others are rounded up by the front end, or become BYTES above 64)
  IR_FLOAT, // bits: 16 (half and bfloat), 32, 64
  IR_PTR,   // bits 64, space in `space`
  IR_BYTES  // aggregate or vector as a value: `bytes` long
} IrTypeKind;

// Address spaces, numbered as in NVPTX. On the host everything is GENERIC.
typedef enum IrSpace {
  IR_SPACE_GENERIC = 0,
  IR_SPACE_GLOBAL = 1,
  IR_SPACE_SHARED = 3,
  IR_SPACE_CONSTANT = 4,
  IR_SPACE_LOCAL = 5
} IrSpace;

typedef struct IrType {
  uint8_t kind;   // IrTypeKind
  uint8_t bits;   // INT, FLOAT, PTR
  uint8_t space;  // PTR: IrSpace
  uint32_t bytes; // size in memory, in bytes; 0 for VOID
} IrType;

// ---- values

// A reference to a value: kind in the top 4 bits, index below. 0 is "none".
typedef uint32_t IrRef;
typedef enum IrRefKind {
  IR_REF_NONE = 0,
  IR_REF_INST,   // result of instruction `index`
  IR_REF_CONST,  // IrFunction.consts[index]
  IR_REF_PARAM,  // parameter `index`
  IR_REF_GLOBAL, // address of IrModule.globals[index]
  IR_REF_FUNC    // address of IrModule.functions[index]
} IrRefKind;
#define IR_REF(kind, index) ((IrRef)(((uint32_t)(kind) << 28) | (uint32_t)(index)))
static inline IrRefKind ir_ref_kind(IrRef ref) {
  return (IrRefKind)(ref >> 28);
}
static inline uint32_t ir_ref_index(IrRef ref) {
  return ref & 0x0fffffffu;
}

typedef struct IrConst {
  IrType type;
  int64_t bits; // INT: signed reading (i1: 0 or 1); FLOAT: bit pattern; PTR: 0 is null; BYTES: 0 = all zero
  bool is_undef;
} IrConst;

// ---- details of operations
typedef enum IrPred {
  IR_PRED_NONE = 0,
  IR_EQ,
  IR_NE,
  IR_SLT,
  IR_SLE,
  IR_SGT,
  IR_SGE,
  IR_ULT,
  IR_ULE,
  IR_UGT,
  IR_UGE, // ICMP
  IR_FFALSE,
  IR_FOEQ,
  IR_FOGT,
  IR_FOGE,
  IR_FOLT,
  IR_FOLE,
  IR_FONE,
  IR_FORD, // FCMP
  IR_FUNO,
  IR_FUEQ,
  IR_FUGT,
  IR_FUGE,
  IR_FULT,
  IR_FULE,
  IR_FUNE,
  IR_FTRUE,
  IR_PRED_COUNT
} IrPred;
// What holds where the comparison does not (IR_PRED_NONE: of floats, no comparison says it), and what holds
// of the operands the other way round.
IrPred ir_pred_opposite(IrPred pred);
IrPred ir_pred_mirrored(IrPred pred);

typedef enum IrRmw {
  IR_RMW_NONE = 0,
  IR_RMW_XCHG,
  IR_RMW_ADD,
  IR_RMW_SUB,
  IR_RMW_AND,
  IR_RMW_OR,
  IR_RMW_XOR,
  IR_RMW_MAX,
  IR_RMW_MIN,
  IR_RMW_UMAX,
  IR_RMW_UMIN,
  IR_RMW_INC,
  IR_RMW_DEC, // CUDA atomicInc/atomicDec: wrap at the operand
  IR_RMW_FADD,
  IR_RMW_FMAX,
  IR_RMW_FMIN,
  IR_RMW_COUNT
} IrRmw;

// Which threads an operation is ordered with, or takes part.
typedef enum IrScope {
  IR_SCOPE_THREAD = 0,
  IR_SCOPE_WARP,
  IR_SCOPE_BLOCK,
  IR_SCOPE_CLUSTER,
  IR_SCOPE_DEVICE, // for BARRIER: the grid
  IR_SCOPE_SYSTEM,
  IR_SCOPE_COUNT
} IrScope;

typedef enum IrOrder {
  IR_ORDER_PLAIN = 0, // not atomic
  IR_ORDER_VOLATILE,
  IR_ORDER_RELAXED,
  IR_ORDER_ACQUIRE,
  IR_ORDER_RELEASE,
  IR_ORDER_ACQ_REL,
  IR_ORDER_SEQ_CST,
  IR_ORDER_COUNT
} IrOrder;

// What comes behind stays behind; what comes before stays before. Of an operation, or of a fence.
static inline bool ir_order_acquires(unsigned order) {
  return order == IR_ORDER_ACQUIRE || order >= IR_ORDER_ACQ_REL;
}
static inline bool ir_order_releases(unsigned order) {
  return order >= IR_ORDER_RELEASE;
}

// BARRIER: what takes part and what comes back.
typedef enum IrBarrierKind {
  IR_BARRIER_SYNC = 0, // scope BLOCK: __syncthreads; WARP: __syncwarp, operand 0 the mask; DEVICE: grid sync
  IR_BARRIER_REDUCE_COUNT, // __syncthreads_count(operand 0)
  IR_BARRIER_REDUCE_AND,
  IR_BARRIER_REDUCE_OR,
  IR_BARRIER_NAMED,        // bar.sync id, count: operands id, count (scope BLOCK)
  IR_BARRIER_NAMED_ARRIVE, // bar.arrive id, count: does not wait
  IR_BARRIER_TILE,         // sync of a tile of operand 0 (constant) lanes within a warp (scope WARP)
  IR_BARRIER_COALESCED,    // sync of a group whose members are not known statically (scope WARP)
  IR_BARRIER_ARRIVAL, // the first half of a barrier of the scope: does not wait; orders what is before it
  IR_BARRIER_AWAIT,   // the second half: waits for the arrivals of all threads of the scope
  IR_BARRIER_KIND_COUNT
} IrBarrierKind;

// MBARRIER: operand 0 is the address of the object. A phase of it is complete when as many arrivals as were
// expected are in, and as many bytes; the next one expects as many arrivals again. What arrives has `order`
// (release, or relaxed) and `scope`, what waits or tests too (acquire, or relaxed).
typedef enum IrMbarrierKind {
  IR_MBARRIER_INIT = 0,      // operand 1: arrivals expected in each phase
  IR_MBARRIER_INVALIDATE,    // the memory may be used for other things
  IR_MBARRIER_ARRIVE,        // operand 1: how many arrivals; result, if any: a token of the phase
  IR_MBARRIER_ARRIVE_DROP,   // likewise; in later phases so many fewer are expected
  IR_MBARRIER_EXPECT,        // operand 1: bytes that the phase waits for besides
  IR_MBARRIER_COMPLETE,      // operand 1: bytes that have come
  IR_MBARRIER_TEST,          // operand 1: token; result: is its phase complete? Does not (have to) wait
  IR_MBARRIER_TEST_PARITY,   // operand 1: parity (0, 1) of the phase
  IR_MBARRIER_WAIT,          // operand 1: token; until its phase is complete
  IR_MBARRIER_WAIT_PARITY,   // operand 1: parity of the phase
  IR_MBARRIER_ARRIVE_COPIES, // an arrival once the thread's asynchronous copies so far are done; expected
                             // besides
  IR_MBARRIER_ARRIVE_COPIES_COUNTED, // likewise; one of those expected
  IR_MBARRIER_KIND_COUNT
} IrMbarrierKind;

// PIPELINE: operand 0 is the address of the state that the threads of a block share; a stage is a place in a
// queue as long as `stages`.
typedef enum IrPipelineKind {
  IR_PIPELINE_INIT = 0, // operand 1: stages; by all threads of the block, and a barrier for them; operand 2,
                        // if any: 0 for a thread that produces only, 1 for one that consumes only; operand 3,
                        // if any: threads of the tile that shares it, each of which does both
  IR_PIPELINE_ACQUIRE,  // waits until a stage is free
  IR_PIPELINE_COMMIT,   // the thread's asynchronous copies since the last commit belong to the stage
  IR_PIPELINE_WAIT,     // waits until the copies of all producers to the oldest stage are done
  IR_PIPELINE_RELEASE,  // the oldest stage is free as soon as all consumers have released it
  IR_PIPELINE_QUIT,     // takes no part any more
  IR_PIPELINE_KIND_COUNT
} IrPipelineKind;

typedef enum IrSreg {
  IR_SREG_NONE = 0,
  IR_SREG_TID_X,
  IR_SREG_TID_Y,
  IR_SREG_TID_Z,
  IR_SREG_NTID_X,
  IR_SREG_NTID_Y,
  IR_SREG_NTID_Z, // blockDim
  IR_SREG_CTAID_X,
  IR_SREG_CTAID_Y,
  IR_SREG_CTAID_Z, // blockIdx
  IR_SREG_NCTAID_X,
  IR_SREG_NCTAID_Y,
  IR_SREG_NCTAID_Z, // gridDim
  IR_SREG_CLUSTER_NCTAID_X,
  IR_SREG_CLUSTER_NCTAID_Y,
  IR_SREG_CLUSTER_NCTAID_Z, // blocks of a cluster along each axis
  IR_SREG_WARPSIZE,
  IR_SREG_LANEID,
  IR_SREG_WARPID,
  IR_SREG_ELECTED, // the lane that elect.sync chooses out of the whole warp: any, but the same each time
  IR_SREG_CLOCK,
  IR_SREG_OTHER,
  IR_SREG_COUNT
} IrSreg;

typedef enum IrInstFlagBit {
#define IR_FLAG(enumerator, text, of) IR_FLAG_BIT_##enumerator,
#include "core/ir_flags.def"
#undef IR_FLAG
  IR_FLAG_COUNT
} IrInstFlagBit;

typedef enum IrInstFlag { // their meaning: core/ir_flags.def
#define IR_FLAG(enumerator, text, of) IR_FLAG_##enumerator = 1 << IR_FLAG_BIT_##enumerator,
#include "core/ir_flags.def"
#undef IR_FLAG
} IrInstFlag;

typedef enum IrProxySpace { // which memory a PROXYFENCE is about
  IR_PROXY_SHARED = 1,
  IR_PROXY_GLOBAL = 2
} IrProxySpace;

typedef enum IrMemberFlag { // of PTRADD and ALLOCA with an owner
  IR_MEMBER_NUMBER = 1,     // the member is an integer, and no part of a member that is a class
  IR_FIRST_NUMBER = 2       // likewise for the first member, whose address is that of the object
} IrMemberFlag;

// The handle of a surface becomes a pointer by a BITCAST of this name. The place (x, y, z), x in bytes, of
// the surface is at x + (y << IR_SURFACE_Y) + (z << IR_SURFACE_Z), as in frontend/cuda/hgrd_surface.h.
#define IR_SURFACE "surface"
enum { IR_SURFACE_Y = 22, IR_SURFACE_Z = 40 };

// Operand roles (ops[]):
//   ARITH a, b (FNEG: a; MUL of an address: a is the index of an array of imm elements, which an access with
//   the address stays in; 0: nothing is said) | ICMP/FCMP a, b with `pred` | CAST a | SELECT cond, then, else
//   PHI   values, one for each predecessor, ops[i] comes in from blocks[i]
//   PTRADD base, offset (i64 bytes) | EXTRACT aggregate | INSERT aggregate, piece | PURE arguments | SREG
//   none ALLOCA none (imm bytes) | LOAD address | STORE address, value ATOMICRMW address, operand with `rmw`
//   | CMPXCHG address, expected, desired MEMCPY destination, source, length | MEMSET destination, byte,
//   length | ASYNCCOPY destination, source, length and perhaps a fourth: a pointer is the mbarrier that the
//   copy completes on, a number says how many bytes are read, the rest being zeros; a source that is no pointer is the value itself |
//   ASYNCREDUCE the same with `rmw` | ASYNCCOMMIT none, or how
//   many stages were under way before | ASYNCWAIT none, groups
//   that may be left in imm, or that number if it is not constant | BARRIER see IrBarrierKind | MBARRIER see
//   IrMbarrierKind | PIPELINE see IrPipelineKind | FENCE, PROXYFENCE none | SHUFFLE mask, value, lane, width
//   | VOTE mask, value CALL  arguments; `name` is the callee (mangled), or the callee value stands last and
//   name is NULL BR none | CONDBR cond | SWITCH value | RET value or none
// Targets (blocks[]): BR target; CONDBR then, else; SWITCH default, then one for each case value in
// case_values[].
typedef struct IrInst {
  uint8_t op;     // IrOp
  uint8_t pred;   // IrPred
  uint8_t rmw;    // IrRmw
  uint8_t order;  // IrOrder, for LOAD STORE ATOMICRMW CMPXCHG FENCE MBARRIER
  uint8_t scope;  // IrScope, for atomics, FENCE, BARRIER, MBARRIER
  uint16_t flags; // IrInstFlag
  uint16_t op_count;
  uint16_t block_count;
  uint8_t member; // IrMemberFlag, with `owner`
  uint32_t block; // the block it stands in
  uint32_t loc;   // index into IrModule.locs; 0: unknown
  IrType type;    // of the result; VOID if none
  int64_t imm;
  const IrRef *ops;
  const uint32_t *blocks;
  const int64_t *case_values; // SWITCH: block_count - 1 values
  const char *name;           // callee, pure function, SSA name for readable output; may be NULL
  // What the user calls the memory of an access, "view->size.x"; in host code ".rows" for the first member of
  // what the address is called, and of a CALL the variable that has its result; may be NULL
  const char *place;
  // Host code. PTRADD: the result points to byte `imm` of an object of this class; ALLOCA: the class it
  // holds. Template arguments are left out, and equal names may mean different classes. NULL: not known.
  const char *owner;
} IrInst;

typedef struct IrBlock {
  const char *name; // may be NULL
  uint32_t first, count;
} IrBlock;

typedef struct IrParam {
  const char *name; // as in the source, or "arg0"
  IrType type;      // a struct passed by value is PTR to a private copy with byval_bytes > 0
  uint32_t byval_bytes;
  bool is_restrict;
  bool is_result;   // PTR to memory that the caller has set apart for a struct that is returned
  bool is_unsigned; // source type is unsigned (from debug info); false when unknown
  // Of a word that is (part of) a struct in a register: what its two 32-bit halves are called, "range.low";
  // for a word of 32 bits the first only. NULL: it is none.
  const char *halves[2];
} IrParam;

enum { IR_CLUSTER_UNKNOWN = 0xffff }; // blocks along an axis

typedef struct IrFunction {
  const char *name;    // mangled
  const char *display; // demangled, without arguments, as a user reads it
  uint32_t loc;
  bool is_kernel;
  bool is_of_library; // a kernel, or what the host only declares, of the system's or the toolkit's headers
  bool is_of_program; // what the host only declares, in a file or a header of the program's own
  bool is_launched_by_device; // a kernel that device code launches, with values that no host code shows
  bool is_external;           // visible to other translation units
  bool is_in_data; // its address is in initial data: a table of virtual functions, a constant array
  bool is_declaration;
  // setjmp: what its callers have stored since it returned first is there when it returns again.
  bool returns_twice;
  bool takes_const; // a declaration: what its pointers and references point to is const, but for the object
                    // of a member function
  VEC(uint32_t)
  folded_launches; // of a stub in host code: places of launches that cannot happen and were left out
  uint32_t max_threads, min_blocks; // __launch_bounds__, 0 if none
  uint32_t cluster[3];              // __cluster_dims__; 0, 0, 0: none; IR_CLUSTER_UNKNOWN: some, not known
  IrType result;
  VEC(IrParam) params;
  VEC(IrBlock) blocks;
  VEC(IrInst) insts;
  VEC(IrConst) consts;
  Table const_table; // index into consts + 1, kept by ir_const_typed
} IrFunction;

typedef struct IrAddress { // a pointer in initial data, whose bytes there are zero
  uint64_t at;             // byte of the global
  IrRef target;            // GLOBAL or FUNC
  int64_t offset;          // bytes behind its start
} IrAddress;

typedef struct IrGlobal {
  const char *name;    // mangled
  const char *display; // as the user wrote it
  uint8_t space;       // IrSpace
  bool is_constant;
  bool is_dynamic_shared; // extern __shared__ T x[]
  bool is_external;       // declared here, defined elsewhere
  bool is_managed;        // one variable of the host and the device
  bool is_static;         // of the host, not constant: no other file can name it
  uint64_t bytes;         // 0 for dynamic shared memory
  uint32_t align;
  uint32_t loc;
  const uint8_t *data;      // initial bytes if constant-initialised, else NULL
  VEC(IrAddress) addresses; // among them, ascending
  const char *owner;        // class of the object or of its elements, as in IrInst; NULL: none, or not known
  uint64_t owner_bytes;     // its size
} IrGlobal;

// A member that only code of the class, of derived ones and of friends can name; of one that is a class, all of it.
typedef struct IrHidden {
  uint64_t at, bytes;
} IrHidden;

typedef struct IrClass { // of host code, seen whole
  const char *name;      // as IrInst.owner
  const char *unseen; // a member function without a body here that may write to objects; NULL: there is none
  bool constructs;    // it is a constructor, and there are only such
  VEC(IrHidden) hidden; // ascending by place and size, in all classes of this name
} IrClass;
typedef VEC(IrClass) IrClasses;

typedef struct IrModule {
  Arena *arena; // owns everything here
  StrTable *strings;
  const char *source; // the file this came from
  bool is_device;
  uint32_t arch; // 70 for sm_70; device modules
  VEC(IrFunction *) functions;
  VEC(IrGlobal) globals;
  VEC(SrcLoc) locs;  // [0] is the unknown place
  IrClasses classes; // ascending by name
} IrModule;

// ---- construction (front end, reader, tests)
IrModule *ir_module_make(Arena *arena, StrTable *strings, const char *source, bool is_device);
IrFunction *ir_function_add(IrModule *module, const char *name, const char *display);
// Strings are interned; loc.inlined_at is kept as it is and must live as long as the module.
uint32_t ir_loc_add(IrModule *module, SrcLoc loc);
IrRef ir_const_int(IrModule *module, IrFunction *function, uint8_t bits, int64_t value);
IrRef ir_const_typed(IrModule *module, IrFunction *function, IrType type, int64_t bits, bool is_undef);
uint32_t ir_block_add(IrModule *module, IrFunction *function, const char *name); // opens it: insts go here
// Appends to the newest block and sets inst.block; ops, blocks, case_values are copied into the arena, name
// is interned.
IrRef ir_inst_add(IrModule *module, IrFunction *function, IrInst inst);

IrType ir_type_int(uint8_t bits);
IrType ir_type_float(uint8_t bits);
IrType ir_type_ptr(uint8_t space);
IrType ir_type_bytes(uint32_t bytes);
IrType ir_type_void(void);
bool ir_types_equal(IrType a, IrType b);

// ---- reading
IrType ir_ref_type(const IrModule *module, const IrFunction *function, IrRef ref);
// May the instruction, which writes memory, write the bits of an address, or of a part of one?
bool ir_may_write_address(const IrModule *module, const IrFunction *function, const IrInst *write);
static inline const IrInst *ir_inst(const IrFunction *f, IrRef ref) {
  return ir_ref_kind(ref) == IR_REF_INST ? &f->insts.items[ir_ref_index(ref)] : NULL;
}
// Has the operation one of these flags (IrOpFlag)?
static inline bool ir_inst_is(const IrInst *inst, unsigned flags) {
  return (ir_op_flags((IrOp)inst->op) & flags) != 0;
}
// May it write memory? A call that only reads does not.
static inline bool ir_inst_writes(const IrInst *inst) {
  return ir_inst_is(inst, IR_WRITES) && !(inst->op == IR_CALL && inst->flags & IR_FLAG_READONLY);
}
// What it puts into memory: a word at its operand 0, as it is or (with `rmw`) folded into what is there; 0: nothing of that kind.
static inline IrRef ir_stored_value(const IrInst *inst) {
  bool stores = ir_inst_is(inst, IR_WRITES) && !ir_inst_is(inst, IR_SPANS | IR_OPAQUE);
  return stores ? inst->ops[ir_inst_is(inst, IR_CONDITIONAL) ? 2 : 1] : 0;
}
// Does it read memory at its operand 1?
static inline bool ir_inst_has_source(const IrModule *module, const IrFunction *function,
                                      const IrInst *inst) {
  return ir_inst_is(inst, IR_SPANS) && ir_ref_type(module, function, inst->ops[1]).kind == IR_PTR;
}
// Does it write memory at its operand 0, and nowhere else?
static inline bool ir_inst_writes_there(const IrInst *inst) {
  return ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY && ir_inst_is(inst, IR_WRITES) &&
         !(inst->flags & IR_FLAG_MULTICAST);
}
// Does the reference lead to something that is there? IR_REF_NONE leads nowhere.
static inline bool ir_ref_is_of(const IrModule *module, const IrFunction *function, IrRef ref) {
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_NONE: return false;
  case IR_REF_INST: return index < function->insts.count;
  case IR_REF_CONST: return index < function->consts.count;
  case IR_REF_PARAM: return index < function->params.count;
  case IR_REF_GLOBAL: return index < module->globals.count;
  case IR_REF_FUNC: return index < module->functions.count;
  }
  return false;
}
static inline bool ir_has_inst(const IrFunction *function, const IrInst *inst) {
  return inst >= function->insts.items && inst < function->insts.items + function->insts.count;
}
// ir.c
const IrInst *ir_terminator(const IrFunction *function, uint32_t block);
const SrcLoc *ir_loc(const IrModule *module, uint32_t loc);                   // never NULL
const IrFunction *ir_find_function(const IrModule *module, const char *name); // by mangled name; NULL if none
// A special register that holds one number for a thread, whenever it reads it.
static inline bool ir_is_fixed_register(const IrInst *inst) {
  return inst->op == IR_SREG && inst->imm != IR_SREG_CLOCK && inst->imm != IR_SREG_OTHER;
}
// Shared memory of the block of this rank in the cluster: (address, rank).
bool ir_is_mapa(const IrInst *inst);
// A call of malloc or new, or of free or delete, in device code: the library's, which has no body here.
bool ir_is_heap_allocation(const IrModule *module, const IrInst *inst);
bool ir_is_heap_release(const IrModule *module, const IrInst *inst);
bool ir_const_value(const IrFunction *function, IrRef ref, int64_t *value); // integer constants
bool ir_is_null(const IrFunction *function, IrRef ref); // the null pointer, and no number that is made to one
IrRef ir_address_base(const IrFunction *function, IrRef ref); // the address without casts and offsets
// The address as a constant number of bytes behind what is returned, which is computed or no address of another one; 0: no 64 bits can say it.
IrRef ir_fixed_base(const IrFunction *function, IrRef ref, int64_t *offset);

// ir_verify.c, ir_print.c, ir_read.c
// Checks that the module is well formed: operands defined and dominating, widths agree, one terminator at the
// end of each block, phis match predecessors. On failure reports errors to the sink and returns false.
MUST_USE bool ir_verify(const IrModule *module, DiagSink *sink);
void ir_print(const IrModule *module, StrBuf *out);
// Reads what ir_print wrote. On a mistake: NULL and one error with its line.
IrModule *ir_read(Arena *arena, StrTable *strings, const char *file_name, const char *text, DiagSink *sink);

#endif
