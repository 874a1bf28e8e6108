// The contract between front end, standard library and code generators: what the IR of a library
// looks like, and the `assay.*` functions that code generators give meaning to.
//
// The IR is for a generic little-endian 64-bit target. All address spaces of MSL are LLVM's address
// space 0; structs travel through memory (byval, sret), and `vec<T, N>` is a struct, so no vector
// types appear. A kernel is an ordinary function with one parameter per MSL parameter: pointers and
// references are ptr, scalar attributes i32 or i16, vector attributes a byval ptr (three components
// occupy four). Function constants are external constant globals; program-scope constants that
// depend on them are written by functions in llvm.global_ctors.
//
// Functions of the standard library. A lane takes part in an operation if it executes it in the
// same dynamic instance: diverged lanes meet again at the end of an `if` and at the end of a loop's
// round.
//   i32 lane()                                  thread index in threadgroup mod 32
//   i32 simdgroup()                             thread index in threadgroup / 32
//   void barrier.threadgroup(i32 flags), void barrier.simdgroup(i32 flags)
//   T simd.shuffle.{i32,i64}(T, i32 lane)       that lane's value, own value if it is not active
//   i32 simd.ballot(i32 predicate)              mask of the active lanes where it is not 0
//   T simd.reduce.OP.E(T, i32 cluster)          over the active lanes of a cluster of 32 or 4 lanes
//   T simd.scan.OP.E(T, i32 cluster, i32 inclusive)   prefix in lane order; OP add or mul
//   void simd.matmul.f32(float a0, a1, b0, b1, c0, c1, ptr d)   8x8 product, two elements per lane
//   ptr threadgroup.memory(i32 id, i64 size, i64 align)   storage of a threadgroup variable: one
//   per
//                                               id and function that it is written in
// OP is add, mul, min, max, and, or, xor; E is i32, u32, i64, u64, f32 (bitwise: u32, u64 only).
// The order in which floats are combined is fixed; executors define it, since codegen only asks
// them.
#pragma once

#include <optional>

#include "kernel/cpu_abi.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {

enum class IntrinsicKind {
  kLane,
  kSimdgroup,
  kThreadgroupMemory,  // (id, size, align), numbered per function until name-threadgroup-memory
  kThreadgroupArena,   // () → start of the group's memory; made by assign-threadgroup-memory
  kThreadgroupBarrier,
  kSimdgroupBarrier,
  kLoopRound,  // () at the end of a loop's round; made by mark-loop-rounds
  kYield,      // () before a store that others' loads may have to precede; made by insert-yields
  kLoopHeld,   // () → true, which only release-loop-exits may know; made by hold-loop-exits
  kShuffle,
  kBallot,
  kReduce,
  kScan,
  kMatrixMultiply,
  // Made by build-lanes, for code that vectorise reads.
  kThreadPosition,  // (axis) → i32, position in threadgroup
  kThreadIndex,     // () → i32, index in threadgroup
  kMatrixProduct,   // kMatrixMultiply that returns the two elements
  // Of checked builds (kernel/checks.h); `site` is a number of the check table.
  kCheckAccess,  // (i32 site, ptr address, i64 value, ptr object) → i1, whether to go on
  // (i32 site, ptr first, ptr second, ptr last, i64 rounds, ptr object) → i1, the same for all
  // threads that call it together: whether all loads of a loop are fine
  kCheckSweep,
  kCheckCondition,  // (i32 site, i1 is_wrong, i64 first, i64 second)
  // (i32 site, iN result, iN … operands): an operation on floats, as their bits. The name ends in
  // the formats: "assay.check.float.f16.f32" has a half for a result and a float for an operand.
  kCheckFloat,
  kCheckBarrier,  // (i32 site)
  // (ptr address, i64 bytes): a load that was written here and that LLVM has moved to where its
  // value is used; lasts until insert-checks.
  kCheckEarlyLoad,
  // (i32 flags, i32 order, i32 scope), in Metal's numbers: in front of each fence, from the front
  // end on. insert-checks makes a kCheckBarrier of it, unchecked builds drop it.
  kCheckFence,
  kPrint,  // (ptr format, i32 count, i64 types, i64 … twelve words); see kernel/print.h
};

struct Intrinsic {
  IntrinsicKind kind;
  kernel::Combine combine = kernel::Combine::kAdd;     // of reduce and scan
  kernel::Element element = kernel::Element::kUint32;  // of reduce and scan
};

inline constexpr llvm::StringLiteral kIntrinsicPrefix = "assay.";
inline constexpr llvm::StringLiteral kThreadgroupMemoryName = "assay.threadgroup.memory";
inline constexpr llvm::StringLiteral kThreadgroupArenaName = "assay.threadgroup.arena";
inline constexpr llvm::StringLiteral kLoopRoundName = "assay.loop.round";
inline constexpr llvm::StringLiteral kYieldName = "assay.yield";
inline constexpr llvm::StringLiteral kLoopHeldName = "assay.loop.held";
inline constexpr llvm::StringLiteral kLaneName = "assay.lane";
inline constexpr llvm::StringLiteral kShuffleName = "assay.simd.shuffle.i32";
inline constexpr llvm::StringLiteral kBallotName = "assay.simd.ballot";
inline constexpr llvm::StringLiteral kThreadPositionName = "assay.thread.position";
inline constexpr llvm::StringLiteral kThreadIndexName = "assay.thread.index";
inline constexpr llvm::StringLiteral kMatrixMultiplyName = "assay.simd.matmul.f32";
inline constexpr llvm::StringLiteral kMatrixProductName = "assay.simd.matmul.pair";
inline constexpr llvm::StringLiteral kPrintName = "assay.print";
inline constexpr llvm::StringLiteral kCheckAccessName = "assay.check.access";
inline constexpr llvm::StringLiteral kCheckSweepName = "assay.check.sweep";
inline constexpr llvm::StringLiteral kCheckConditionName = "assay.check.condition";
inline constexpr llvm::StringLiteral kCheckFloatPrefix = "assay.check.float.";
inline constexpr llvm::StringLiteral kCheckBarrierName = "assay.check.barrier";
inline constexpr llvm::StringLiteral kCheckEarlyLoadName = "assay.check.early.load";

// What the function of this name is; nothing for names that are no intrinsic of ours.
std::optional<Intrinsic> parse_intrinsic(llvm::StringRef name);
std::optional<Intrinsic> find_intrinsic(const llvm::Function* function);
std::optional<Intrinsic> find_intrinsic(const llvm::Instruction& instruction);

// The thread stops there until the executor resumes it.
bool suspends(IntrinsicKind kind);
// Lanes of one simdgroup work together there. Loop rounds only serve the others and do not count,
// nor do barriers and yields of the whole threadgroup.
bool is_cross_lane(IntrinsicKind kind);
// What an instruction of a loop does depends on which other lanes are in the same round: it works
// across lanes, or takes or gives back a lock, which one lane of a round gets and the others wait
// for until that lane's round is over.
bool depends_on_rounds(const llvm::Instruction& instruction);
// Reports to whoever watches a checked kernel.
bool is_check(IntrinsicKind kind);

// The types of a kCheckFloat's floats, the result's first.
std::vector<llvm::Type*> checked_floats(const llvm::CallInst& call);

// Sets the attributes that the optimiser may rely on, whatever the front end wrote.
void set_intrinsic_attributes(llvm::Function& function, const Intrinsic& intrinsic);

// Declares the intrinsics that passes add.
llvm::FunctionCallee declare_threadgroup_arena(llvm::Module& module);
llvm::FunctionCallee declare_lane(llvm::Module& module);
llvm::FunctionCallee declare_shuffle(llvm::Module& module);  // of 32 bits
llvm::FunctionCallee declare_ballot(llvm::Module& module);
llvm::FunctionCallee declare_thread_position(llvm::Module& module);
llvm::FunctionCallee declare_thread_index(llvm::Module& module);
llvm::FunctionCallee declare_matrix_product(llvm::Module& module);
llvm::FunctionCallee declare_loop_round(llvm::Module& module);
llvm::FunctionCallee declare_loop_held(llvm::Module& module);
llvm::FunctionCallee declare_check_access(llvm::Module& module);
llvm::FunctionCallee declare_check_sweep(llvm::Module& module);
llvm::FunctionCallee declare_check_condition(llvm::Module& module);
// For these types of floats, the result's first.
llvm::FunctionCallee declare_check_float(llvm::Module& module, llvm::ArrayRef<llvm::Type*> floats);
llvm::FunctionCallee declare_check_barrier(llvm::Module& module);
llvm::FunctionCallee declare_check_early_load(llvm::Module& module);
llvm::FunctionCallee declare_yield(llvm::Module& module);

}  // namespace assay::codegen
