// Host bytes → LLVM constants.
#include "codegen/passes/specialise_constants.h"

#include "fmt/format.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

namespace assay::codegen {
namespace {

void define(llvm::GlobalVariable& variable, llvm::Constant* value) {
  variable.setInitializer(value);
  variable.setConstant(true);
  variable.setExternallyInitialized(false);
  variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

llvm::Constant* constant_from_bytes(llvm::Type* type, std::span<const uint8_t> bytes,
                                    const llvm::DataLayout& layout) {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* offsets = layout.getStructLayout(record);
    std::vector<llvm::Constant*> fields;
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      fields.push_back(constant_from_bytes(record->getElementType(i),
                                           bytes.subspan(offsets->getElementOffset(i)), layout));
    }
    return llvm::ConstantStruct::get(record, fields);
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    std::vector<llvm::Constant*> elements;
    for (uint64_t i = 0; i < array->getNumElements(); ++i) {
      elements.push_back(
          constant_from_bytes(array->getElementType(), bytes.subspan(i * stride), layout));
    }
    return llvm::ConstantArray::get(array, elements);
  }
  uint64_t size = layout.getTypeStoreSize(type);
  llvm::Constant* data =
      llvm::ConstantDataArray::get(type->getContext(), llvm::ArrayRef(bytes.data(), size));
  return llvm::ConstantFoldLoadFromConst(data, type, llvm::APInt(64, 0), layout);
}

Result<void> set_value(KernelBuild& build, const kernel::FunctionConstant& constant,
                       const ConstantValue& value) {
  if (value.bytes.size() != constant.bytes) {
    return build.error(fmt::format(
        "function constant '{}' (index {}) has type {} of {} bytes, but the value given has {}",
        constant.name, constant.index, constant.type, constant.bytes, value.bytes.size()));
  }
  llvm::GlobalVariable* variable = build.module.getNamedGlobal(constant.symbol);
  if (!variable) return {};  // the kernel does not use it
  const llvm::DataLayout& layout = build.module.getDataLayout();
  std::vector<uint8_t> bytes = value.bytes;
  if (constant.type == "bool") bytes[0] = bytes[0] != 0;
  if (layout.getTypeAllocSize(variable->getValueType()) != bytes.size()) {
    return build.internal_error(
        fmt::format("function constant '{}' has another size in the IR", constant.name));
  }
  define(*variable, constant_from_bytes(variable->getValueType(), bytes, layout));
  return {};
}

// A name that the library does not have is a slip of the host; a superfluous index is not, since
// hosts hand one set of values to several libraries.
Result<void> check_names(const KernelBuild& build) {
  for (const ConstantValue& value : build.values) {
    if (value.name.empty()) continue;
    std::string known;
    bool found = false;
    for (const kernel::FunctionConstant& constant : build.constants) {
      found = found || constant.name == value.name;
      known += (known.empty() ? "" : ", ") + constant.name;
    }
    if (found) continue;
    return build.error(fmt::format("the library has no function constant '{}'; it has: {}",
                                   value.name, known.empty() ? "none" : known));
  }
  return {};
}

}  // namespace

const ConstantValue* find_value(const KernelBuild& build,
                                const kernel::FunctionConstant& constant) {
  for (const ConstantValue& value : build.values) {
    bool matches = value.name.empty() ? value.index == constant.index : value.name == constant.name;
    if (matches) return &value;
  }
  return nullptr;
}

Error missing_constant(const KernelBuild& build, const kernel::FunctionConstant& constant) {
  return build.error(
      fmt::format("function constant '{0}' (index {1}, type {2}) has no value; give it with "
                  "--constant {0}=V",
                  constant.name, constant.index, constant.type));
}

Result<void> specialise_constants(KernelBuild& build) {
  if (Result<void> checked = check_names(build); !checked) return checked;
  for (const kernel::FunctionConstant& constant : build.constants) {
    const ConstantValue* value = find_value(build, constant);
    llvm::GlobalVariable* defined = constant.defined_symbol.empty()
                                        ? nullptr
                                        : build.module.getNamedGlobal(constant.defined_symbol);
    if (defined) {
      define(*defined, llvm::ConstantInt::get(defined->getValueType(), value != nullptr));
    }
    if (!value) {
      // The source asks whether the constant has a value, so it can do without one.
      llvm::GlobalVariable* variable = build.module.getNamedGlobal(constant.symbol);
      if (defined && variable)
        define(*variable, llvm::Constant::getNullValue(variable->getValueType()));
      continue;
    }
    if (Result<void> set = set_value(build, constant, *value); !set) return set;
  }
  return {};
}

Result<void> require_constants(KernelBuild& build) {
  for (const kernel::FunctionConstant& constant : build.constants) {
    llvm::GlobalVariable* variable = build.module.getNamedGlobal(constant.symbol);
    if (!variable || !variable->isDeclaration()) continue;
    variable->removeDeadConstantUsers();
    if (!variable->use_empty()) return missing_constant(build, constant);
  }
  return {};
}

}  // namespace assay::codegen
