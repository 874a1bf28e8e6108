// See unset_marks.h.
#include "codegen/checks/unset_marks.h"

#include "codegen/checks/mark_unset_variables.h"
#include "codegen/checks/variable_numbers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::codegen {
namespace {

constexpr llvm::StringLiteral kNumberName = "assay.unset.number.";
constexpr llvm::StringLiteral kMemoryName = "assay.unset.memory";
constexpr llvm::StringLiteral kReadName = "assay.unset.read.";
constexpr llvm::StringLiteral kFilledName = "assay.unset.filled.";

// Variables of more numbers are marked as a whole.
constexpr uint64_t kMaxSingly = 16;
constexpr uint64_t kMaxNumbers = 65'536;

llvm::FunctionCallee declare_mark(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                                  llvm::ArrayRef<llvm::Type*> parameters) {
  std::string text = name.str();
  if (!result->isVoidTy()) {
    llvm::raw_string_ostream stream(text);
    result->print(stream);
  }
  auto* type = llvm::FunctionType::get(result, parameters, false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(text, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::WillReturn);
  return callee;
}

bool is_library_type(const llvm::Type& type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    return is_library_type(*array->getElementType());
  }
  auto* record = llvm::dyn_cast<llvm::StructType>(&type);
  return record && record->hasName() && record->getName().starts_with("struct.metal::");
}

llvm::Metadata* word(llvm::LLVMContext& context, uint64_t value) {
  return llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
}

uint64_t word_of(const llvm::MDNode& node, unsigned operand) {
  return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(operand))->getZExtValue();
}

llvm::MDNode* describe(const llvm::AllocaInst& variable, uint64_t id, const std::string& name,
                       uint64_t count) {
  llvm::LLVMContext& context = variable.getContext();
  return llvm::MDNode::get(
      context, {llvm::MDString::get(context, name), word(context, count),
                word(context, is_library_type(*variable.getAllocatedType())), word(context, id)});
}

const llvm::MDNode& description_of(const llvm::CallInst& mark) {
  return *llvm::cast<llvm::MDNode>(mark.getMetadata(kVariableMetadata)->getOperand(0));
}

// Which variable, and which of its numbers.
void describe(llvm::CallInst& mark, const llvm::MDNode& variable, uint64_t number) {
  llvm::LLVMContext& context = mark.getContext();
  mark.setMetadata(
      kVariableMetadata,
      llvm::MDNode::get(context, {const_cast<llvm::MDNode*>(&variable), word(context, number)}));
}

void mark_numbers(llvm::IRBuilder<>& builder, llvm::Value& variable, const VariableNumbers& numbers,
                  const llvm::MDNode& description) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  for (uint64_t i = 0; i < numbers.places.size(); ++i) {
    const NumberPlace& place = numbers.places[i];
    llvm::CallInst* value = builder.CreateCall(declare_mark(module, kNumberName, place.type, {}));
    describe(*value, description, i);
    llvm::Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &variable, place.offset);
    builder.CreateAlignedStore(value, address, llvm::Align(1));
  }
}

// What a number without a value is while the kernel runs: nothing that starts other findings.
llvm::Constant* harmless_value(llvm::Type& type) {
  if (type.isIntegerTy()) return llvm::ConstantInt::get(&type, 1);
  if (type.isFloatingPointTy()) return llvm::ConstantFP::get(&type, 1.0);
  return llvm::Constant::getNullValue(&type);
}

}  // namespace

UnsetMark find_mark(const llvm::Value& value) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration()) return UnsetMark::kNone;
  const llvm::StringRef name = callee->getName();
  if (name.starts_with(kNumberName)) return UnsetMark::kNumber;
  if (name.starts_with(kReadName)) return UnsetMark::kRead;
  if (name.starts_with(kFilledName)) return UnsetMark::kFilled;
  return name == kMemoryName ? UnsetMark::kMemory : UnsetMark::kNone;
}

UnsetVariable variable_of(const llvm::CallInst& mark) {
  const llvm::MDNode& node = description_of(mark);
  return {.id = word_of(node, 3),
          .name = llvm::cast<llvm::MDString>(node.getOperand(0))->getString().str(),
          .is_library_type = word_of(node, 2) != 0};
}

std::pair<uint64_t, uint64_t> number_of(const llvm::CallInst& mark) {
  return {word_of(*mark.getMetadata(kVariableMetadata), 1), word_of(description_of(mark), 1)};
}

void mark_unset(llvm::AllocaInst& variable, uint64_t id, const std::string& name) {
  llvm::Module& module = *variable.getModule();
  llvm::Type& type = *variable.getAllocatedType();
  const auto numbers = list_numbers(type, module.getDataLayout(), kMaxNumbers);
  if (!numbers) return;
  llvm::BasicBlock& entry = variable.getFunction()->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  const llvm::MDNode& description = *describe(variable, id, name, numbers->places.size());
  if (numbers->places.size() <= kMaxSingly) {
    return mark_numbers(builder, variable, *numbers, description);
  }
  auto callee = declare_mark(module, kMemoryName, builder.getVoidTy(), {builder.getPtrTy()});
  describe(*builder.CreateCall(callee, {&variable}), description, 0);
}

void mark_singly(llvm::Function& function) {
  constexpr uint64_t kMost = 512;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (find_mark(instruction) != UnsetMark::kMemory) continue;
    auto& mark = llvm::cast<llvm::CallInst>(instruction);
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(mark.getArgOperand(0));
    if (!variable) continue;
    const auto numbers =
        list_numbers(*variable->getAllocatedType(), function.getParent()->getDataLayout(), kMost);
    if (!numbers) continue;
    llvm::IRBuilder<> builder(&mark);
    mark_numbers(builder, *variable, *numbers, description_of(mark));
    mark.eraseFromParent();
  }
}

void mark_read(llvm::LoadInst& load, UnsetMark mark) {
  llvm::Type* type = load.getType();
  llvm::IRBuilder<> builder(load.getNextNode());
  builder.SetCurrentDebugLocation(load.getDebugLoc());
  const llvm::StringRef name = mark == UnsetMark::kRead ? kReadName : kFilledName;
  llvm::CallInst* wrapped =
      builder.CreateCall(declare_mark(*load.getModule(), name, type, {type}), {&load});
  load.replaceUsesWithIf(wrapped, [&](llvm::Use& use) { return use.getUser() != wrapped; });
}

void mark_arguments(llvm::CallInst& call) {
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Type* type = call.getParamByValType(i);
    auto* copy = llvm::dyn_cast<llvm::AllocaInst>(call.getArgOperand(i));
    const auto numbers = type && copy ? list_numbers(*type, layout, kMaxSingly) : std::nullopt;
    if (!numbers) continue;
    llvm::IRBuilder<> builder(&call);
    for (const NumberPlace& place : numbers->places) {
      if (place.type->isPointerTy()) continue;
      llvm::Value* address =
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy, place.offset);
      llvm::LoadInst* value = builder.CreateAlignedLoad(place.type, address, llvm::Align(1));
      llvm::StoreInst* passed = builder.CreateAlignedStore(value, address, llvm::Align(1));
      mark_read(*value, UnsetMark::kRead);
      passed->setDebugLoc(call.getDebugLoc());
    }
  }
}

void drop_marks(llvm::Function& function, SelectMark select) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const UnsetMark mark = find_mark(instruction);
    if (mark == UnsetMark::kNone || !select(mark, llvm::cast<llvm::CallInst>(instruction))) {
      continue;
    }
    if (mark == UnsetMark::kNumber) {
      instruction.replaceAllUsesWith(harmless_value(*instruction.getType()));
    } else if (mark != UnsetMark::kMemory) {
      instruction.replaceAllUsesWith(instruction.getOperand(0));
    }
    instruction.eraseFromParent();
  }
}

void drop_marks(llvm::Function& function) {
  drop_marks(function, [](UnsetMark, const llvm::CallInst&) { return true; });
}

}  // namespace assay::codegen
