// Names and attributes of the `assay.*` functions.
#include "codegen/intrinsics.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

using kernel::Combine;
using kernel::Element;

namespace {

std::optional<Combine> parse_combine(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Combine>>(text)
      .Case("add", Combine::kAdd)
      .Case("mul", Combine::kMultiply)
      .Case("min", Combine::kMin)
      .Case("max", Combine::kMax)
      .Case("and", Combine::kAnd)
      .Case("or", Combine::kOr)
      .Case("xor", Combine::kXor)
      .Default(std::nullopt);
}

std::optional<Element> parse_element(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Element>>(text)
      .Case("i32", Element::kInt32)
      .Case("u32", Element::kUint32)
      .Case("i64", Element::kInt64)
      .Case("u64", Element::kUint64)
      .Case("f32", Element::kFloat32)
      .Default(std::nullopt);
}

// `rest` is "OP.ELEMENT".
std::optional<Intrinsic> parse_combining(IntrinsicKind kind, llvm::StringRef rest) {
  auto [operation, type] = rest.split('.');
  std::optional<Combine> combine = parse_combine(operation);
  std::optional<Element> element = parse_element(type);
  if (!combine || !element) return std::nullopt;
  if (kind == IntrinsicKind::kScan && *combine != Combine::kAdd && *combine != Combine::kMultiply) {
    return std::nullopt;
  }
  bool is_bitwise =
      *combine == Combine::kAnd || *combine == Combine::kOr || *combine == Combine::kXor;
  if (is_bitwise && *element != Element::kUint32 && *element != Element::kUint64) {
    return std::nullopt;
  }
  return Intrinsic{kind, *combine, *element};
}

llvm::StringRef float_name(const llvm::Type& type) {
  if (type.isHalfTy()) return "f16";
  if (type.isBFloatTy()) return "b16";
  return type.isFloatTy() ? "f32" : "f64";
}

llvm::Type* find_float(llvm::StringRef name, llvm::LLVMContext& context) {
  return llvm::StringSwitch<llvm::Type*>(name)
      .Case("f16", llvm::Type::getHalfTy(context))
      .Case("b16", llvm::Type::getBFloatTy(context))
      .Case("f32", llvm::Type::getFloatTy(context))
      .Default(llvm::Type::getDoubleTy(context));
}

llvm::FunctionCallee declare(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Type*> parameters = {}) {
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  set_intrinsic_attributes(*function, *parse_intrinsic(name));
  return callee;
}

}  // namespace

std::optional<Intrinsic> parse_intrinsic(llvm::StringRef name) {
  if (!name.consume_front(kIntrinsicPrefix)) return std::nullopt;
  if (name.consume_front("simd.reduce.")) return parse_combining(IntrinsicKind::kReduce, name);
  if (name.consume_front("simd.scan.")) return parse_combining(IntrinsicKind::kScan, name);
  if (name.starts_with("check.float.")) return Intrinsic{IntrinsicKind::kCheckFloat};
  auto kind = llvm::StringSwitch<std::optional<IntrinsicKind>>(name)
                  .Case("lane", IntrinsicKind::kLane)
                  .Case("simdgroup", IntrinsicKind::kSimdgroup)
                  .Case("threadgroup.memory", IntrinsicKind::kThreadgroupMemory)
                  .Case("threadgroup.arena", IntrinsicKind::kThreadgroupArena)
                  .Case("barrier.threadgroup", IntrinsicKind::kThreadgroupBarrier)
                  .Case("barrier.simdgroup", IntrinsicKind::kSimdgroupBarrier)
                  .Case("loop.round", IntrinsicKind::kLoopRound)
                  .Case("loop.held", IntrinsicKind::kLoopHeld)
                  .Case("yield", IntrinsicKind::kYield)
                  .Cases("simd.shuffle.i32", "simd.shuffle.i64", IntrinsicKind::kShuffle)
                  .Case("simd.ballot", IntrinsicKind::kBallot)
                  .Case("simd.matmul.f32", IntrinsicKind::kMatrixMultiply)
                  .Case("simd.matmul.pair", IntrinsicKind::kMatrixProduct)
                  .Case("thread.position", IntrinsicKind::kThreadPosition)
                  .Case("thread.index", IntrinsicKind::kThreadIndex)
                  .Case("print", IntrinsicKind::kPrint)
                  .Case("check.access", IntrinsicKind::kCheckAccess)
                  .Case("check.sweep", IntrinsicKind::kCheckSweep)
                  .Case("check.condition", IntrinsicKind::kCheckCondition)
                  .Case("check.barrier", IntrinsicKind::kCheckBarrier)
                  .Case("check.early.load", IntrinsicKind::kCheckEarlyLoad)
                  .Case("check.fence", IntrinsicKind::kCheckFence)
                  .Default(std::nullopt);
  if (!kind) return std::nullopt;
  return Intrinsic{*kind};
}

std::optional<Intrinsic> find_intrinsic(const llvm::Function* function) {
  if (!function || !function->isDeclaration()) return std::nullopt;
  return parse_intrinsic(function->getName());
}

std::optional<Intrinsic> find_intrinsic(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call) return std::nullopt;
  return find_intrinsic(call->getCalledFunction());
}

bool suspends(IntrinsicKind kind) {
  switch (kind) {
    case IntrinsicKind::kLane:
    case IntrinsicKind::kSimdgroup:
    case IntrinsicKind::kThreadgroupMemory:
    case IntrinsicKind::kThreadgroupArena:
    case IntrinsicKind::kLoopHeld:
    case IntrinsicKind::kThreadPosition:
    case IntrinsicKind::kThreadIndex:
    case IntrinsicKind::kCheckAccess:
    case IntrinsicKind::kCheckSweep:
    case IntrinsicKind::kCheckCondition:
    case IntrinsicKind::kCheckFloat:
    case IntrinsicKind::kCheckBarrier:
    case IntrinsicKind::kCheckEarlyLoad:
    case IntrinsicKind::kCheckFence:
    case IntrinsicKind::kPrint: return false;
    default: return true;
  }
}

bool is_check(IntrinsicKind kind) {
  return kind == IntrinsicKind::kCheckAccess || kind == IntrinsicKind::kCheckSweep ||
         kind == IntrinsicKind::kCheckCondition || kind == IntrinsicKind::kCheckFloat ||
         kind == IntrinsicKind::kCheckBarrier || kind == IntrinsicKind::kCheckFence ||
         kind == IntrinsicKind::kCheckEarlyLoad;
}

bool is_cross_lane(IntrinsicKind kind) {
  return suspends(kind) && kind != IntrinsicKind::kThreadgroupBarrier &&
         kind != IntrinsicKind::kYield && kind != IntrinsicKind::kLoopRound;
}

bool depends_on_rounds(const llvm::Instruction& instruction) {
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return update->getOperation() == llvm::AtomicRMWInst::Xchg;
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isAtomic();
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
  std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && is_cross_lane(intrinsic->kind);
}

std::vector<llvm::Type*> checked_floats(const llvm::CallInst& call) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  call.getCalledFunction()->getName().drop_front(kCheckFloatPrefix.size()).split(names, '.');
  std::vector<llvm::Type*> floats;
  for (llvm::StringRef name : names) floats.push_back(find_float(name, call.getContext()));
  return floats;
}

void set_intrinsic_attributes(llvm::Function& function, const Intrinsic& intrinsic) {
  using llvm::Attribute;
  function.setAttributes({});
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::NoFree);
  if (intrinsic.kind == IntrinsicKind::kCheckEarlyLoad) {
    // Writes nothing, so that loads pass it as if it were not there; that it may not return keeps
    // it from being dropped.
    function.addFnAttr(Attribute::NoMerge);
    function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly(llvm::ModRefInfo::Ref));
    return;
  }
  function.addFnAttr(Attribute::WillReturn);
  if (is_check(intrinsic.kind)) {
    // In the order of the program, but no obstacle to ordinary accesses. Two calls never become
    // one: sites are constants.
    function.addFnAttr(Attribute::NoMerge);
    function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    return;
  }
  if (intrinsic.kind == IntrinsicKind::kPrint) {
    function.setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
    return;
  }
  if (!suspends(intrinsic.kind)) {
    // The same value for a thread's whole life: free to move, merge and drop.
    function.addFnAttr(Attribute::Speculatable);
    function.setMemoryEffects(llvm::MemoryEffects::none());
    return;
  }
  function.addFnAttr(Attribute::Convergent);
  if (intrinsic.kind == IntrinsicKind::kThreadgroupBarrier ||
      intrinsic.kind == IntrinsicKind::kSimdgroupBarrier ||
      intrinsic.kind == IntrinsicKind::kYield) {
    return;  // other threads' stores become visible: reads and writes any memory
  }
  auto effects = llvm::MemoryEffects::inaccessibleMemOnly();
  if (intrinsic.kind == IntrinsicKind::kMatrixMultiply) {
    effects |= llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod);
  }
  function.setMemoryEffects(effects);
}

llvm::FunctionCallee declare_threadgroup_arena(llvm::Module& module) {
  return declare(module, kThreadgroupArenaName, llvm::PointerType::get(module.getContext(), 0));
}

llvm::FunctionCallee declare_lane(llvm::Module& module) {
  return declare(module, kLaneName, llvm::Type::getInt32Ty(module.getContext()));
}

llvm::FunctionCallee declare_shuffle(llvm::Module& module) {
  llvm::Type* number = llvm::Type::getInt32Ty(module.getContext());
  return declare(module, kShuffleName, number, {number, number});
}

llvm::FunctionCallee declare_ballot(llvm::Module& module) {
  llvm::Type* mask = llvm::Type::getInt32Ty(module.getContext());
  return declare(module, kBallotName, mask, {mask});
}

llvm::FunctionCallee declare_thread_position(llvm::Module& module) {
  llvm::Type* number = llvm::Type::getInt32Ty(module.getContext());
  return declare(module, kThreadPositionName, number, {number});
}

llvm::FunctionCallee declare_thread_index(llvm::Module& module) {
  return declare(module, kThreadIndexName, llvm::Type::getInt32Ty(module.getContext()));
}

llvm::FunctionCallee declare_matrix_product(llvm::Module& module) {
  llvm::Type* element = llvm::Type::getFloatTy(module.getContext());
  std::vector<llvm::Type*> operands(6, element);
  return declare(module, kMatrixProductName, llvm::StructType::get(element, element), operands);
}

llvm::FunctionCallee declare_loop_held(llvm::Module& module) {
  return declare(module, kLoopHeldName, llvm::Type::getInt1Ty(module.getContext()));
}

llvm::FunctionCallee declare_check_access(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  return declare(
      module, kCheckAccessName, llvm::Type::getInt1Ty(context),
      {llvm::Type::getInt32Ty(context), pointer, llvm::Type::getInt64Ty(context), pointer});
}

llvm::FunctionCallee declare_check_sweep(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  return declare(module, kCheckSweepName, llvm::Type::getInt1Ty(context),
                 {llvm::Type::getInt32Ty(context), pointer, pointer, pointer,
                  llvm::Type::getInt64Ty(context), pointer});
}

llvm::FunctionCallee declare_check_condition(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  return declare(module, kCheckConditionName, llvm::Type::getVoidTy(context),
                 {llvm::Type::getInt32Ty(context), llvm::Type::getInt1Ty(context), word, word});
}

llvm::FunctionCallee declare_check_float(llvm::Module& module, llvm::ArrayRef<llvm::Type*> floats) {
  llvm::LLVMContext& context = module.getContext();
  std::string name;
  std::vector<llvm::Type*> parameters = {llvm::Type::getInt32Ty(context)};
  for (llvm::Type* type : floats) {
    name += name.empty() ? kCheckFloatPrefix.str() : ".";
    name += float_name(*type);
    parameters.push_back(llvm::Type::getIntNTy(context, type->getScalarSizeInBits()));
  }
  return declare(module, name, llvm::Type::getVoidTy(context), parameters);
}

llvm::FunctionCallee declare_check_barrier(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  return declare(module, kCheckBarrierName, llvm::Type::getVoidTy(context),
                 {llvm::Type::getInt32Ty(context)});
}

llvm::FunctionCallee declare_check_early_load(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  return declare(module, kCheckEarlyLoadName, llvm::Type::getVoidTy(context),
                 {llvm::PointerType::get(context, 0), llvm::Type::getInt64Ty(context)});
}

llvm::FunctionCallee declare_yield(llvm::Module& module) {
  return declare(module, kYieldName, llvm::Type::getVoidTy(module.getContext()));
}

llvm::FunctionCallee declare_loop_round(llvm::Module& module) {
  return declare(module, kLoopRoundName, llvm::Type::getVoidTy(module.getContext()));
}

}  // namespace assay::codegen
