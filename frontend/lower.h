// From LLVM's IR to ours: what the files lower_*.c and asm_*.c share, and the passes over the lowered function.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_LOWER_H
#define HGRD_FRONTEND_LOWER_H

#include "frontend/internal.h"

// State of one module and one function while it is lowered. References to instructions that are not lowered
// yet are of kind REF_PENDING and are replaced when the function is complete.
enum { REF_PENDING = 15, NO_BLOCK = UINT32_MAX };

typedef struct Pending {
  LLVMValueRef value;
  uint32_t part; // 1: the second part of a two-part result
} Pending;

typedef struct Lower {
  const LowerRequest *request;
  Arena *arena;   // of the module
  Arena *scratch; // of the function
  LLVMTargetDataRef layout;
  LLVMContextRef context;
  IrModule *ir;
  PtrMap functions, globals; // LLVM value -> index + 1 in the IR module
  PtrMap kernels;
  PtrMap places;        // DILocation -> index into `frames` + 1
  PtrMap place_indices; // DILocation -> index into IrModule.locs
  PtrMap scope_names;   // DISubprogram -> index into `names` + 1
  VEC(const SrcLoc *) frames;
  VEC(const char *) names;
  PtrMap member_types;              // struct type -> index into `member_names` + 1
  VEC(LLVMValueRef *) member_names; // by field: the address of it with the shortest name; host code
  Arena *module_scratch;

  LLVMValueRef llvm_function;
  IrFunction *function;
  PtrMap values, second_parts; // LLVM value -> IrRef
  PtrMap value_names;          // LLVM value -> index into `names` + 1
  PtrMap value_types;          // LLVM value -> index into `types` + 1
  VEC(LLVMMetadataRef) types;
  PtrMap blocks;     // LLVM block -> IR block, for those that are reached
  PtrMap early_ends; // LLVM block -> 1: ends at a call that does not return
  VEC(Pending) pending;
  uint32_t loc;
  bool ended; // the block is complete before its last LLVM instruction
} Lower;

// lower_emit.c: types, and instructions of the IR
IrType lower_type(const Lower *lower, LLVMTypeRef type);
uint32_t type_bytes(const Lower *lower, LLVMTypeRef type);
bool int_is_odd(LLVMTypeRef type); // an integer width that the IR rounds up
uint32_t vector_stride(const Lower *lower, LLVMTypeRef element);
// The member or element `index` of an aggregate; adds to `offset` where it stands.
LLVMTypeRef type_step_into(const Lower *lower, LLVMTypeRef type, uint32_t index, uint32_t *offset);
bool constant_number(LLVMValueRef value, int64_t *number); // integer constants up to 64 bits, signed reading
IrRef emit(Lower *lower, IrInst inst, uint32_t count, const IrRef *ops);
IrRef emit_op(Lower *lower, IrOp op, IrType type, uint32_t count, const IrRef *ops);
IrRef emit_pure(Lower *lower, const char *name, IrType type, uint32_t count, const IrRef *ops);
IrRef emit_extract(Lower *lower, IrRef aggregate, uint32_t offset, IrType type);
IrRef emit_insert(Lower *lower, IrRef aggregate, IrRef piece, uint32_t offset, IrType type);
IrRef emit_int(Lower *lower, uint8_t bits, int64_t value);
IrRef emit_undef(Lower *lower, IrType type);
IrRef emit_icmp(Lower *lower, IrPred pred, IrRef a, IrRef b);
IrRef emit_load(Lower *lower, LLVMTypeRef type, IrRef address, IrInst base);
void emit_store(Lower *lower, LLVMTypeRef type, IrRef address, IrRef value, IrInst base);

// lower_arith.c: on operands that are lowered
IrOp cast_op(LLVMOpcode opcode);   // IR_NONE: no cast
IrOp binary_op(LLVMOpcode opcode); // IR_NONE: none
IrRef sign_extend_odd(Lower *lower, LLVMTypeRef type, IrRef value);
// May the result differ from what IEEE 754 gives, rounded once? That is what flags of the operation say (`reassoc`, `arcp`, `afn`) and, of
// quotients and roots (`is_root`: a call for one) in single precision, a mark of their function.
bool lower_is_approximate(LLVMValueRef instruction, bool is_root);
IrRef lower_cast(Lower *lower, LLVMOpcode opcode, LLVMTypeRef from, LLVMTypeRef to, IrRef value);
IrRef lower_scalar(Lower *lower, LLVMValueRef instruction, LLVMTypeRef from, LLVMTypeRef to,
                   const IrRef *ops);

// lower_address.c
IrRef lower_address(Lower *lower, LLVMValueRef gep); // instruction or constant expression
uint8_t class_first_member_flags(LLVMTypeRef class); // IR_FIRST_NUMBER, or 0

// lower_value.c: constants, references, globals
IrRef lower_value(Lower *lower, LLVMValueRef value);
void lower_set(Lower *lower, LLVMValueRef value, IrRef ref);
IrRef emit_unknown(Lower *lower, const char *name, LLVMValueRef instruction);
void lower_function_constants(Lower *lower); // those that need instructions; into the entry block
void lower_globals(Lower *lower);
void lower_initial_data(Lower *lower);

// lower_inst.c
void lower_instruction(Lower *lower, LLVMValueRef instruction);

// wait_loops.c
void wait_loops_settle(IrModule *module, IrFunction *fn, Arena *arena);
// surface_handles.c: numbers that are handles of surfaces become pointers
void handles_settle(IrFunction *fn);
// whole_words.c: words that were taken to pieces and put together again become the word that they were
void whole_words_settle(IrModule *module, IrFunction *fn);
// stage_loops.c
void stage_loops_settle(IrModule *module, IrFunction *fn);
// lower_blocks.c
void lower_number_blocks(Lower *lower); // fills lower->blocks and lower->early_ends
bool edge_is_lowered(const Lower *lower, LLVMBasicBlockRef from, LLVMBasicBlockRef to);

// lower_known.c: a barrier of all threads of the block, at the barrier of this number; 0: of number 0.
IrRef lower_barrier_of_all(Lower *lower, IrRef number);
// lower_cluster.c: a number of the block's cluster by the name of its register (cluster_ctarank ...), in 32
// bits; 0: there is none of that name.
IrRef lower_cluster_number(Lower *lower, const char *name);
// lower_lane_masks.c: "lanemask_lt" and the like, in 32 bits; 0: there is none of that name.
IrRef lower_lane_mask(Lower *lower, const char *name);
// lower_call.c
void lower_call(Lower *lower, LLVMValueRef call);
bool call_stops(const Lower *lower, LLVMValueRef call); // control does not come back

// lower_asm.c
void lower_asm(Lower *lower, LLVMValueRef call);
bool asm_stops(const Lower *lower, LLVMValueRef source); // trap or exit
bool asm_exits(const Lower *lower, LLVMValueRef source);

// lower_debug.c
uint32_t lower_place(Lower *lower, LLVMValueRef instruction); // index into IrModule.locs
uint32_t lower_function_place(Lower *lower, LLVMValueRef function);
#define HGRD_FOLDED "hgrd.folded_launch" // on a stub: where it was launched before launches were folded away
void lower_folded_places(Lower *lower, LLVMValueRef stub, IrFunction *out);
uint32_t lower_global_place(Lower *lower, LLVMValueRef global);
void lower_read_names(Lower *lower);                               // of the variables of the current function
const char *lower_name_of(const Lower *lower, LLVMValueRef value); // NULL if none
// Debug type of the variable that a value is or that an alloca holds; NULL if it is none.
LLVMMetadataRef lower_type_of_variable(const Lower *lower, LLVMValueRef value);

const char *lower_own_name_of(const Lower *lower, LLVMValueRef value); // only of the function's own variables
const char *lower_global_variable(const Lower *lower, LLVMValueRef global, LLVMMetadataRef *type);

// lower_indices.c: of the arrays with a declared length that a load or store of host code goes into.
#define HGRD_IN_ARRAY                                                                                        \
  "__hgrd_in_array" // a call in the IR: argument 0 holds, or the access is out of its array
void lower_array_indices(Lower *lower, LLVMValueRef address);

// lower_places.c: "view->size.x", what the user calls the memory of an access; NULL if that is the object
// itself
const char *lower_access_place(Lower *lower, LLVMValueRef address, uint32_t bytes);
LLVMMetadataRef lower_place_text(Lower *lower, LLVMValueRef address, uint32_t bytes, int depth,
                                 const char **out);
LLVMTypeRef lower_byval_type(const Lower *lower, LLVMValueRef argument);

// lower_members.c: types of debug information; NULL or 0 where there is none
LLVMMetadataRef lower_pointee_type(const Lower *lower, LLVMMetadataRef type);
LLVMMetadataRef lower_array_element(const Lower *lower, LLVMMetadataRef type);
bool lower_is_class(const Lower *lower, LLVMMetadataRef type);
uint64_t lower_type_size(const Lower *lower, LLVMMetadataRef type); // bytes
// The type of the member or base that holds the byte, where in it that is, and its name (NULL for a base).
LLVMMetadataRef lower_member(Lower *lower, LLVMMetadataRef type, uint64_t offset, uint64_t *rest,
                             const char **name);
// The member at a byte of a variable, or of what it points to, "dim.x"; NULL if none begins
// there.
const char *lower_member_at(const Lower *lower, LLVMMetadataRef variable_type, uint64_t offset);

// lower_classes.c: names of classes in host code, without template arguments; NULL if it is none or has no
// name
const char *lower_class_name(Lower *lower, LLVMTypeRef type);
// Likewise from the text of a name, and from a mangled type ("N5kaldi12CuMatrixBaseIfEE").
const char *class_without_arguments(Arena *scratch, StrTable *strings, const char *name, size_t length);
const char *class_name_of_id(Arena *scratch, StrTable *strings, const char *at);
// Of a load or store: the class of which a member is accessed, and where that member stands in it.
const char *lower_accessed_class(Lower *lower, LLVMValueRef access, int64_t *offset);

#endif
