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

// Which variable, and which of its numbers.
void describe(llvm::CallInst& mark, const llvm::AllocaInst& variable, const std::string& name,
              uint64_t number, uint64_t count) {
  llvm::LLVMContext& context = mark.getContext();
  auto word = [&](uint64_t value) {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
  };
  mark.setMetadata(
      kVariableMetadata,
      llvm::MDNode::get(context, {llvm::MDString::get(context, name), word(number), word(count),
                                  word(is_library_type(*variable.getAllocatedType()))}));
}

uint64_t word_of(const llvm::CallInst& mark, unsigned operand) {
  const llvm::MDNode* node = mark.getMetadata(kVariableMetadata);
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(operand))->getZExtValue();
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
  const llvm::MDNode* node = mark.getMetadata(kVariableMetadata);
  return {.name = llvm::cast<llvm::MDString>(node->getOperand(0))->getString().str(),
          .is_library_type = word_of(mark, 3) != 0};
}

std::pair<uint64_t, uint64_t> number_of(const llvm::CallInst& mark) {
  return {word_of(mark, 1), word_of(mark, 2)};
}

void mark_unset(llvm::AllocaInst& variable, const std::string& name) {
  llvm::Module& module = *variable.getModule();
  llvm::Type& type = *variable.getAllocatedType();
  const auto numbers = list_numbers(type, module.getDataLayout(), kMaxNumbers);
  if (!numbers) return;
  llvm::BasicBlock& entry = variable.getFunction()->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  const uint64_t count = numbers->places.size();
  if (count > kMaxSingly) {
    auto callee = declare_mark(module, kMemoryName, builder.getVoidTy(), {builder.getPtrTy()});
    return describe(*builder.CreateCall(callee, {&variable}), variable, name, 0, count);
  }
  for (uint64_t i = 0; i < count; ++i) {
    const NumberPlace& place = numbers->places[i];
    llvm::CallInst* value = builder.CreateCall(declare_mark(module, kNumberName, place.type, {}));
    describe(*value, variable, name, i, count);
    llvm::Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &variable, place.offset);
    builder.CreateAlignedStore(value, address, llvm::Align(1));
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

void drop_marks(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const UnsetMark mark = find_mark(instruction);
    if (mark == UnsetMark::kNone) continue;
    if (mark == UnsetMark::kNumber) {
      instruction.replaceAllUsesWith(harmless_value(*instruction.getType()));
    } else if (mark != UnsetMark::kMemory) {
      instruction.replaceAllUsesWith(instruction.getOperand(0));
    }
    instruction.eraseFromParent();
  }
}

}  // namespace assay::codegen
